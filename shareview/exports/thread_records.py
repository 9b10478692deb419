"""Records of threads."""

from typing import Final

from shareview.chat.sessions import Fork, Thread, ThreadState
from shareview.exports.fields import Fields
from shareview.exports.jsonlines import JsonObject
from shareview.exports.limits import DEFAULT_LIMITS, Limits
from shareview.exports.message_records import SELECTOR_FIELDS, read_selector

THREAD_FIELDS: Final = ("kind", "id", "title", "parent", "fork", "state")


def read_thread(fields: Fields) -> Thread:
    """The thread that a record holds. Raises ExportError."""
    fork = fields.item("fork", ("message", "selector"))
    return Thread(
        id=fields.identifier("id"),
        title=fields.text("title", default=""),
        parent=fields.identifier("parent", default="") or None,
        fork=_read_fork(fork) if fork else None,
        state=fields.choice("state", ThreadState, default=ThreadState.ACTIVE),
    )


def _read_fork(fields: Fields) -> Fork:
    selector = fields.item("selector", SELECTOR_FIELDS)
    return Fork(fields.identifier("message"), read_selector(selector) if selector else None)


def thread_of(record: JsonObject, limits: Limits = DEFAULT_LIMITS) -> Thread:
    """The thread that a record already read holds. Raises ExportError where it breaks a rule."""
    return read_thread(Fields.of(record, THREAD_FIELDS, 0, limits))
