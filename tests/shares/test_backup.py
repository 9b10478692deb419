"""What is backed up while the site is busy is whole elsewhere: every digest, the trail, the links and their ends."""

import shutil
import stat
import subprocess
import time
from pathlib import Path

import pytest
from machines import HOST, Machine
from running_commands import refusal
from servers import serving_variables
from sessions import jsonl, sample, turn

BROWSER = {"Accept-Encoding": "br, gzip"}
# Publishes new sessions and revokes some, until it is stopped.
BUSY = """
import io, itertools, json
from django.conf import settings
from django.utils import timezone
from shareview.exports.native import read_native
from shareview.rendering.pool import InProcessRenderer
from shareview.shares.actors import Actor
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.revoke import revoke_shares
from shareview.snapshots.freezing import freeze_session
actor = Actor("busy", "-")
for number in itertools.count():
    question = {"id": 1, "role": "USER", "content": f"Question {number}?"}
    records = [question, {"id": 2, "role": "ASSISTANT", "content": "A"}]
    with read_native(io.BytesIO("".join(json.dumps(record) + "\\n" for record in records).encode())) as export:
        snapshot = freeze_session(export, now=timezone.now(), renderer=InProcessRenderer()).snapshot
    share, = publish_snapshot(
        snapshot, ShareTerms(), actor=actor, now=timezone.now(), token_key=settings.SHAREVIEW_TOKEN_KEY
    )
    if number % 3 == 0:
        revoke_shares(Share.objects.filter(pk=share.pk), reason="", actor=actor, now=timezone.now())
"""
NOW = "import json; from django.utils import timezone; print(json.dumps(str(timezone.now())))"
COUNT = "from shareview.shares.models import Share; print(Share.objects.count())"


def copy(machine: Machine, folder: Path, other_database: str) -> Machine:
    """A site elsewhere with what ``machine`` holds now, made as the README says."""
    folder.mkdir()
    elsewhere = Machine(serving_variables(folder, other_database), folder)
    if other_database:
        dump = folder / "shareview.dump"
        subprocess.run(["pg_dump", "--format=custom", f"--file={dump}", machine.variables["DATABASE_URL"]], check=True)
        subprocess.run(["pg_restore", "--no-owner", f"--dbname={other_database}", str(dump)], check=True)
    else:
        machine.manage("backup", str(folder / "shareview.sqlite3"))
    return elsewhere


def test_a_backup_of_a_busy_site_is_whole_elsewhere(
    serving_machine: Machine, tmp_path: Path, collected: Path, other_database: str
) -> None:
    live = serving_machine.publish(sample("battery.en.jsonl"))
    ended = serving_machine.publish(jsonl(turn("An answer[^1^].")))
    serving_machine.manage("revoke", ended)
    busy = [serving_machine.start("shell", "--no-imports", "-c", BUSY) for _ in range(2)]
    try:
        while serving_machine.ask(COUNT) < 6:
            time.sleep(0.2)
        before = serving_machine.ask(COUNT)
        elsewhere = copy(serving_machine, tmp_path / "elsewhere", other_database)
        after = serving_machine.ask(COUNT)
        assert [process.poll() for process in busy] == [None, None]
    finally:
        for process in busy:
            process.kill()
            process.communicate()
    moment = serving_machine.ask(NOW)
    serving_machine.manage("revoke", live)
    assert before <= elsewhere.ask(COUNT) <= after
    elsewhere.manage("check_snapshots")
    elsewhere.manage("check_audit")
    shutil.copytree(collected, tmp_path / "elsewhere" / "static")
    with elsewhere.serving() as server:
        assert b"Sodium" in server.ask(live.removeprefix(f"http://{HOST}")).body
        assert server.ask(ended.removeprefix(f"http://{HOST}")).status == 410
        revoked = serving_machine.manage("shares", "--revoked-since", moment)
        assert len(revoked.splitlines()) == 1
        elsewhere.manage("revoke", *(line.split("\t")[0] for line in revoked.splitlines()))
        assert server.ask(live.removeprefix(f"http://{HOST}"), headers=BROWSER).status == 410


def test_only_its_owner_may_read_a_backup_and_none_is_overwritten(serving_machine: Machine, tmp_path: Path) -> None:
    if "DATABASE_URL" in serving_machine.variables:
        pytest.skip("a server's database is backed up with pg_dump")
    path = tmp_path / "copy.sqlite3"
    serving_machine.manage("backup", str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.glob("copy*")] == ["copy.sqlite3"]
    with serving_machine.start("backup", str(path)) as again:
        _, said = again.communicate()
    assert again.returncode == 1
    assert "is there already" in said
    with serving_machine.start("backup", str(tmp_path / "no" / "such")) as nowhere:
        _, said = nowhere.communicate()
    assert (nowhere.returncode, "Traceback" in said) == (1, False)


def test_a_moment_that_is_none_is_told(db: None) -> None:
    assert refusal("shares", "--revoked-since", "yesterday") == (
        '--revoked-since takes a moment such as 2026-12-24T09:00, not "yesterday"', 2,
    )  # fmt: skip
