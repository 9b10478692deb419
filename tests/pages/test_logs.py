"""No token stands in a log."""

import logging

import pytest
from django.conf import settings
from django.test import Client
from sessions import PublishRecords

from shareview.pages.logs import RedactTokens


def test_a_broken_page_is_logged_without_its_token(
    publish: PublishRecords, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*args: object) -> None:
        raise RuntimeError("broken on purpose")

    share = publish("battery.en.jsonl")
    monkeypatch.setattr("shareview.pages.compositions.conversation", break_down)
    caplog.handler.addFilter(RedactTokens())
    logging.getLogger("django.request").addHandler(caplog.handler)
    answer = Client(raise_request_exception=False).get(f"/s/{share.token()}/")
    logging.getLogger("django.request").removeHandler(caplog.handler)
    assert answer.status_code == 500
    assert "Internal Server Error: /s/…/" in caplog.text
    assert share.token() not in caplog.text


def test_every_handler_of_the_site_takes_tokens_out() -> None:
    handlers: dict[str, dict[str, object]] = settings.LOGGING["handlers"]
    assert all(handler["filters"] == ["redact_tokens"] for handler in handlers.values())
