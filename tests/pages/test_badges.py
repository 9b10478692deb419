"""Badges and titles of sources, made here."""

import pytest

from shareview.pages.badges import badge_of, registrable_domain, source_title


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("help.kjt-example.gov.cn", "kjt-example.gov.cn"),
        ("a.b.example.com", "example.com"),
        ("bbc.co.uk", "bbc.co.uk"),
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
    ],
)
def test_the_owners_part_of_a_host_is_found(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain


def test_hosts_of_one_owner_have_one_letter_and_one_hue() -> None:
    one, two = badge_of("https://www.kjt-example.gov.cn/a"), badge_of("https://help.kjt-example.gov.cn/b")
    assert (one.host, one.letter) == ("kjt-example.gov.cn", "K")
    assert (one.letter, one.hue) == (two.letter, two.hue)


def test_a_title_of_sixty_characters_is_whole_and_a_longer_one_is_cut() -> None:
    assert source_title("x" * 60, "https://a.example/") == "x" * 60
    assert source_title("x" * 61, "https://a.example/") == "x" * 60 + "…"


def test_a_title_cannot_turn_its_line_around() -> None:
    assert source_title("safe\u202egnp.exe", "https://a.example/") == "safegnp.exe"
