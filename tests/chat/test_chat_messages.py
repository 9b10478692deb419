"""The outline of a message: all but its texts."""

from datetime import UTC, datetime

import pytest

from shareview.chat.messages import Message, MessageOutline, Role, Status, ToolCall


def test_an_outline_keeps_what_turns_are_found_by() -> None:
    message = Message(
        id="m2",
        thread="A",
        role=Role.ASSISTANT,
        content="Because.",
        tool_calls=(ToolCall("c1", "web_search", "{}"), ToolCall("c2", "open_web_page", "{}")),
        created_at=datetime(2026, 10, 12, tzinfo=UTC),
        status=Status.FAILED,
        replaces="m1",
    )
    assert message.outline() == MessageOutline(
        id="m2",
        thread="A",
        role=Role.ASSISTANT,
        status=Status.FAILED,
        says_something=True,
        calls=(("c1", "web_search"), ("c2", "open_web_page")),
        replaces="m1",
        created_at=datetime(2026, 10, 12, tzinfo=UTC),
    )


@pytest.mark.parametrize("content", ["", " ", "\n\t\u3000"])
def test_white_space_says_nothing(content: str) -> None:
    assert Message("1", "main", Role.ASSISTANT, content).outline().says_something is False
