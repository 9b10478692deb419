"""Whose address counts, behind none, one or two proxies."""

import pytest
from django.conf import LazySettings

from shareview.shares.client_addresses import client_line, read_client_address


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "address"),
    [
        ("192.0.2.9", "", 0, "192.0.2.9"),
        ("192.0.2.9", "203.0.113.5", 0, "192.0.2.9"),
        ("127.0.0.1", "203.0.113.5", 1, "203.0.113.5"),
        ("127.0.0.1", "1.1.1.1, 203.0.113.5", 1, "203.0.113.5"),
        ("127.0.0.1", "1.1.1.1, 203.0.113.5, 10.0.0.2", 2, "203.0.113.5"),
        ("127.0.0.1", "", 1, "127.0.0.1"),
        ("127.0.0.1", "2001:db8::1", 1, "2001:db8::1"),
        ("", "", 0, "0.0.0.0"),
        ("127.0.0.1", "<script>", 1, "0.0.0.0"),
    ],
)
def test_the_address_is_what_our_outermost_proxy_saw(remote: str, forwarded: str, proxies: int, address: str) -> None:
    assert read_client_address(remote, forwarded, proxies) == address


def test_one_line_with_many_addresses_of_ipv6_is_one(settings: LazySettings) -> None:
    settings.SHAREVIEW_PROXIES = 0
    one, same, other = (
        client_line({"REMOTE_ADDR": address})
        for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1")
    )
    assert one == same == "2001:db8:1:2::/64"
    assert other == "2001:db8:1:3::/64"
