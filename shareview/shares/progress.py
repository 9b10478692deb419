"""Progress bars of long commands."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from tqdm import tqdm

from shareview.snapshots.freezing import Progress


class SupportsWrite(Protocol):
    """A text stream, as a command's ``stderr`` is."""

    def write(self, text: str, /) -> object:
        """Writes ``text``."""
        ...

    def flush(self) -> None:
        """Brings out what was written."""
        ...

    def isatty(self) -> bool:
        """Whether a person watches."""
        ...


@contextmanager
def progress_bar(label: str, stream: SupportsWrite) -> Iterator[Progress]:
    """A bar on ``stream`` where that is a terminal; gives what is told of each step."""
    with tqdm(desc=label, file=stream, unit=" messages", leave=False, disable=not stream.isatty()) as bar:

        def report(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield report
