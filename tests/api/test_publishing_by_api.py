"""Freezing, publishing, reading and ending links by the API; who may, and what is said where something is wrong."""

from datetime import timedelta

import pytest
from api_calls import Caller, MakeCaller
from django.conf import LazySettings
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone
from sessions import ACTOR, NOW, Records, jsonl, turn

from shareview.shares.api_keys import end_api_keys
from shareview.shares.erase import erase_snapshot
from shareview.shares.frozen_handles import HandleError, frozen_handle, snapshot_of_handle
from shareview.shares.models import ApiKey, AuditEntry, IdempotentCall, Scope, Share, StopKind
from shareview.shares.roles import Role
from shareview.shares.stops import stop_everything
from shareview.snapshots.models import Snapshot

KEY = "ghp_" + "aB3dE6gH9" * 4
RECORDS: Records = [{"kind": "session", "id": "s1", "title": "Batteries"}, *turn("One[^1^].")]


def later(days: int = 1) -> str:
    return (timezone.now() + timedelta(days=days)).isoformat()


def test_a_session_is_frozen_published_read_and_ended(caller: Caller, reader: Client) -> None:
    frozen = caller.freeze(RECORDS)
    assert (frozen["session"], frozen["title"], frozen["messages"]) == ("s1", "Batteries", 4)
    assert not Share.objects.exists()
    status, published = caller.post("/shares", {"frozen": frozen["frozen"], "recipients": ["Acme", "王芳"]})
    assert status == 201
    assert [share["recipient"] for share in published["shares"]] == ["Acme", "王芳"]
    share = published["shares"][0]
    path = share["link"].removeprefix("http://testserver")
    assert reader.get(path).status_code == 200
    assert caller.get(f"/shares/{share['id']}") == (200, share)
    status, ended = caller.post(f"/shares/{share['id']}/revoke", {"reason": "sent to the wrong list"})
    assert (status, ended["state"], ended["revoke_reason"]) == (200, "revoked", "sent to the wrong list")
    assert reader.get(path).status_code == 410
    assert [entry.actor for entry in AuditEntry.objects.filter(action="revoke")] == [
        f"back-end (key {ApiKey.objects.get().public_id})"
    ]


def test_a_preview_shows_what_would_be_published_before_there_is_a_link(caller: Caller, reader: Client) -> None:
    frozen = caller.freeze(RECORDS)
    assert reader.get(frozen["preview"].removeprefix("http://testserver")).status_code == 200
    status, told = caller.post("/previews", {"frozen": frozen["frozen"], "title": "For the board", "recipients": ["A"]})
    assert status == 200
    (address,) = told["previews"]
    assert "For the board" in reader.get(address.removeprefix("http://testserver")).content.decode()
    assert not Share.objects.exists()


def test_all_terms_of_a_link_are_kept(caller: Caller) -> None:
    until = later(30)
    share = caller.publish(
        RECORDS, title="For you", watermark="Draft", recipients=["Acme"], expires_at=until, password="open sesame",
        embeds=["https://blog.example.org", "http://localhost:3000"], link_preview="none",
    )  # fmt: skip
    assert (share["title"], share["is_protected"], share["link_preview"]) == ("For you", True, "none")
    assert share["watermark"].startswith("Acme · Draft · s-")
    assert share["embeds"] == ["https://blog.example.org", "http://localhost:3000"]
    assert share["embed"] == share["link"].replace("/s/", "/embed/")
    assert share["expires_at"][:16] == until[:16]
    assert "open sesame" not in str(share)


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"embeds": ["https://a.example/path"]}, "embeds[0]"),
        ({"embeds": ["https://a.example", "http://b.example"]}, "embeds[1]"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "2030-01-01T00:00:00"}, "expires_at"),
        ({"expires_at": "9999-12-31T23:59:59Z"}, "expires_at"),
        ({"thread": "nowhere"}, "thread"),
        ({"recipients": ["x" * 201]}, "recipients.0"),
        ({"recipients": [""]}, "recipients.0"),
        ({"title": "a\x00b"}, "title"),
        ({"password": ""}, "password"),
        ({"link_preview": "all"}, "link_preview"),
        ({"colour": "red"}, "colour"),
        ({"frozen": "x"}, "frozen"),
    ],
)
def test_wrong_terms_are_named_and_nothing_is_published(caller: Caller, terms: dict[str, object], field: str) -> None:
    status, problem = caller.post("/shares", {"frozen": caller.freeze(RECORDS)["frozen"], **terms})
    assert (status, problem["field"]) == (422, field)
    assert problem["type"] == "urn:shareview:problem:wrong-terms"
    assert (problem["title"], problem["status"]) == ("Unprocessable Entity", 422)
    assert problem["detail"]
    assert not Share.objects.exists()


def test_a_fault_of_the_export_is_told_with_its_line_and_field(caller: Caller) -> None:
    records = [*RECORDS, {"id": 9, "role": "robot", "content": ""}]
    status, problem = caller.post("/snapshots", jsonl(records))
    assert (status, problem["line"], problem["field"]) == (422, 6, "role")
    assert problem["detail"] == 'line 6, role: found "robot", expected one of USER, ASSISTANT, TOOL, SYSTEM'
    assert not Snapshot.objects.exists()


def test_a_leaked_key_stops_the_freeze_and_is_named_by_its_place(caller: Caller) -> None:
    body = jsonl(turn(f"Token: {KEY}"))
    status, problem = caller.post("/snapshots", body)
    assert (status, problem["type"]) == (422, "urn:shareview:problem:secrets-found")
    assert problem["findings"] == [
        {"kind": "github-token", "of": "secret", "record": "message 4", "field": "content", "line": 1}
    ]
    assert "redact=true" in problem["detail"]
    assert KEY not in str(problem)
    status, frozen = caller.post("/snapshots?redact=true", body)
    assert (status, frozen["is_redacted"], len(frozen["findings"])) == (201, True, 1)
    status, frozen = caller.post("/snapshots?acknowledge=true", body)
    assert (status, frozen["is_redacted"]) == (201, False)
    assert AuditEntry.objects.get(action="secrets").actor.startswith("back-end (key ")
    assert caller.post("/snapshots?acknowledge=true&redact=true", body)[0] == 422


def test_what_is_to_be_left_out_is_left_out(caller: Caller) -> None:
    frozen = caller.freeze(turn("One[^1^].", reasoning="Hm."), "?hide=reasoning&hide=tools&hide_message=1")
    assert frozen["left_out"] == {"messages": 1, "results": 1, "reasonings": 1}
    assert caller.post("/snapshots?hide=names", jsonl(RECORDS))[0] == 422
    status, problem = caller.post("/snapshots?hide_message=99", jsonl(RECORDS))
    assert (status, "hide_message 99" in problem["detail"]) == (422, True)


def test_the_message_watermark_is_kept(caller: Caller) -> None:
    records = [*turn("One."), *turn("Two.", first=5)]
    assert caller.freeze(records, "?up_to=4")["messages"] == 4
    status, problem = caller.post("/snapshots?up_to=3", jsonl(records))
    assert (status, problem["type"]) == (422, "urn:shareview:problem:cannot-freeze")


def test_forged_citations_are_reported(caller: Caller) -> None:
    forged = [{"n": 7, "url": "https://forged.example/", "title": "F"}]
    frozen = caller.freeze(turn("One[^1^].", metadata={"citations": forged}))
    assert frozen["notices"] == [
        "message 4: citation 7 is dropped: it names a number that this turn retrieved nothing under"
    ]


def test_a_link_is_replaced_and_the_old_one_ends(caller: Caller, reader: Client) -> None:
    share = caller.publish(RECORDS)
    status, anew = caller.post(f"/shares/{share['id']}/rotate", {"reason": "leaked"})
    assert status == 200
    assert anew["link"] != share["link"]
    assert reader.get(share["link"].removeprefix("http://testserver")).status_code == 410
    assert reader.get(anew["link"].removeprefix("http://testserver")).status_code == 200


def test_a_link_ends_later_sooner_or_never(caller: Caller) -> None:
    share = caller.publish(RECORDS, expires_at=later())
    status, moved = caller.post(f"/shares/{share['id']}/extend", {"expires_at": later(30)})
    assert (status, moved["expires_at"] > share["expires_at"]) == (200, True)
    assert caller.post(f"/shares/{share['id']}/extend", {"expires_at": None})[1]["expires_at"] is None
    status, problem = caller.post(f"/shares/{share['id']}/extend", {"expires_at": "2020-01-01T00:00:00Z"})
    assert (status, problem["type"]) == (422, "urn:shareview:problem:wrong-terms")


@pytest.mark.parametrize(("what", "body"), [("rotate", {}), ("extend", {"expires_at": None})])
def test_a_revoked_link_stays_revoked(caller: Caller, what: str, body: dict[str, object]) -> None:
    share = caller.publish(RECORDS)
    caller.post(f"/shares/{share['id']}/revoke", {})
    status, problem = caller.post(f"/shares/{share['id']}/{what}", body)
    assert (status, problem["type"]) == (409, "urn:shareview:problem:revoked")


def test_a_second_revoke_keeps_the_first_reason(caller: Caller) -> None:
    share = caller.publish(RECORDS)
    caller.post(f"/shares/{share['id']}/revoke", {"reason": "first"})
    assert caller.post(f"/shares/{share['id']}/revoke", {"reason": "second"})[1]["revoke_reason"] == "first"


def test_links_are_listed_by_state_session_and_recipient_in_pages(caller: Caller) -> None:
    first = caller.publish(RECORDS, recipients=["Acme"])
    second = caller.publish(turn("Other."))
    third = caller.publish(RECORDS)
    caller.post(f"/shares/{second['id']}/revoke", {})

    def ids(query: str) -> list[str]:
        status, told = caller.get(f"/shares{query}")
        assert status == 200
        return [share["id"] for share in told["shares"]]

    assert ids("") == [third["id"], second["id"], first["id"]]
    assert ids("?state=revoked") == [second["id"]]
    assert ids("?session=s1&state=live") == [third["id"], first["id"]]
    assert ids("?recipient=Acme") == [first["id"]]
    page = caller.get("/shares?limit=2")[1]
    assert page["next"] == second["id"]
    rest = caller.get(f"/shares?limit=2&after={page['next']}")[1]
    assert ([share["id"] for share in rest["shares"]], rest["next"]) == ([first["id"]], None)
    assert caller.get("/shares?limit=0")[0] == 422


@pytest.mark.parametrize(
    ("scope", "method", "path"),
    [
        (Scope.PUBLISH, "POST", "/snapshots"),
        (Scope.PUBLISH, "POST", "/shares"),
        (Scope.PUBLISH, "POST", "/previews"),
        (Scope.READ, "GET", "/shares"),
        (Scope.READ, "GET", "/shares/s-2222222"),
        (Scope.REVOKE, "POST", "/shares/s-2222222/revoke"),
        (Scope.CHANGE, "POST", "/shares/s-2222222/rotate"),
        (Scope.CHANGE, "POST", "/shares/s-2222222/extend"),
    ],
)
def test_a_key_may_do_what_its_scopes_say_and_nothing_else(
    caller_of: MakeCaller, scope: Scope, method: str, path: str
) -> None:
    body: object = {"frozen": "x", "expires_at": None} if path.endswith(("shares", "previews")) else {}
    body = {"expires_at": None} if path.endswith("extend") else body
    if path.endswith(("shares", "previews")):
        body = {"frozen": "x"}
    others = tuple(one for one in Scope if one is not scope)
    status, problem = caller_of("other", scopes=others).ask(method, path, body if method == "POST" else None)
    assert (status, problem["type"]) == (403, "urn:shareview:problem:out-of-scope")
    assert caller_of("own", scopes=(scope,)).ask(method, path, body if method == "POST" else None)[0] != 403


@pytest.mark.parametrize("key", ["", "x", "svk_", "svk_ab_cd", "svk_" + "é" * 9, "Basic eA=="])
def test_without_a_valid_key_nothing_is_told(caller: Caller, key: str) -> None:
    stranger = Caller(key, caller.owner)
    status, problem = stranger.get("/shares")
    assert (status, problem["type"]) == (401, "urn:shareview:problem:no-valid-key")


def test_a_key_that_ended_expired_or_whose_owner_went_is_refused(caller: Caller) -> None:
    assert caller.get("/shares")[0] == 200
    User.objects.update(is_active=False)
    assert caller.get("/shares")[0] == 401
    User.objects.update(is_active=True)
    ApiKey.objects.update(expires_at=NOW)
    assert caller.get("/shares")[0] == 401
    ApiKey.objects.update(expires_at=None)
    assert caller.get("/shares")[0] == 200
    end_api_keys(list(ApiKey.objects.all()), reason="", actor=ACTOR, now=timezone.now())
    assert caller.get("/shares")[0] == 401


def test_a_publisher_sees_own_links_alone_and_an_admin_all(caller_of: MakeCaller) -> None:
    one, other, admin = caller_of("one"), caller_of("other"), caller_of("boss", Role.ADMIN)
    share = one.publish(RECORDS)
    assert other.get("/shares")[1]["shares"] == []
    assert other.get(f"/shares/{share['id']}")[0] == 404
    assert other.post(f"/shares/{share['id']}/revoke", {})[0] == 404
    assert [found["id"] for found in admin.get("/shares")[1]["shares"]] == [share["id"]]
    assert admin.post(f"/shares/{share['id']}/revoke", {})[0] == 200


def test_only_whoever_froze_a_session_can_publish_it(caller_of: MakeCaller) -> None:
    one, other = caller_of("one"), caller_of("other")
    frozen = one.freeze(RECORDS)
    assert other.post("/shares", {"frozen": frozen["frozen"]})[1]["field"] == "frozen"
    # What every reader of its page sees is not enough.
    assert one.post("/shares", {"frozen": frozen["digest"]})[1]["field"] == "frozen"


def test_what_was_erased_cannot_be_published(caller: Caller) -> None:
    frozen = caller.freeze(RECORDS)
    erase_snapshot(Snapshot.objects.get(), reason="x", actor=ACTOR, now=NOW)
    assert caller.post("/shares", {"frozen": frozen["frozen"]})[1]["field"] == "frozen"


@pytest.mark.parametrize(
    ("kind", "value"), [(StopKind.SESSION, "s1"), (StopKind.OWNER, "back-end"), (StopKind.RECIPIENT, "acme")]
)
def test_what_is_stopped_is_not_published(caller: Caller, kind: StopKind, value: str) -> None:
    frozen = caller.freeze(RECORDS)
    stop_everything(kind, value, reason="under review", actor=ACTOR, now=NOW)
    for path in ("/shares", "/previews"):
        status, problem = caller.post(path, {"frozen": frozen["frozen"], "recipients": ["Acme"]})
        assert (status, problem["type"]) == (409, "urn:shareview:problem:stopped")
    if kind is not StopKind.RECIPIENT:
        assert caller.post("/snapshots", jsonl(RECORDS))[0] == 409


HOSTILE = '=cmd|"/c calc"!A1\r\nSet-Cookie: a=b <img src=x onerror=alert(1)>'


def test_hostile_titles_and_recipients_come_back_as_the_text_they_are(caller: Caller, reader: Client) -> None:
    share = caller.publish(RECORDS, title=HOSTILE, recipients=[HOSTILE], watermark=HOSTILE)
    flat = " ".join(HOSTILE.split())
    assert (share["title"], share["recipient"]) == (flat, flat)
    page = reader.get(share["link"].removeprefix("http://testserver"))
    assert b"<img src=x" not in page.content
    assert "Set-Cookie" not in page.headers


def test_a_body_beyond_the_bound_is_refused_before_it_is_read(caller: Caller, settings: LazySettings) -> None:
    settings.SHAREVIEW_UPLOAD_BYTES = 1_000_000
    status, problem = caller.post("/snapshots", b"x" * 1_000_001)
    assert (status, problem["detail"]) == (413, "the body is longer than 1 MB")
    assert caller.post("/shares", {"frozen": "x", "title": "y" * 3_000_000})[0] == 413


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff\xfe", b'"x"', b"null"])
def test_terms_that_are_no_json_object_are_refused(caller: Caller, body: bytes) -> None:
    assert caller.post("/shares", body)[0] in (400, 422)


@pytest.mark.parametrize("path", ["/", "/nothing", "/shares/s-2222222/delete", "/docs"])
def test_an_address_that_the_api_does_not_have_is_a_problem_too(caller: Caller, path: str) -> None:
    assert caller.get(path)[0] == 404


@pytest.mark.parametrize("id", ["s-2222222", "x", "s-aaaaaaa", "%00", "s-2222222%0A", "..%2F.."])
def test_an_unknown_share_is_not_found(caller: Caller, id: str) -> None:
    assert caller.get(f"/shares/{id}")[0] == 404


def test_answers_of_the_api_are_kept_nowhere_and_set_no_cookie(caller: Caller) -> None:
    answer = Client().get("/api/shares", headers={"Authorization": f"Bearer {caller.key}"})
    assert answer["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_whoever_may_only_look_at_shares_of_others_has_no_key_to_them(caller_of: MakeCaller) -> None:
    share = caller_of("one").publish(RECORDS)
    both = caller_of("both")
    both.owner.groups.add(Group.objects.get(name=Role.AUDITOR))
    assert both.get("/shares")[1]["shares"] == []
    assert both.post(f"/shares/{share['id']}/revoke", {})[0] == 404


@pytest.mark.parametrize("query", ["hide_messages=4", "redcat=1", "REDACT=1"])
def test_an_option_that_there_is_none_of_stops_the_freeze(caller: Caller, query: str) -> None:
    status, problem = caller.post(f"/snapshots?{query}", jsonl(RECORDS))
    assert (status, problem["field"]) == (422, query.partition("=")[0])
    assert not Snapshot.objects.exists()


@pytest.mark.parametrize("name", [" ", "\u200b", "\t"])
def test_a_name_that_nobody_sees_is_no_recipient(caller: Caller, name: str) -> None:
    assert caller.post("/shares", {"frozen": caller.freeze(RECORDS)["frozen"], "recipients": [name]})[0] == 422


def test_a_link_cannot_be_moved_into_the_past(caller: Caller) -> None:
    share = caller.publish(RECORDS, starts_at="2020-01-01T00:00:00Z")
    assert caller.post(f"/shares/{share['id']}/extend", {"expires_at": "2021-01-01T00:00:00Z"})[0] == 422


def test_what_was_erased_is_not_answered_again_and_nothing_of_it_is_kept(caller: Caller) -> None:
    body = jsonl(turn("A[^1^]."))
    assert caller.post("/snapshots", body, Idempotency_Key="a")[0] == 201
    status, again = caller.post("/snapshots", body, Idempotency_Key="a")
    assert (status, again["notices"]) == (200, [])
    erase_snapshot(Snapshot.objects.get(), reason="x", actor=ACTOR, now=NOW)
    assert not IdempotentCall.objects.exists()


def test_links_that_were_erased_are_gone_for_whoever_asks_again(caller: Caller) -> None:
    terms = {"frozen": caller.freeze(RECORDS)["frozen"]}
    assert caller.post("/shares", terms, Idempotency_Key="b")[0] == 201
    erase_snapshot(Snapshot.objects.get(), reason="x", actor=ACTOR, now=timezone.now())
    assert caller.post("/shares", terms, Idempotency_Key="b")[0] == 410


def test_another_request_under_the_same_idempotency_key_is_refused(caller: Caller) -> None:
    share = caller.publish(RECORDS)
    assert caller.post(f"/shares/{share['id']}/rotate", {}, Idempotency_Key="c")[0] == 200
    status, problem = caller.post(f"/shares/{share['id']}/revoke", {}, Idempotency_Key="c")
    assert (status, problem["type"]) == (422, "urn:shareview:problem:other-request")


def test_a_handle_is_good_for_a_day(caller: Caller) -> None:
    caller.freeze(RECORDS)
    snapshot, now = Snapshot.objects.get(), timezone.now()
    handle = frozen_handle(snapshot, caller.owner, now=now)
    assert snapshot_of_handle(handle, caller.owner, now=now + timedelta(hours=23)) == snapshot
    with pytest.raises(HandleError):
        snapshot_of_handle(handle, caller.owner, now=now + timedelta(hours=24))
