"""The commands as a publisher uses them: links on standard output, everything else on standard error."""

import io
import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.hashers import check_password
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from running_commands import refusal, run
from sessions import PublishRecords, Records, jsonl, sample, turn

from shareview.shares.models import AuditEntry, Share
from shareview.snapshots.models import FrozenRecord, RenderedMessage, Snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def export_file(tmp_path: Path) -> Path:
    path = tmp_path / "battery.jsonl"
    path.write_bytes(sample("battery.en.jsonl"))
    return path


def written(folder: Path, records: Records) -> str:
    """The path of an export file of ``records``."""
    path = folder / "written.jsonl"
    path.write_bytes(jsonl(records))
    return str(path)


def test_publish_prints_only_the_link(export_file: Path) -> None:
    out, _ = run("publish", str(export_file), "--base-url", "https://share.example/")
    assert re.fullmatch(r"https://share\.example/s/[A-Za-z0-9_-]{32}/\n", out)


def test_publish_reports_forged_citations_on_standard_error(export_file: Path) -> None:
    _, err = run("publish", str(export_file))
    assert 'citation 7 ("https://never-retrieved.example/x") is dropped' in err
    assert 'citation 8 ("javascript:alert(1)") is dropped' in err


def test_publish_makes_a_link_for_each_recipient(export_file: Path) -> None:
    out, err = run("publish", str(export_file), "--recipient", "Acme", "--recipient", "Wang")
    assert len(out.splitlines()) == 2
    assert "is for Acme" in err
    assert set(Share.objects.values_list("recipient", flat=True)) == {"Acme", "Wang"}


def test_publish_keeps_title_watermark_and_end(export_file: Path) -> None:
    run("publish", str(export_file), "--title", "For the board", "--watermark", "Draft", "--expires", "7d")
    share = Share.objects.get()
    assert share.shown_title == "For the board"
    assert share.watermark.startswith("Draft · s-")
    assert share.expires_at is not None
    assert (share.expires_at - share.created_at).days in (6, 7)


def test_a_bad_record_publishes_nothing_and_says_where(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(jsonl([{"id": 1, "role": "USER", "content": "Q"}, {"id": 2, "role": "ROBOT", "content": "A"}]))
    message, status = refusal("publish", str(path))
    assert message == f'{path}: line 2, role: found "ROBOT", expected one of USER, ASSISTANT, TOOL, SYSTEM'
    assert status == 1
    assert not Share.objects.exists()
    assert not FrozenRecord.objects.exists()


def test_lenient_passes_over_a_bad_message_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(jsonl([*turn("Fine."), {"id": 9, "role": "ROBOT", "content": "A"}]))
    out, err = run("publish", str(path), "--lenient")
    assert "/s/" in out
    assert "passed over: line 5, role" in err


@pytest.mark.parametrize(
    "options",
    [
        ["--expires", "yesterday"], ["--up-to", "3"], ["--thread", "Z"], ["--not-before", "2020-01-01"],
        ["--embed", "http://blog.example.org"], ["--owner", "nobody"], ["--expires", "1d", "--not-before", "2d"],
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line_with_status_1(export_file: Path, options: list[str]) -> None:
    message, status = refusal("publish", str(export_file), *options)
    assert status == 1
    assert "\n" not in message
    assert not Share.objects.exists()


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    message, status = refusal("publish", str(tmp_path / "none.jsonl"))
    assert status == 1
    assert "No such file" in message


def test_revoke_takes_a_link(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    _, err = run("revoke", share.link("https://share.example"), "--reason", "leaked")
    assert err == "1 of 1 links ended now\n"
    assert Share.objects.get().revoke_reason == "leaked"


def test_revoke_ends_every_link_of_a_session(publish: PublishRecords) -> None:
    publish("deadline.zh.jsonl")
    publish("deadline.zh.jsonl", up_to=["107"])
    other = publish("battery.en.jsonl")
    run("revoke", "--all-of", "7")
    assert list(Share.objects.filter(revoked_at__isnull=True)) == [other]


def test_revoking_something_unknown_is_refused_with_status_1(db: None) -> None:
    assert refusal("revoke", "nothing") == ("no share has this link or token", 1)


def test_what_is_known_ends_though_something_else_is_not(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    assert refusal("revoke", share.public_id, "nothing") == ("no share has this link or token", 1)
    assert Share.objects.filter(revoked_at__isnull=False).count() == 1


def test_revoke_without_anything_to_revoke_is_wrong_usage(db: None) -> None:
    assert refusal("revoke")[1] == 2


def test_shares_lists_state_and_views(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    out, _ = run("shares")
    assert out.split("\t")[:4] == [share.public_id, "live", "0 views", "2026-01-05"]
    run("revoke", share.public_id)
    assert "\trevoked\t" in run("shares")[0]


def test_check_snapshots_is_content_with_what_is_unchanged(publish: PublishRecords) -> None:
    publish("battery.en.jsonl")
    assert run("check_snapshots") == ("", "1 snapshots match their digests\n")


def test_check_snapshots_names_a_changed_snapshot(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    FrozenRecord.objects.bulk_create(
        [FrozenRecord(snapshot=share.snapshot, position=99, kind="message", record_id="99", line='{"forged":true}')]
    )
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("check_snapshots", stdout=out, stderr=err)
    assert caught.value.returncode == 1
    assert share.snapshot.digest in out.getvalue()
    assert share.public_id in out.getvalue()


def test_rerender_rebuilds_what_was_spoilt(publish: PublishRecords) -> None:
    publish("deadline.zh.jsonl")
    before = list(RenderedMessage.objects.values_list("message_id", "html"))
    RenderedMessage.objects.update(html="<p>old</p>", version="0")
    run("rerender", "--stale")
    assert list(RenderedMessage.objects.values_list("message_id", "html")) == before


def test_one_stale_message_among_current_ones_is_rebuilt(publish: PublishRecords) -> None:
    publish("deadline.zh.jsonl")
    before = list(RenderedMessage.objects.values_list("message_id", "html"))
    RenderedMessage.objects.filter(message_id=before[0][0]).update(html="<p>old</p>", version="0")
    run("rerender", "--stale")
    assert list(RenderedMessage.objects.values_list("message_id", "html")) == before


@pytest.mark.parametrize(("language", "words"), [("zh", "引用规范"), ("en", "Citations")])
def test_the_citation_contract_is_printed_in_both_languages(language: str, words: str) -> None:
    out, _ = run("citation_contract", "--language", language)
    assert words in out
    assert "[^n^]" in out
    assert "web_search: " in out
    assert "open_web_page: " in out


def test_a_password_comes_from_standard_input(export_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("open sesame\nanother line\n"))
    run("publish", str(export_file), "--password-stdin")
    assert check_password("open sesame", Share.objects.get().password)
    assert "\tlive, password\t" in run("shares")[0]


@pytest.mark.parametrize("typed", ["", "\n", "x" * 201 + "\n"])
def test_a_password_that_is_none_is_refused(export_file: Path, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    message, status = refusal("publish", str(export_file), "--password-stdin")
    assert (status, "1 to 200 characters" in message) == (1, True)
    assert not Share.objects.exists()


def test_standard_input_cannot_be_the_export_and_the_password(db: None) -> None:
    assert refusal("publish", "-", "--password-stdin")[1] == 2


def test_a_link_belongs_to_its_owner_begins_when_it_should_and_may_be_framed(export_file: Path) -> None:
    owner = User.objects.create_user("mei")
    embeds = [
        "--embed",
        "https://Blog.example.org/",
        "--embed",
        "https://b.example.org",
        "--embed",
        "https://b.example.org",
    ]
    run("publish", str(export_file), "--owner", "mei", "--not-before", "2d", *embeds)
    share = Share.objects.get()
    assert share.owner == owner
    assert share.embed_origins() == ["https://blog.example.org", "https://b.example.org"]
    assert "\tnot yet\t" in run("shares")[0]


LEAKED = "ghp_" + "aB3dE6gH9" * 4


def test_a_secret_stops_publish_and_is_named_by_its_place_alone(db: None, tmp_path: Path) -> None:
    path = written(tmp_path, turn(f"Token: {LEAKED}"))
    sentence, status = refusal("publish", path)
    assert status == 1
    assert "1 secret found (message 4, content, line 1: github-token)" in sentence
    assert "--redact" in sentence
    assert LEAKED not in sentence
    assert not Snapshot.objects.exists()


def test_redact_publishes_without_the_secret_and_says_where_it_was(db: None, tmp_path: Path) -> None:
    out, err = run("publish", written(tmp_path, turn(f"Token: {LEAKED}")), "--redact")
    assert out.count("\n") == 1
    assert "redacted: message 4, content, line 1: github-token" in err
    assert "[redacted: github-token]" in RenderedMessage.objects.get(message_id="4").html


def test_acknowledge_publishes_the_secret_as_it_is(db: None, tmp_path: Path) -> None:
    _, err = run("publish", written(tmp_path, turn(f"Token: {LEAKED}")), "--acknowledge")
    assert "published as it is: message 4" in err
    entry = AuditEntry.objects.get(action="secrets")
    assert entry.details == {"digest": Snapshot.objects.get().digest, "kinds": {"github-token": 1}}
    assert LEAKED not in str(entry.details)
    assert LEAKED in RenderedMessage.objects.get(message_id="4").html


def test_personal_data_is_listed(db: None, tmp_path: Path) -> None:
    _, err = run("publish", written(tmp_path, turn("Ask jane.doe@corp-mail.example.")))
    assert "published as it is: message 4, content, line 1: email" in err


def test_personal_data_stops_publish_where_the_site_says_so(db: None, tmp_path: Path, settings: LazySettings) -> None:
    settings.SHAREVIEW_PERSONAL_DATA_STOPS = True
    sentence, status = refusal("publish", written(tmp_path, turn("Ask jane.doe@corp-mail.example.")))
    assert (status, "email" in sentence) == (1, True)


def test_hide_leaves_out_what_it_names(db: None, tmp_path: Path) -> None:
    path = written(tmp_path, turn("A.", reasoning="Hm."))
    run("publish", path, "--hide", "reasoning,tools", "--hide-message", "1")
    snapshot = Snapshot.objects.get()
    assert (snapshot.hidden_messages, snapshot.hidden_results, snapshot.hidden_reasonings) == (1, 1, 1)
    assert refusal("publish", path, "--hide", "names") == ('--hide "names": expected a list of reasoning and tools', 1)
