"""How often shares are opened: counted in memory beside the answers, written now and then (surface, "views").

What was not written yet is lost when the process dies. Nothing is kept of who it was.
"""

import logging
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from multiprocessing.util import Finalize

from crawleruseragents import is_crawler
from django.db import DatabaseError, IntegrityError, connection
from django.db.models import F
from django.db.models.functions import Coalesce, Greatest

from shareview.shares.models import Share, ViewDay

_LOG = logging.getLogger(__name__)


@lru_cache(maxsize=2_000)
def is_no_reader(user_agent: str) -> bool:
    """Whether a crawler, a link previewer or a program asks; one that does not say what it is counts as such."""
    return not user_agent or is_crawler(user_agent, case_sensitive=False)


@dataclass
class _Count:
    views: int = 0
    crawler_views: int = 0
    last_viewed_at: datetime | None = None

    def add(self, other: "_Count") -> None:
        self.views += other.views
        self.crawler_views += other.crawler_views
        self.last_viewed_at = max(filter(None, (self.last_viewed_at, other.last_viewed_at)), default=None)


class ViewCounter:
    """Views that were not written yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[int, date], _Count] = {}
        self._seconds = 0.0
        self._writer_of = 0

    def count(self, share: int, *, now: datetime, is_crawler: bool) -> None:
        """One view of the share with this key."""
        key = (share, now.date())
        with self._lock:
            count = self._counts.get(key)
            if count is None:
                count = self._counts[key] = _Count()
            if is_crawler:
                count.crawler_views += 1
            else:
                count.views += 1
                count.last_viewed_at = now if count.last_viewed_at is None else max(now, count.last_viewed_at)
        if self._seconds and self._writer_of != os.getpid():
            self._start_writer()

    def write(self) -> None:
        """Puts what was counted into the database; what cannot be written now waits for the next time."""
        with self._lock:
            counts, self._counts = self._counts, {}
        # Each in a transaction of its own: nobody who changes shares ever waits for two of them.
        for key, count in sorted(counts.items(), key=lambda item: item[0]):
            try:
                _write(*key, count)
            except DatabaseError:
                _LOG.exception("views of a share could not be written; they wait for the next time")
                with self._lock:
                    self._counts.setdefault(key, _Count()).add(count)

    def forget(self) -> None:
        """Drops what was not written yet."""
        with self._lock:
            self._counts = {}

    def write_every(self, seconds: float) -> None:
        """From the first view on, has a thread of each process write; and once more at the process's end."""
        self._seconds = seconds

    def _start_writer(self) -> None:
        with self._lock:
            # After a fork there is no thread any more.
            if self._writer_of == os.getpid():
                return
            self._writer_of = os.getpid()
        threading.Thread(target=self._write_for_ever, name="views", daemon=True).start()
        # What a server starts by multiprocessing ends without atexit; this runs there too.
        Finalize(None, self.write, exitpriority=0)

    def _write_for_ever(self) -> None:
        while True:
            time.sleep(self._seconds)
            self.write()
            connection.close()


def _write(share: int, day: date, count: _Count) -> None:
    found = Share.objects.filter(pk=share)
    if count.last_viewed_at is not None:
        newest = Greatest(Coalesce("last_viewed_at", count.last_viewed_at), count.last_viewed_at)
        found.update(last_viewed_at=newest)
    # A share that was erased meanwhile has no views.
    if not found.update(views=F("views") + count.views, crawler_views=F("crawler_views") + count.crawler_views):
        return
    days = ViewDay.objects.filter(share=share, day=day)
    more = {"views": F("views") + count.views, "crawler_views": F("crawler_views") + count.crawler_views}
    if days.update(**more):
        return
    try:
        ViewDay.objects.create(share_id=share, day=day, views=count.views, crawler_views=count.crawler_views)
    except IntegrityError:
        days.update(**more)  # Another process wrote the day's first view.


VIEWS = ViewCounter()
"""The views of this process."""


def views_by_day(days: Iterable[ViewDay], last: date, count: int) -> list[ViewDay]:
    """The ``count`` days up to ``last``, those without a view too."""
    found = {day.day: day for day in days}
    wanted = (date.fromordinal(last.toordinal() - back) for back in range(count - 1, -1, -1))
    return [found.get(day) or ViewDay(day=day) for day in wanted]
