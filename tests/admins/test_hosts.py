"""The admin on a host of its own."""

import pytest
from django.conf import LazySettings
from django.test import Client
from sessions import PublishRecords

from shareview.shares.models import Share


@pytest.fixture
def share(publish: PublishRecords, settings: LazySettings) -> Share:
    settings.SHAREVIEW_ADMIN_HOST = "admin.example.org"
    settings.ALLOWED_HOSTS = ["share.example.org", "admin.example.org"]
    return publish("battery.en.jsonl")


@pytest.mark.parametrize(
    ("host", "address", "status"),
    [
        ("share.example.org", "/s/{}/", 200),
        ("share.example.org", "/admin/login/", 404),
        ("share.example.org", "/admin/", 404),
        ("admin.example.org", "/admin/login/", 200),
        ("admin.example.org", "/s/{}/", 404),
        ("admin.example.org", "/embed/{}/", 404),
        ("admin.example.org", "/healthz", 200),
        ("share.example.org", "/healthz", 200),
    ],
)
def test_each_host_has_its_own(reader: Client, share: Share, host: str, address: str, status: int) -> None:
    assert reader.get(address.format(share.token()), headers={"host": host}).status_code == status


def test_without_a_host_of_its_own_the_admin_is_beside_the_shares(reader: Client, db: None) -> None:
    assert reader.get("/admin/login/").status_code == 200
