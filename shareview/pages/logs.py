"""Logs without tokens: whoever reads a log must not be able to read a share."""

import logging
import re

_TOKEN = re.compile(r"(/(?:s|embed|preview|admin/try)/)[^/\s?]+")


def without_tokens(text: str) -> str:
    """``text`` with the token of each share address taken out."""
    return _TOKEN.sub(r"\1…", text)


class RedactTokens(logging.Filter):
    """Takes tokens out of messages and their arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = without_tokens(str(record.msg))
        if isinstance(record.args, tuple):
            record.args = tuple(without_tokens(arg) if isinstance(arg, str) else arg for arg in record.args)
        return True
