"""Personal data in a text: what is found, where its span ends, what is none, and what a hostile text costs."""

import time

import pytest

from shareview.leaks.findings import LeakClass
from shareview.leaks.personal import find_personal

FOUND = {
    "email": ("Write to ", "first.last+news@mail.example.com", ", please."),
    "email in Chinese": ("邮箱：", "li.lei@example.cn", "，或电话"),
    "email in JSON": ('"a\\n', "me@b.example", '\\n"'),
    "email of a link": ("mailto:", "me@a.example", "?subject=x"),
    "email with a marker": ("", "me@a.example", "[^3^]"),
    "phone": ("Call ", "+1 415 555 2671", "."),
    "phone without blanks": ("tel:", "+14155552671", ""),
    "phone in brackets": ("", "+44 20 7946 0958", ")"),
    "phone of a Chinese mobile": ("手机", "13800138000", "。"),
    "phone in groups": ("电话：", "138 0013 8000", "[^1^]"),
    "phone with hyphens": ("电话-", "138-0013-8000", ""),
    "phone with a country and no +": ("", "86-13800138000", ""),
    "phone of the US": ("at ", "(415) 555-2671", " or"),
    "phone of the US with hyphens": ("at ", "415-555-2671", ", or"),
    "phone that costs nothing": ("", "1-800-555-1234", ""),
    "phone in JSON": ('"phone": "', "13800138000", '"'),
    "card": ("card ", "4111 1111 1111 1111", ", 12/30"),
    "card without blanks": ("卡号", "5555555555554444", "。"),
    "card of 15 digits": ("", "3782-822463-10005", ""),
    "card of UnionPay": ("", "6200 0000 0000 0005", ""),
    "iban": ("IBAN ", "DE89 3704 0044 0532 0130 00", " AT THE BANK"),
    "iban without blanks": ("to ", "GB29NWBK60161331926819", "."),
    "iban before a word in capitals": ("", "BE68 5390 0754 7034", " EUR"),
}


def found_in(text: str) -> list[tuple[str, str]]:
    return [(leak.kind, text[leak.start : leak.end]) for leak in find_personal(text)]


@pytest.mark.parametrize("name", FOUND)
def test_a_datum_is_found_and_its_span_covers_it_alone(name: str) -> None:
    before, datum, behind = FOUND[name]
    assert found_in(before + datum + behind) == [(name.split(maxsplit=1)[0], datum)]


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-02 08:00:00", "2024-11-30T12:00:00+0800", "1700000000", "1700000000000", "1700000000000000",
        "v1.38.00138000", "3.13800138000", "Decimal('+35236450.6')", "192.168.100.100", "2024.01.02-13800138000x",
        "order-13800138000", "/items/13800138000", "ab13800138000", "138001380001", "555-123-4567",
        "ISBN 978-3-16-148410-0",
        "4111 1111 1111 1112", '"id": 4111111111111111', "user_id=4111111111111111", "0x4111111111111111",
        "0000 0000 0000 0000", "DE88 3704 0044 0532 0130 00", "XX89370400440532013000", "AB12 CDEF GHIJ KLMN",
        "logo@2x.png", "@types/node@18.0.0", "git@github.com:me/repo.git", "https://user:pass@host.example/", "@name",
        "a@b", "pytest@latest", "me@", "123 456 789 012", "1-2-3-4-5-6-7-8-9-10", "+ 1 = 2", "100 000 000 000",
    ],
)  # fmt: skip
def test_what_only_looks_alike_is_none(text: str) -> None:
    assert found_in(text) == []


def test_data_come_in_ascending_order_with_their_class() -> None:
    leaks = find_personal("13800138000, me@a.example, DE89370400440532013000, 4111111111111111")
    assert [leak.kind for leak in leaks] == ["phone", "email", "iban", "card"]
    assert {leak.of for leak in leaks} == {LeakClass.PERSONAL}


def test_a_number_that_two_rules_take_is_found_once() -> None:
    assert found_in("+86 138 0013 8000") == [("phone", "+86 138 0013 8000")]


def test_more_numbers_than_are_checked_are_found_by_their_form() -> None:
    text = "+14155552671 " * 50_100
    assert len(find_personal(text)) == 50_100


@pytest.mark.parametrize(
    "unit", ["a", "1", "1 ", "1-", "@", "a@", "a@a.", "a@a.aa@", "+1", "+1 (", "DE89 ", "A ", "a."]
)
def test_a_hostile_line_takes_time_in_proportion_to_its_length(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    begun = time.process_time()
    find_personal(text)
    assert time.process_time() - begun < 3
