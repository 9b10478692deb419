"""Logs without secrets: whoever reads a log must not be able to read a share, nor publish one."""

import logging
import re
from typing import Final

from pythonjsonlogger.json import JsonFormatter

_SECRETS: Final = (
    # The token of a share's address; in an address within an address too.
    (re.compile(r"""((?:/|%2F)(?:s|embed|preview|admin(?:/|%2F)try)(?:/|%2F))[^/\s?&%"'\\]+"""), r"\1…"),
    (re.compile(r"""\b(key|ticket|password|frozen|try)=(?:"[^"]*"|'[^']*'|[^&\s"'\\]+)"""), r"\1=…"),
    (re.compile(r"""(\\?["'](?:key|password)\\?["']: \\?["'])[^"'\\]+"""), r"\1…"),
    (re.compile(r"\bsvk_[A-Za-z0-9_-]+"), "svk_…"),
    (re.compile(r"""(Bearer\s+)[^\s"'\\]+"""), r"\1…"),
)


def without_secrets(text: str) -> str:
    """``text`` without tokens of shares, passwords, and keys."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


class RedactSecrets(logging.Filter):
    """Takes secrets out of messages and their arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = without_secrets(str(record.msg))
        if isinstance(record.args, tuple):
            record.args = tuple(without_secrets(arg) if isinstance(arg, str) else arg for arg in record.args)
        return True


class PlainLines(logging.Formatter):
    """Lines for people, tracebacks and all, without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(JsonFormatter):
    """One JSON object a line, tracebacks and all, without secrets."""

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s %(levelname)s %(name)s %(message)s",
            rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
            datefmt="%Y-%m-%dT%H:%M:%S%z",
            json_ensure_ascii=False,
        )

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))
