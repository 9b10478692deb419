"""The audit trail in the admin, and as a file that no spreadsheet runs."""

import csv
import io

import pytest
from django.test import Client
from sessions import ACTOR, NOW, PublishRecords

from shareview.admins.audit_admin import safe_cell
from shareview.shares.audit import check_trail
from shareview.shares.models import AuditEntry, Share
from shareview.shares.revoke import revoke_shares

LIST = "/admin/shares/auditentry/"


def exported(admin: Client, query: str = "") -> list[dict[str, str]]:
    answer = admin.get(f"{LIST}export.csv{query}")
    text = answer.getvalue().decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_the_trail_is_listed_and_cannot_be_changed(admin: Client, publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    assert share.public_id in admin.get(LIST).content.decode()
    entry = AuditEntry.objects.get()
    assert admin.post(f"{LIST}{entry.pk}/change/", {"reason": "x"}).status_code == 403
    assert admin.post(f"{LIST}{entry.pk}/delete/").status_code == 403


def test_the_export_holds_what_the_list_shows(admin: Client, publish: PublishRecords) -> None:
    publish("battery.en.jsonl")
    revoke_shares(Share.objects.all(), reason="=HYPERLINK(1)", actor=ACTOR, now=NOW)
    rows = exported(admin)
    assert [row["action"] for row in rows] == ["publish", "revoke"]
    assert rows[1]["reason"] == "'=HYPERLINK(1)"
    assert [row["action"] for row in exported(admin, "?action__exact=revoke")] == ["revoke"]


def test_taking_the_trail_along_is_in_the_trail(admin: Client, publish: PublishRecords) -> None:
    publish("battery.en.jsonl")
    exported(admin)
    entry = AuditEntry.objects.get(action="export")
    assert (entry.actor, entry.details) == ("admin", {"filters": []})
    assert check_trail().faults == ()


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_begins_as_a_formula_does(start: str) -> None:
    assert safe_cell(f"{start}1+1").startswith("'")


def test_any_other_cell_stays_as_it_is() -> None:
    assert safe_cell("a=b, 中") == "a=b, 中"
    assert safe_cell(7) == "7"
    assert safe_cell(NOW) == "2026-01-05T12:00:00+00:00"
