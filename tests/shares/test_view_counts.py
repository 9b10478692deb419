"""Views: counted beside the answers, written now and then, readers and crawlers apart."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from browser_site import environment
from django.db import DatabaseError
from django.test import Client
from machines import Machine
from sessions import NOW, PublishRecords, sample

from shareview.shares.models import Share, ViewDay
from shareview.shares.view_counts import VIEWS, ViewCounter, is_no_reader, views_by_day

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
SLACK = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"


@pytest.fixture
def battery(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl")


def counted() -> tuple[int, int]:
    VIEWS.write()
    share = Share.objects.get()
    return share.views, share.crawler_views


@pytest.mark.parametrize(
    "agent", [SLACK, "WhatsApp/2.23", "facebookexternalhit/1.1", "Googlebot/2.1", "curl/8.5.0", "python-requests/2", ""]
)
def test_crawlers_previewers_and_programs_are_no_readers(agent: str) -> None:
    assert is_no_reader(agent)


def test_a_browser_is_a_reader() -> None:
    assert not is_no_reader(CHROME)


def test_readers_and_crawlers_are_counted_apart(battery: Share) -> None:
    for agent in (CHROME, CHROME, SLACK):
        Client(headers={"user-agent": agent}).get(f"/s/{battery.token()}/")
    assert counted() == (2, 1)
    day = ViewDay.objects.get()
    assert (day.views, day.crawler_views) == (2, 1)


@pytest.mark.parametrize(
    "asked",
    [
        {"HX-Request": "true"},
        {"Sec-Purpose": "prefetch;prerender"},
        {"Sec-Fetch-Site": "same-origin"},
    ],
    ids=["a part", "before anybody asks", "from the page itself"],
)
def test_what_is_not_opening_the_share_is_no_view(battery: Share, asked: dict[str, str]) -> None:
    Client(headers={"user-agent": CHROME}).get(f"/s/{battery.token()}/", headers=asked)
    assert counted() == (0, 0)


def test_reading_asks_the_database_for_no_change(battery: Share) -> None:
    Client(headers={"user-agent": CHROME}).get(f"/s/{battery.token()}/")
    assert Share.objects.get().views == 0
    assert counted() == (1, 0)


def test_the_last_view_is_the_newest_whatever_is_written_first(battery: Share) -> None:
    late, early = ViewCounter(), ViewCounter()
    late.count(battery.pk, now=NOW + timedelta(hours=2), is_crawler=False)
    early.count(battery.pk, now=NOW, is_crawler=False)
    early.count(battery.pk, now=NOW + timedelta(hours=3), is_crawler=True)
    late.write()
    early.write()
    assert Share.objects.get().last_viewed_at == NOW + timedelta(hours=2)


def test_views_of_two_processes_on_one_day_add_up(battery: Share) -> None:
    for _process in range(2):
        counter = ViewCounter()
        for _view in range(3):
            counter.count(battery.pk, now=NOW, is_crawler=False)
        counter.write()
        counter.write()
    assert ViewDay.objects.get().views == 6
    assert Share.objects.get().views == 6


def test_what_cannot_be_written_now_is_written_later(battery: Share, monkeypatch: pytest.MonkeyPatch) -> None:
    counter = ViewCounter()
    counter.count(battery.pk, now=NOW, is_crawler=False)

    def refuse(*args: object) -> None:
        raise DatabaseError

    with monkeypatch.context() as broken:
        broken.setattr("shareview.shares.view_counts._write", refuse)
        counter.write()
    counter.count(battery.pk, now=NOW, is_crawler=False)
    counter.write()
    assert Share.objects.get().views == 2


@pytest.mark.django_db
def test_views_of_a_share_that_is_gone_are_forgotten() -> None:
    counter = ViewCounter()
    counter.count(12345, now=NOW, is_crawler=False)
    counter.write()
    assert ViewDay.objects.count() == 0


def test_days_without_a_view_are_days_too() -> None:
    days = views_by_day([ViewDay(day=date(2026, 1, 3), views=4)], date(2026, 1, 5), 4)
    assert [(day.day.day, day.views) for day in days] == [(2, 0), (3, 4), (4, 0), (5, 0)]


ENDS_AT_ONCE = """
import json, multiprocessing
from django.db import connection
from django.utils import timezone
from shareview.shares.models import Share
from shareview.shares.view_counts import VIEWS
VIEWS.write_every(3600)
share = Share.objects.get().pk
connection.close()
worker = multiprocessing.get_context("fork").Process(
    target=lambda: VIEWS.count(share, now=timezone.now(), is_crawler=False)
)
worker.start()
worker.join()
print(json.dumps(Share.objects.get().views))
"""


def test_a_server_process_that_ends_writes_what_it_counted(tmp_path: Path, database: str) -> None:
    variables = environment(tmp_path, "http://127.0.0.1:8000") | ({"DATABASE_URL": database} if database else {})
    site = Machine(variables, tmp_path)
    site.manage("migrate", "--verbosity", "0")
    site.publish(sample("battery.en.jsonl"))
    assert site.ask(ENDS_AT_ONCE) == 1
