"""Workers as they are run: several at once, killed in the middle, and taken up again; on the database of this run."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from browser_site import PROJECT, environment
from machines import Machine
from model_server import Answer, Behaviour, Body, ModelServer, both, serve_model
from sessions import jsonl, sample, turn

RESULTS = [{"title": "Rules", "url": "https://rules.example/", "content": "Every rule applies before noon."}]
FOUR_ANSWERS = jsonl(
    [record for at in range(4) for record in turn("A rule applies.", first=1 + 4 * at, results=RESULTS)]
)
STATES = (
    "import json; from shareview.snapshots.models import *; from django_tasks_db.models import DBTaskResult; "
    "print(json.dumps({'artifacts': [[a.message_id, json.loads(a.line)['status'], json.loads(a.line).get('error_code')]"
    " for a in FrozenArtifact.objects.all()], 'open': AnnotationJob.objects.filter(finished_at=None).count(), "
    "'attempts': list(AnnotationJob.objects.values_list('attempts', flat=True)), "
    "'came of': list(DBTaskResult.objects.filter(status='SUCCESSFUL').values_list('return_value', flat=True))}))"
)
LONG_AGO = (
    "from shareview.snapshots.models import AnnotationJob as J; from django.utils import timezone as t; "
    "J.objects.update(held_until=t.now() - t.timedelta(seconds=1))"
)


@pytest.fixture
def machine(tmp_path: Path, database: str) -> Callable[[ModelServer], Machine]:
    def set_up(server: ModelServer) -> Machine:
        variables = environment(tmp_path, "http://127.0.0.1:8000") | {
            "SHAREVIEW_LLM_BASE_URL": server.url, "SHAREVIEW_LLM_MODEL": "tested", "SHAREVIEW_LLM_SECONDS": "20",
        }  # fmt: skip
        machine = Machine(variables | ({"DATABASE_URL": database} if database else {}), tmp_path)
        machine.manage("migrate", "--verbosity", "0")
        return machine

    return set_up


MachineFor = Callable[[ModelServer], Machine]


def late(seconds: float) -> Callable[[Body], Behaviour]:
    """A good model that takes its time."""
    return lambda body: replace(both(body), delay=seconds)


def wait_until(holds: Callable[[], object]) -> None:
    for _ in range(300):
        if holds():
            return
        time.sleep(0.1)
    pytest.fail("it did not come to be so")


def test_publishing_queues_the_answers_and_a_worker_makes_their_citations(machine: MachineFor) -> None:
    with serve_model(both) as server:
        site = machine(server)
        site.publish(sample("battery.en.jsonl"), "--annotate", "--judge")
        queued = site.ask(STATES)
        assert (queued["artifacts"], queued["open"]) == ([], 1)
        assert server.asked == []
        site.manage("worker", "--once")
        done = site.ask(STATES)
    assert done["artifacts"] == [["4", "complete", None]]
    assert done["open"] == 0


def test_two_workers_make_each_artifact_once(machine: MachineFor) -> None:
    with serve_model(late(0.3)) as server:
        site = machine(server)
        site.publish(FOUR_ANSWERS, "--annotate")
        workers = [site.start("worker", "--once") for _ in range(2)]
        for worker in workers:
            _, err = worker.communicate(timeout=60)
            assert worker.returncode == 0, err
        done = site.ask(STATES)
        assert len(server.asked) == 4
    assert sorted(done["artifacts"]) == [[id, "complete", None] for id in ("12", "16", "4", "8")]
    assert done["attempts"] == [1, 1, 1, 1]


def test_the_second_of_two_workers_on_one_answer_changes_nothing(machine: MachineFor) -> None:
    """A worker that is only slow finishes after another was given its answer: the first result counts."""
    slow = Behaviour('{"annotations": []}', delay=14.0)
    with serve_model(slow, both) as server:
        site = machine(server)
        site.publish(jsonl(turn("A rule applies.", results=RESULTS)), "--annotate")
        first = site.start("worker", "--once")
        wait_until(lambda: server.asked)
        site.manage("shell", "--no-imports", "-c", LONG_AGO)
        site.manage("worker", "--once")
        after_second = site.ask(STATES)
        first.communicate(timeout=60)
        assert len(server.asked) == 2
        done = site.ask(STATES)
    assert done["artifacts"] == after_second["artifacts"] == [["4", "complete", None]]
    assert sorted(done["came of"]) == ["complete", "superseded"]


def test_what_a_killed_worker_left_is_taken_up_again(machine: MachineFor) -> None:
    with serve_model(Behaviour("{}", delay=30.0), both) as server:
        site = machine(server)
        site.publish(jsonl(turn("A rule applies.", results=RESULTS)), "--annotate")
        worker = site.start("worker", "--once")
        wait_until(lambda: server.asked)
        worker.kill()
        worker.communicate()
        site.manage("worker", "--once")
        assert site.ask(STATES)["open"] == 1, "its lease had not run out"
        site.manage("shell", "--no-imports", "-c", LONG_AGO)
        site.manage("worker", "--once")
        done = site.ask(STATES)
    assert (done["artifacts"], done["open"], done["attempts"]) == ([["4", "complete", None]], 0, [2])


def test_an_answer_that_kills_every_worker_ends_as_not_made_in_time(machine: MachineFor) -> None:
    answers: list[Answer] = [both]
    with serve_model(*answers) as server:
        site = machine(server)
        site.publish(jsonl(turn("A rule applies.", results=RESULTS)), "--annotate")
        site.manage("shell", "--no-imports", "-c", f"{LONG_AGO}; J.objects.update(attempts=3)")
        site.manage("worker", "--once")
        done = site.ask(STATES)
        assert server.asked == []
    assert (done["artifacts"], done["open"]) == ([["4", "pending", "annotation_timeout"]], 0)


def is_running(process: int) -> bool:
    """Whether there is such a process, and it has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
def test_a_worker_that_goes_with_its_parent_ends_with_it(machine: MachineFor, tmp_path: Path) -> None:
    starts = (
        "import subprocess, sys, time; p = subprocess.Popen([sys.executable, 'manage.py', 'worker', '--with-parent']); "
        "print(p.pid, flush=True); time.sleep(60)"
    )
    with serve_model(Behaviour("{}", delay=60.0)) as server:
        site = machine(server)
        site.publish(jsonl(turn("A rule applies.", results=RESULTS)), "--annotate")
        variables = site.variables
        parent = subprocess.Popen(
            [sys.executable, "-c", starts], cwd=PROJECT, env=variables, stdout=subprocess.PIPE, text=True
        )
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        wait_until(lambda: server.asked)
        assert is_running(worker)
        parent.kill()
        parent.communicate()
        wait_until(lambda: not is_running(worker))


def test_a_busy_worker_that_is_told_to_stop_ends_after_its_answer(machine: MachineFor) -> None:
    with serve_model(late(2.0)) as server:
        site = machine(server)
        site.publish(FOUR_ANSWERS, "--annotate")
        worker = site.start("worker")
        wait_until(lambda: server.asked)
        worker.terminate()
        worker.communicate(timeout=30)
        assert len(server.asked) == 1
        assert (len(site.ask(STATES)["artifacts"]), site.ask(STATES)["open"]) == (1, 3)
