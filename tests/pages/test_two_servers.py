"""Servers that share nothing but a database (and Redis): what one does, all others know on their next request."""

import json

from machines import HOST, Machine, Server
from sessions import sample

BROWSER = {"Accept-Encoding": "br, gzip", "Accept-Language": "en"}
PARTS = ["", "?open=all", "?cite=4.1", "m/4/sources/", "m/4/answer.md", "export.jsonl", "export.md", "preview.png"]


def path_of(link: str) -> str:
    return link.removeprefix(f"http://{HOST}")


def every_way(server: Server, path: str, tag: str) -> list[int]:
    """What is answered as a page, whose copy a browser has, for its head, as a part, and without compression."""
    return [
        server.ask(path, headers=BROWSER).status,
        server.ask(path, headers={**BROWSER, "If-None-Match": tag}).status,
        server.ask(path, "HEAD", headers=BROWSER).status,
        server.ask(path, headers={**BROWSER, "HX-Request": "true"}).status,
        server.ask(path).status,
    ]


def test_what_one_server_revokes_is_gone_at_the_other_on_the_next_request(serving_machine: Machine) -> None:
    link = serving_machine.publish(sample("battery.en.jsonl"), "--embed", "https://blog.example.org")
    doors = [path_of(link), path_of(link).replace("/s/", "/embed/")]
    places = [door + part for door in doors for part in PARTS if not (door == doors[1] and part == "preview.png")]
    key = admin_key(serving_machine)
    with serving_machine.serving(workers=2) as one, serving_machine.serving(workers=2) as other:
        tags = {place: other.ask(place, headers=BROWSER).headers["etag"] for place in places}
        for _ in range(3):
            for place in places:
                assert {one.ask(place, headers=BROWSER).status, other.ask(place, headers=BROWSER).status} == {200}
        page = other.ask(doors[0], headers=BROWSER)
        assert page.headers["content-encoding"] == "br"
        again = other.ask(doors[0], headers={**BROWSER, "If-None-Match": page.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        asked = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        shares = json.loads(one.ask("/api/shares", headers=asked).body)["shares"]
        done = one.ask(f"/api/shares/{shares[0]['id']}/revoke", "POST", b'{"reason": "over"}', asked)
        assert done.status == 200, done.body
        for place in places:
            assert every_way(other, place, tags[place]) == [410] * 5, place
        assert other.ask(doors[0], headers={**BROWSER, "If-None-Match": page.headers["etag"]}).status == 410


def admin_key(machine: Machine) -> str:
    """A key of the API that may read and revoke all links."""
    make = (
        "from django.contrib.auth.models import User; "
        "User.objects.create_superuser('admin', password='correct horse'); print('null')"
    )
    machine.ask(make)
    return machine.manage("make_api_key", "admin", "--scope", "read", "--scope", "revoke").strip().splitlines()[-1]


def test_tries_of_a_password_are_counted_over_all_servers(serving_machine: Machine, redis: str) -> None:
    link = serving_machine.publish(sample("battery.en.jsonl"))
    change = (
        "from shareview.shares.models import Share; from shareview.shares.terms import change_password; "
        "from shareview.shares.actors import Actor; from django.utils import timezone; "
        "change_password(Share.objects.all(), 'open sesame', reason='', actor=Actor('a', '-'), now=timezone.now()); "
        "print('null')"
    )
    serving_machine.ask(change)
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{HOST}"}
    with serving_machine.serving(CACHE_URL=redis) as one, serving_machine.serving(CACHE_URL=redis) as other:
        statuses = [
            (one, other)[number % 2].ask(path_of(link), "POST", b"password=wrong", form).status for number in range(12)
        ]
    assert statuses == [401] * 10 + [429] * 2


def test_a_server_whose_redis_has_gone_serves_on_and_says_so(serving_machine: Machine) -> None:
    link = serving_machine.publish(sample("battery.en.jsonl"))
    with serving_machine.serving(CACHE_URL="redis://127.0.0.1:1/0") as server:
        assert server.ask(path_of(link), headers=BROWSER).status == 200
        assert server.ask("/s/unknown/", headers=BROWSER).status == 404
        assert b"the shared cache does not answer" in server.ask("/healthz").body


def test_static_files_may_be_kept_for_ever_and_no_answer_of_a_share_by_anybody(serving_machine: Machine) -> None:
    link = serving_machine.publish(sample("battery.en.jsonl"))
    with serving_machine.serving() as server:
        page = server.ask(path_of(link))
        assets = [part.split('"')[0] for part in page.body.decode().split('="')[1:] if part.startswith("/static/")]
        assert len(assets) >= 2
        for asset in assets:
            kept = server.ask(asset, headers={"Accept-Encoding": "br"})
            assert (kept.status, kept.headers["content-encoding"]) == (200, "br"), asset
            assert kept.headers["cache-control"] == "max-age=315360000, public, immutable"
        for place in [path_of(link) + part for part in PARTS] + ["/s/unknown/", path_of(link) + "nothing"]:
            for tag in ("", "*"):
                said = server.ask(place, headers={**BROWSER, "If-None-Match": tag}).headers["cache-control"]
                assert said in ("private, no-cache", "no-store"), place


def test_what_is_measured_is_added_up_over_all_processes_of_a_server(serving_machine: Machine) -> None:
    link = serving_machine.publish(sample("battery.en.jsonl"))
    token = "t" * 20
    with serving_machine.serving(workers=2, SHAREVIEW_METRICS_TOKEN=token) as server:
        for _ in range(40):
            assert server.ask(path_of(link), headers=BROWSER).status == 200
        assert server.ask("/metrics").status == 404
        assert server.ask("/metrics", headers={"Authorization": "Bearer " + "x" * 20}).status == 404
        figures = server.ask("/metrics", headers={"Authorization": f"Bearer {token}"}).body.decode()
    lines = figures.splitlines()
    assert 'shareview_answers_total{kind="share",status="200"} 40.0' in lines
    assert 'shareview_answer_seconds_count{kind="share"} 40.0' in lines
    assert 'shareview_shares{state="live"} 1.0' in lines
    assert 'shareview_acts{action="publish"} 1.0' in lines
    assert "shareview_annotations_waiting 0.0" in lines
    assert path_of(link).split("/")[2] not in figures


def test_a_log_of_json_has_a_line_an_answer_and_no_token(serving_machine: Machine) -> None:
    link = serving_machine.publish(sample("battery.en.jsonl"))
    token = path_of(link).split("/")[2]
    with serving_machine.serving(SHAREVIEW_LOG="json") as server:
        for place in (path_of(link), f"{path_of(link)}m/4/sources/?key=abc", "/s/unknown-one/"):
            server.ask(place, headers=BROWSER)
        lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
        written = server.log.read_text()
    said = [(line["status"], line["path"]) for line in lines if line["path"] != "/healthz"]
    assert said == [(200, "/s/…/"), (200, "/s/…/m/4/sources/"), (404, "/s/…/")]
    assert {"time", "level", "logger", "method", "ms"} <= set(lines[0])
    assert token not in written
    assert "unknown-one" not in written
