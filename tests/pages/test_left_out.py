"""A page says at its place, and counted at its head, what its publisher left out; and no address tells it."""

from xml.etree.ElementTree import Element

import pytest
from django.test import Client
from page_reading import by_class, by_id, page_of, text
from sessions import PublishRecords, sample_records, turn

from shareview.admins.proof import addresses_of
from shareview.leaks.handling import LeakHandling
from shareview.shares.models import Share
from shareview.snapshots.hiding import Hiding
from shareview.snapshots.withholding import Withholding

KEY = "ghp_" + "aB3dE6gH9" * 4
HIDE_ALL = Withholding(Hiding(reasoning=True, tools=True))


def notices(tree: Element) -> list[str]:
    """What is said of what was left out, in order."""
    return [text(one) for one in by_class(tree, "notice") if one.get("data-kind") == "left-out"]


def everything_of(client: Client, share: Share) -> str:
    """What every address of a share answers, as a page and as a part of one."""
    paths = [path for kind in addresses_of(share) for path in kind.paths]
    asked = [client.get(path, headers=headers) for path in paths for headers in ({}, {"HX-Request": "true"})]
    assert sum(answer.status_code == 200 for answer in asked) > 10
    return "".join(answer.content.decode(errors="replace") for answer in asked)


def test_a_page_counts_what_was_left_out(publish: PublishRecords, reader: Client) -> None:
    records = [*turn("One[^1^].", reasoning="Hm."), *turn("Two.", first=5)]
    share = publish(records, withholding=Withholding(Hiding(reasoning=True, tools=True, messages=frozenset({"8"}))))
    page = page_of(reader, share)
    assert text(by_class(page, "left-out")[0]) == (
        "1 message left out, 2 tool results left out, reasoning of 1 message left out by whoever shared this"
    )


def test_a_page_says_at_its_place_what_was_left_out(publish: PublishRecords, reader: Client) -> None:
    records = [*turn("One[^1^].", reasoning="Hm."), *turn("Two.", first=5)]
    share = publish(records, withholding=Withholding(Hiding(reasoning=True, tools=True, messages=frozenset({"8"}))))
    page = page_of(reader, share, "?open=all")
    assert notices(by_id(page, "m-8")) == ["This message was left out."]
    assert notices(by_id(page, "m-4")) == ["The reasoning was left out."]
    assert notices(by_id(page, "m-3")) == ["This result was left out."]
    assert notices(by_id(page, "m-2")) == ["What the tool was given was left out.", "This result was left out."]
    assert [text(one) for one in by_id(page, "m-3").iter("a")] == ["One"]


def test_a_question_with_a_file_alone_says_that_it_was_left_out(publish: PublishRecords, reader: Client) -> None:
    records = turn("One.")
    records[0] |= {"content": "", "metadata": {"attachments": [{"name": "plan.pdf"}]}}
    page = page_of(reader, publish(records, withholding=Withholding(Hiding(messages=frozenset({"1"})))))
    assert notices(by_id(page, "m-1")) == ["This message was left out."]


def test_a_whole_conversation_says_nothing_of_the_kind(publish: PublishRecords, reader: Client) -> None:
    assert "left-out" not in reader.get(f"/s/{publish(turn('One[^1^].')).token()}/").content.decode()


def test_evidence_without_its_words_says_so(publish: PublishRecords, reader: Client) -> None:
    share = publish(sample_records("claims.zh.jsonl"), withholding=HIDE_ALL)
    said = everything_of(reader, share)
    assert "The words of this evidence were left out." in said
    assert "Participants did not need to read shell commands" not in said


def test_no_address_tells_what_was_left_out(publish: PublishRecords, reader: Client) -> None:
    results = [{"title": "Secret title", "url": "https://a.example/", "content": "Secret passage."}]
    share = publish(turn("One.", results=results, reasoning="Secret thought."), withholding=HIDE_ALL)
    assert "Secret" not in everything_of(reader, share)


def test_no_address_tells_what_was_taken_out(publish: PublishRecords, reader: Client) -> None:
    results = [{"title": KEY, "url": f"https://a.example/{KEY}", "content": f"Key {KEY} here."}]
    share = publish(
        turn(f"Key {KEY} here[^1^].", results=results, reasoning=KEY),
        withholding=Withholding(leaks=LeakHandling(redact=True)),
    )
    said = everything_of(reader, share)
    assert KEY[4:] not in said
    assert "[redacted: " in said


@pytest.mark.parametrize("ending", ["md", "txt"])
def test_an_export_says_that_a_message_was_left_out(publish: PublishRecords, reader: Client, ending: str) -> None:
    share = publish(turn("One."), withholding=Withholding(Hiding(messages=frozenset({"4"}))))
    assert "[This message was left out" in reader.get(f"/s/{share.token()}/export.{ending}").content.decode()
