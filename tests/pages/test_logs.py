"""No token stands in a log."""

import json
import logging
import re
import sys
import time

import pytest
from django.conf import settings
from django.test import Client
from sessions import PublishRecords

from shareview.pages.logs import JsonLines, PlainLines, RedactSecrets, without_secrets


def test_a_broken_page_is_logged_without_its_token(
    publish: PublishRecords, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*args: object) -> None:
        raise RuntimeError("broken on purpose")

    share = publish("battery.en.jsonl")
    monkeypatch.setattr("shareview.pages.compositions.conversation", break_down)
    caplog.handler.addFilter(RedactSecrets())
    logging.getLogger("django.request").addHandler(caplog.handler)
    answer = Client(raise_request_exception=False).get(f"/s/{share.token()}/")
    logging.getLogger("django.request").removeHandler(caplog.handler)
    assert answer.status_code == 500
    assert "Internal Server Error: /s/…/" in caplog.text
    assert share.token() not in caplog.text


def test_every_handler_of_the_site_takes_tokens_out() -> None:
    handlers: dict[str, dict[str, object]] = settings.LOGGING["handlers"]
    assert all(handler["filters"] == ["redact_secrets"] for handler in handlers.values())


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("GET /s/AbCd123/m/4/", "GET /s/…/m/4/"),
        ("GET /oembed?url=https%3A%2F%2Fx.example%2Fs%2FAbCd123%2F&format=json", "%2Fs%2F…%2F&format=json"),
        ("/embed/AbCd123?ticket=abc:def&theme=dark", "/embed/…?ticket=…&theme=dark"),
        ("Authorization: Bearer svk_abc.DEF-123", "Authorization: Bearer …"),
        ("the key svk_abcDEF123 is new", "the key svk_… is new"),
        ("password=open+sesame&key=123", "password=…&key=…"),
        ("unlock(password='open, sesame')", "unlock(password=…)"),
        ('{"password": "open sesame", "n": 1}', '{"password": "…", "n": 1}'),
        ("{'key': 'svk abc DEF'}", "{'key': '…'}"),
    ],
)
def test_no_secret_of_any_kind_is_written(said: str, written: str) -> None:
    assert written in without_secrets(said)
    assert not re.search("AbCd123|abc:def|abc.?DEF|sesame", without_secrets(said))


@pytest.mark.parametrize("formatter", [PlainLines(), JsonLines()], ids=["text", "json"])
def test_a_traceback_is_written_without_its_secrets(formatter: logging.Formatter) -> None:
    try:
        raise RuntimeError('no answer of "/s/AbCd123/"')
    except RuntimeError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "broke at %s", ("/s/AbCd123/",), sys.exc_info())
    line = formatter.format(record)
    assert "RuntimeError" in line
    assert "/s/…/" in line
    assert "AbCd123" not in line


def test_a_line_of_json_says_when_what_and_how_grave() -> None:
    record = logging.LogRecord("shareview.x", logging.WARNING, "f", 1, "比\n%s", ("two",), None)
    record.created = 1_800_000_000.0
    line = JsonLines().format(record)
    assert "\n" not in line
    assert json.loads(line) == {
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(1_800_000_000)),
        "level": "WARNING",
        "logger": "shareview.x",
        "message": "比\ntwo",
    }
