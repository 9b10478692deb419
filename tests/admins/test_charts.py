"""Views by day as drawings."""

from datetime import date

from shareview.admins.charts import sparkline, view_chart
from shareview.shares.models import ViewDay


def days(*counts: tuple[int, int]) -> list[ViewDay]:
    return [
        ViewDay(day=date(2026, 1, 1 + at), views=views, crawler_views=crawlers)
        for at, (views, crawlers) in enumerate(counts)
    ]


def test_a_line_stands_high_on_the_day_with_most_views() -> None:
    line = sparkline(days((0, 5), (9, 0), (18, 0)))
    assert line.points == "0,19.0 2,10.0 4,1.0"
    assert line.total == 27


def test_a_line_without_views_is_flat() -> None:
    assert sparkline(days((0, 0), (0, 0))).points == "0,19.0 2,19.0"


def test_crawlers_stand_on_top_of_readers() -> None:
    chart = view_chart(days((3, 1), (0, 2)))
    assert chart.most == 4
    first, second = chart.bars
    assert (first.y, first.height, first.crawler_y, first.crawler_height) == (25.0, 75.0, 0.0, 25.0)
    assert (second.x, second.crawler_y, second.crawler_height) == (10, 50.0, 50.0)


def test_a_chart_of_nothing_says_so() -> None:
    assert view_chart(days((0, 0))).is_empty
