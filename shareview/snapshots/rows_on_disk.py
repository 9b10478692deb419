"""Rows that wait in a file for the transaction that writes them, however many there are."""

import pickle
from collections.abc import Iterator
from typing import IO, Generic, TypeVar

Row = TypeVar("Row")


class RowsOnDisk(Generic[Row]):
    """Rows in ``file``, in the order they came."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def append(self, row: Row) -> None:
        """Puts ``row`` behind all others."""
        pickle.dump(row, self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[Row]:
        self._file.seek(0)
        while True:
            try:
                yield pickle.load(self._file)  # noqa: S301 - what this object wrote itself
            except EOFError:
                return
