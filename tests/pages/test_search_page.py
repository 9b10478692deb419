"""Search in a share: passages that lead to their place, at every door, and nothing that the share does not show."""

import re
from collections.abc import Sequence
from html import unescape
from urllib.parse import quote
from xml.etree.ElementTree import Element

import html5lib
import pytest
from django.test import Client
from page_reading import by_class, by_id, text
from sessions import PublishRecords, Records

from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.snapshots.models import SearchedPiece

QUESTION = {"id": 1, "role": "USER", "content": "Why is a 前缀缓存 fast?"}
ANSWER = {"id": 2, "role": "ASSISTANT", "content": "The **prefix** is kept: <b>safe</b> & sound.\n\n- The prefix ends."}


def tree(response: object) -> Element:
    parsed: Element = html5lib.parse(response.content.decode(), namespaceHTMLElements=False)  # type: ignore[attr-defined]
    return parsed


def search(reader: Client, share: Share, query: str, door: str = "s", more: str = "") -> Element:
    response = reader.get(f"/{door}/{share.token()}/search/?q={quote(query)}{more}")
    assert response.status_code == 200, response.status_code
    return tree(response)


def marks(page: Element) -> list[str]:
    return [text(mark) for words in by_class(page, "words") for mark in words.iter("mark")]


def places(page: Element) -> list[str]:
    return [" ".join(map(text, place)) for place in by_class(page, "place")]


def links(page: Element) -> list[str]:
    return [link.get("href") or "" for words in by_class(page, "words") for link in words.iter("a")]


@pytest.fixture
def share(publish: PublishRecords) -> Share:
    return publish([QUESTION, ANSWER])


def test_found_words_are_marked_where_they_stand(reader: Client, share: Share) -> None:
    page = search(reader, share, "prefix")
    assert places(page) == ["Answer 1"]
    assert [" ".join(text(words).split()) for words in by_class(page, "words")] == [
        "The prefix is kept: safe & sound. The prefix ends."
    ]
    assert marks(page) == ["prefix", "prefix"]


@pytest.mark.parametrize("door", ["s", "embed"])
def test_a_passage_leads_to_its_place(reader: Client, publish: PublishRecords, door: str) -> None:
    share = publish([QUESTION, ANSWER], ShareTerms(embeds=["https://blog.example.org"]))
    (link,) = links(search(reader, share, "缓存", door))
    assert link.startswith(f"/{door}/{share.token()}/?")
    assert link.endswith("#m-1")
    arrived = tree(reader.get(link.partition("#")[0]))
    (passage,) = by_class(by_id(arrived, "m-1"), "passage")
    assert text(passage) == "缓存"


def test_the_second_of_two_same_passages_leads_to_the_second(reader: Client, publish: PublishRecords) -> None:
    share = publish([QUESTION, {**ANSWER, "content": f"The prefix. {'far ' * 100} The prefix, again."}])
    first, second = links(search(reader, share, "prefix"))
    arrived = reader.get(second.partition("#")[0]).content.decode()
    assert first != second
    assert re.search(r'<mark class="passage">prefix</mark>, again', arrived)


def test_the_pages_own_form_asks(reader: Client, share: Share) -> None:
    page = tree(reader.get(f"/s/{share.token()}/?lang=zh&theme=dark"))
    (form,) = [one for one in page.iter("form") if one.get("role") == "search"]
    fields = {field.get("name"): field.get("value") for field in form.iter("input")}
    assert (form.get("method"), fields) == ("get", {"lang": "zh", "theme": "dark", "q": ""})
    found = tree(reader.get(f"{(form.get('action') or '').partition('?')[0]}?q=prefix&lang=zh&theme=dark"))
    assert (found.get("lang"), found.get("data-theme"), marks(found)) == ("zh-Hans", "dark", ["prefix", "prefix"])
    assert all("lang=zh" in link and "theme=dark" in link for link in links(found))


def test_a_locked_share_is_searched_by_a_form_with_its_key(reader: Client, publish: PublishRecords) -> None:
    share = publish([QUESTION, ANSWER], ShareTerms(password="open sesame"))
    place, ours = f"/s/{share.token()}/", {"origin": "http://testserver"}
    assert reader.get(f"{place}search/?q=prefix").status_code == 401
    form_type = "application/x-www-form-urlencoded"
    page = reader.post(place, "password=open+sesame", content_type=form_type, headers=ours)
    (form,) = re.findall(r'<form class="search".*?</form>', page.content.decode())
    key = re.findall(r'name="key" value="([^"]*)"', form)[0]
    answer = reader.post(f"{place}search/", f"key={quote(key)}&q=prefix", content_type=form_type, headers=ours)
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    found = answer.content.decode()
    assert found.count("<mark>prefix</mark>") == 2
    place_to_go = unescape(re.findall(r'formaction="([^"]*exact=prefix[^"]*)"', found)[0])
    arrived = reader.post(place_to_go.partition("#")[0], f"key={quote(key)}", content_type=form_type, headers=ours)
    assert '<mark class="passage">prefix</mark>' in arrived.content.decode()


def test_long_results_are_parted_into_pages_that_lead_to_each_other(reader: Client, publish: PublishRecords) -> None:
    records: list[dict[str, object]] = []
    for number in range(1, 46):
        records += [
            {"id": f"q{number}", "role": "USER", "content": f"Question {number}"},
            {"id": f"a{number}", "role": "ASSISTANT", "content": f"Needle {number}."},
        ]
    share = publish(records)
    seen: list[str] = []
    page = search(reader, share, "needle")
    for _ in range(2):
        seen += places(page)
        (following,) = [a.get("href") or "" for a in page.iter("a") if a.get("rel") == "next"]
        page = tree(reader.get(following))
    seen += places(page)
    assert seen == [f"Answer {number}" for number in range(1, 46)]
    assert "here 41 to 45" in text(by_class(page, "found-count")[0])
    assert places(search(reader, share, "needle", more="&page=99")) == places(page)


def test_only_what_the_share_shows_is_found(reader: Client, publish: PublishRecords) -> None:
    records: Records = [
        *[{**one} for one in (QUESTION, ANSWER)],
        {"id": 3, "role": "USER", "content": "A later secret."},
        {"id": 4, "role": "ASSISTANT", "content": "It is whispered."},
    ]
    shorter, whole = publish(records, up_to=["2"]), publish(records)
    assert places(search(reader, shorter, "whispered")) == []
    assert places(search(reader, whole, "whispered")) == ["Answer 2"]


def test_results_of_several_threads_name_them_and_lead_into_them(reader: Client, publish: PublishRecords) -> None:
    share = publish("threads.zh.jsonl")
    page = search(reader, share, "比喻")
    assert places(page) == ["Answer 1 earlier version 主线", "Answer 1 旧版本的疑问"]
    assert [re.findall(r"thread=(\w+)", link) for link in links(page)] == [[], ["C"]]
    for link in links(page):
        assert '<mark class="passage">比喻</mark>' in reader.get(link.partition("#")[0]).content.decode()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("nowhere", "Found nowhere."),
        ("* : |", "There is no word to look for in this."),
        ("<script>alert(1)</script>", "Found nowhere."),
        ("\u202e…", "There is no word to look for in this."),
    ],
)
def test_a_question_that_finds_nothing_says_so(reader: Client, share: Share, query: str, said: str) -> None:
    page = search(reader, share, query)
    assert text(by_class(page, "found-count")[0]) == said
    assert not any("alert" in text(script) for script in page.iter("script"))


def test_without_a_question_there_is_a_form_and_nothing_else(reader: Client, share: Share) -> None:
    page = search(reader, share, "")
    assert by_class(page, "found-count") == []
    assert sum(form.get("role") == "search" for form in page.iter("form")) == 1


def test_content_in_results_is_text(reader: Client, publish: PublishRecords) -> None:
    share = publish([QUESTION, {**ANSWER, "content": "`<img src=x onerror=alert(1)>` needle <script>no</script>"}])
    html = reader.get(f"/s/{share.token()}/search/?q=needle").content.decode()
    assert "<img" not in html
    assert "&lt;img src=x onerror=alert(1)&gt; <mark>needle</mark> &lt;script&gt;no" in html


def test_a_share_that_was_never_indexed_says_so(reader: Client, share: Share) -> None:
    SearchedPiece.objects.all().delete()
    share.snapshot.rendered.update(version="2.4")
    page = search(reader, share, "prefix")
    assert [text(one) for one in by_class(page, "notice")] == [
        "This share was published by an older version and cannot be searched yet."
    ]
    assert by_class(page, "found-count") == []


def test_an_earlier_version_is_found_and_opened(reader: Client, publish: PublishRecords) -> None:
    records: Sequence[dict[str, object]] = [
        QUESTION,
        {**ANSWER, "content": "A mistaken answer."},
        {"id": 3, "role": "ASSISTANT", "content": "A better answer.", "replaces": "2"},
    ]
    share = publish(list(records))
    page = search(reader, share, "mistaken")
    assert places(page) == ["Answer 1 earlier version"]
    assert '<mark class="passage">mistaken</mark>' in reader.get(links(page)[0].partition("#")[0]).content.decode()
