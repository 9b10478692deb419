"""Which sources stand behind an answer: the tool results of its turn, gathered as the messages come."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from shareview.chat.messages import HiddenPart, Message, Role
from shareview.citations.registry import COUNTED_TOOLS, Registry, retrieved_pages


@dataclass
class TurnSources:
    """Follows one thread message by message; of the current turn: its registry and results."""

    registry: Registry = field(default_factory=Registry)
    results: list[str] = field(default_factory=list)
    _tools: dict[str, str] = field(default_factory=dict)

    def addresses_in(self, message: Message) -> Iterator[str]:
        """The addresses in a tool's result, if it is one that counts."""
        tool = self._tools.get(message.tool_call_id, "")
        if message.role is Role.TOOL and tool in COUNTED_TOOLS and HiddenPart.CONTENT not in message.hidden:
            yield from (page.url for page in retrieved_pages(tool, message.content))

    def take(self, message: Message) -> bool:
        """Takes in the next message of the thread; False for a tool result that answers no call of its turn."""
        if message.role is Role.USER:
            self.registry, self._tools, self.results = Registry(), {}, []
        for call in message.tool_calls:
            self._tools[call.id] = call.name
        if message.role is not Role.TOOL:
            return True
        is_left_out = HiddenPart.CONTENT in message.hidden
        if not is_left_out:
            self.results.append(message.content)
        tool = self._tools.get(message.tool_call_id, "")
        self.registry.add_result(tool, message.content, is_left_out=is_left_out)
        return message.tool_call_id in self._tools
