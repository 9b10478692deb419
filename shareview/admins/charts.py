"""Views by day as drawings: a line for lists, bars for the page of a share."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from shareview.shares.models import ViewDay

LIST_DAYS: Final = 30
PAGE_DAYS: Final = 90
_LINE_HEIGHT: Final = 20
_BAR_HEIGHT: Final = 100
_BAR_WIDTH: Final = 8
_BAR_STEP: Final = 10


@dataclass(frozen=True)
class Sparkline:
    """A line over days: its points in a box of ``width`` by 20; ``total`` is what it sums up to."""

    points: str
    width: int
    total: int


def sparkline(days: Sequence[ViewDay]) -> Sparkline:
    """The readers' views of ``days`` as a line."""
    most = max((day.views for day in days), default=0) or 1
    heights = [round(_LINE_HEIGHT - 1 - (_LINE_HEIGHT - 2) * day.views / most, 1) for day in days]
    points = " ".join(f"{2 * at},{height}" for at, height in enumerate(heights))
    return Sparkline(points, 2 * max(len(days) - 1, 1), sum(day.views for day in days))


@dataclass(frozen=True)
class Bar:
    """One day: readers stand below, crawlers above them."""

    day: date
    views: int
    crawler_views: int
    x: int
    y: float
    height: float
    crawler_y: float
    crawler_height: float


@dataclass(frozen=True)
class ViewChart:
    """Bars in a box of ``width`` by 100; ``most`` is what its height stands for."""

    bars: Sequence[Bar]
    width: int
    most: int
    bar_width: int = _BAR_WIDTH

    @property
    def is_empty(self) -> bool:
        """Whether nobody looked in all those days."""
        return self.most == 0


def view_chart(days: Sequence[ViewDay]) -> ViewChart:
    """The views of ``days`` as bars."""
    most = max((day.views + day.crawler_views for day in days), default=0)
    scale = _BAR_HEIGHT / (most or 1)
    bars = []
    for at, day in enumerate(days):
        height, crawler_height = round(day.views * scale, 1), round(day.crawler_views * scale, 1)
        y = round(_BAR_HEIGHT - height, 1)
        bars.append(
            Bar(
                day.day,
                day.views,
                day.crawler_views,
                at * _BAR_STEP,
                y,
                height,
                round(y - crawler_height, 1),
                crawler_height,
            )
        )
    return ViewChart(bars, len(bars) * _BAR_STEP, most)
