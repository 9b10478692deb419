"""Asking for citations, attaching and evaluating them, as an operator does."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from running_commands import refusal, run
from sessions import PublishRecords, jsonl, sample_records, turn

from shareview.environment import ModelSettings
from shareview.shares.models import Share
from shareview.snapshots.models import AnnotationJob, FrozenArtifact

pytestmark = pytest.mark.django_db

MODEL = ModelSettings("http://127.0.0.1:9/v1", "", "tested", "tested", "json_schema", 1000, 1)
RESULTS = [{"title": "Rules", "url": "https://rules.example/", "content": "Every rule applies before noon."}]


@pytest.fixture
def with_model(settings: LazySettings) -> None:
    settings.SHAREVIEW_LLM = MODEL


@pytest.fixture
def export_file(tmp_path: Path) -> str:
    path = tmp_path / "session.jsonl"
    path.write_bytes(jsonl([*turn("A rule applies.", results=RESULTS), *turn("Another.", first=5, results=RESULTS)]))
    return str(path)


def queued() -> list[tuple[str, bool]]:
    return list(AnnotationJob.objects.values_list("message_id", "wants_verdicts"))


def test_publish_queues_every_answer(with_model: None, export_file: str) -> None:
    out, err = run("publish", export_file, "--annotate", "--judge")
    assert out.count("/s/") == 1
    assert "2 answers queued" in err
    assert queued() == [("4", True), ("8", True)]


def test_publishing_again_queues_nothing_twice(with_model: None, export_file: str) -> None:
    run("publish", export_file, "--annotate")
    assert "0 answers queued" in run("publish", export_file, "--annotate")[1]


@pytest.mark.parametrize("command", ["publish", "annotate"])
def test_without_a_model_nothing_is_published_or_queued(
    export_file: str, publish: PublishRecords, command: str
) -> None:
    arguments = (export_file, "--annotate") if command == "publish" else (publish("battery.en.jsonl").public_id,)
    before = Share.objects.count()
    message, status = refusal(command, *arguments)
    assert (status, Share.objects.count(), queued()) == (1, before, [])
    assert "SHAREVIEW_LLM_BASE_URL takes" in message


def test_a_worker_without_a_model_says_what_to_set() -> None:
    message, status = refusal("worker", "--once")
    assert status == 1
    assert "SHAREVIEW_LLM_MODEL" in message


def test_judging_goes_with_annotating(with_model: None, export_file: str) -> None:
    assert refusal("publish", export_file, "--judge") == ("--judge goes with --annotate", 2)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), [("a2", False)]),
        (("--judge",), [("a2", True)]),
        (("--again",), [("a1", False), ("a2", False)]),
        (("--again", "--message", "a1"), [("a1", False)]),
    ],
)
def test_annotate_takes_what_is_not_there_yet(
    with_model: None, publish: PublishRecords, options: tuple[str, ...], expected: list[tuple[str, bool]]
) -> None:
    run("annotate", publish("claims.zh.jsonl").public_id, *options)
    assert queued() == expected


def test_citations_that_nobody_judged_are_queued_to_be_judged(with_model: None, publish: PublishRecords) -> None:
    records = sample_records("claims.zh.jsonl")
    for record in records:
        record.pop("verdicts", None)
    share = publish(records)
    run("annotate", share.public_id)
    assert queued() == [("a2", False)]
    run("annotate", share.public_id, "--judge", "--message", "a1")
    assert queued()[1:] == [("a1", True)]


def test_an_answer_that_is_not_there_is_refused(with_model: None, publish: PublishRecords) -> None:
    share = publish("claims.zh.jsonl")
    assert refusal("annotate", share.public_id, "--message", "nobody") == ('the share shows no answer "nobody"', 1)
    assert refusal("annotate", "no-link")[1] == 1
    assert queued() == []


def artifacts(*, broken: bool = False) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [r for r in sample_records("claims.zh.jsonl") if r.get("kind") == "citation_artifact"]
    if broken:
        found[0]["annotations"][0]["span_id"] = "span_9999"
    return found


def plain_session(publish: PublishRecords) -> Share:
    return publish([r for r in sample_records("claims.zh.jsonl") if r.get("kind") != "citation_artifact"])


def test_attached_artifacts_are_frozen_beside_their_answers(publish: PublishRecords, tmp_path: Path) -> None:
    share, path = plain_session(publish), tmp_path / "artifacts.jsonl"
    path.write_bytes(jsonl(artifacts()))
    assert "2 artifacts attached" in run("attach_artifact", str(path), share.public_id)[1]
    assert list(FrozenArtifact.objects.values_list("message_id", flat=True)) == ["a1", "a2"]


def test_a_file_with_one_fault_attaches_nothing_and_names_it(publish: PublishRecords, tmp_path: Path) -> None:
    share, path = plain_session(publish), tmp_path / "artifacts.jsonl"
    path.write_bytes(jsonl([artifacts()[1], *artifacts(broken=True)[:1]]))
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="nothing is attached") as caught:
        call_command("attach_artifact", str(path), share.public_id, stdout=out, stderr=err)
    assert caught.value.returncode == 1
    assert 'line 2, annotations[0].span_id: found "span_9999"' in err.getvalue()
    assert not FrozenArtifact.objects.exists()


@pytest.mark.parametrize("content", [b"not json\n", b'{"kind":"citation_artifact","message":"zz","version":1}\n'])
def test_what_is_no_artifact_of_the_share_is_refused(publish: PublishRecords, tmp_path: Path, content: bytes) -> None:
    share, path = plain_session(publish), tmp_path / "artifacts.jsonl"
    path.write_bytes(content)
    message, status = refusal("attach_artifact", str(path), share.public_id)
    assert status == 1
    assert message.startswith(f"{path}: ")


def test_evaluate_writes_json_with_integrity_support_and_pending_apart(publish: PublishRecords, tmp_path: Path) -> None:
    claims, battery = publish("claims.zh.jsonl"), publish("battery.en.jsonl")
    out, _ = run("evaluate", claims.public_id, battery.public_id, "--output", str(tmp_path / "report"))
    assert out.splitlines() == [str(tmp_path / "report" / f"evaluation.{ending}") for ending in ("json", "html")]
    found = json.loads((tmp_path / "report" / "evaluation.json").read_text())
    first, second = found["shares"]
    a1, a2 = first["answers"]
    assert (a1["claims"], a1["cited"], a1["alignment"]) == (6, 3, None)
    assert a1["integrity"] == {"pointers": 4, "intact": 4, "rate": 1.0}
    # The second claim has one block that backs half of it and one that backs it: together it cannot be told.
    assert a1["support"] == {"supported": 1, "unsupported": 1, "unknown": 1, "unjudged": 0, "rate": 1 / 3}
    assert a2 == {"message": "a2", "kind": "claims", "pending": "annotation_schema_invalid"}
    # Two forged entries of the recorded list are broken pointers; nobody judged what is cited by marker.
    (marked,) = second["answers"]
    assert marked["kind"] == "markers"
    assert marked["integrity"]["pointers"] - marked["integrity"]["intact"] == 2
    assert marked["support"]["rate"] is None
    assert marked["support"]["unjudged"] == marked["cited"] > 0
    assert found["totals"]["pending"] == {"annotation_schema_invalid": 1}
    assert found["totals"]["support"]["rate"] == 1 / 3


def test_an_answer_under_way_is_pending_for_the_evaluation(with_model: None, export_file: str, tmp_path: Path) -> None:
    run("publish", export_file, "--annotate")
    run("evaluate", "--all", "--output", str(tmp_path))
    found = json.loads((tmp_path / "evaluation.json").read_text())
    assert (found["totals"]["evaluated"], found["totals"]["pending"]) == (0, {"running": 2})


def test_the_report_stands_alone_with_its_plots(publish: PublishRecords, tmp_path: Path) -> None:
    publish("claims.zh.jsonl")
    run("evaluate", "--all", "--output", str(tmp_path))
    report = (tmp_path / "evaluation.html").read_text()
    assert not re.search(r"(?:src|href)=|url\(|<script|@import", report)
    bars = re.findall(r'<svg class="bar".*?</svg>', report, re.DOTALL)
    assert len(bars) == 4, "one of two answers, and one for each of three documents"
    widths = [
        float(width) for width in re.findall(r'<rect class="(?!track)[a-z]+" x="[0-9.]+" width="([0-9.]+)"', bars[0])
    ]
    assert widths == [33.33, 33.33, 33.33]
    assert "annotation_schema_invalid" in report


def test_the_report_can_be_had_in_chinese(publish: PublishRecords, tmp_path: Path) -> None:
    publish("claims.zh.jsonl")
    run("evaluate", "--all", "--language", "zh-hans", "--output", str(tmp_path))
    report = (tmp_path / "evaluation.html").read_text()
    assert "引用评测" in report
    assert "Integrity" not in report


@pytest.mark.parametrize("arguments", [(), ("--all", "x")])
def test_evaluate_takes_links_or_all(arguments: tuple[str, ...]) -> None:
    assert refusal("evaluate", *arguments)[1] == 2


@pytest.mark.parametrize(
    ("scheme", "present", "absent"),
    [
        ("markers", "web_search: ", "SHA-256"),
        ("two-stage", "two-stage-v1.zh, SHA-256", "web_search: "),
        ("all", "SHA-256", "no such words"),
    ],
)
def test_both_schemes_are_printed_for_producers(scheme: str, present: str, absent: str) -> None:
    out, _ = run("citation_contract", "--scheme", scheme)
    assert present in out
    assert absent not in out
