"""Progress bars of long commands."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tqdm import tqdm

from shareview.snapshots.freezing import Progress


@contextmanager
def progress_bar(label: str, stream: TextIO) -> Iterator[Progress]:
    """A bar on ``stream`` where that is a terminal; gives what is told of each step."""
    with tqdm(desc=label, file=stream, unit=" messages", leave=False, disable=not stream.isatty()) as bar:

        def report(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield report
