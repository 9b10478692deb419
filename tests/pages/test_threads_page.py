"""Threads, quotes and versions on the page: there and back again, and never to other words."""

import json
from itertools import takewhile
from urllib.parse import quote

import pytest
from django.test import Client
from page_reading import by_class, by_id, page_of, text
from sessions import FreezeRecords, PublishRecords, sample_records, turn

from shareview.rendering.messages import RenderingOptions
from shareview.rendering.pool import InProcessRenderer
from shareview.shares.models import Share
from shareview.snapshots.freezing import rerender_snapshot

Record = dict[str, object]
SELECTOR: Record = {"exact": "same prefix", "prefix": "", "suffix": ""}
TREE: list[Record] = [
    {"kind": "thread", "id": "A", "title": "Main"},
    {"kind": "thread", "id": "B", "title": "Why same", "parent": "A", "fork": {"message": "A2", "selector": SELECTOR}},
    {"kind": "thread", "id": "E", "title": "Deeper", "parent": "B", "fork": {"message": "B2", "selector": None}},
    {"kind": "thread", "id": "N", "title": "Not asked", "parent": "A", "fork": {"message": "A2", "selector": SELECTOR}},
    {"id": "A1", "thread": "A", "role": "USER", "content": "How?"},
    {"id": "A2", "thread": "A", "role": "ASSISTANT", "content": "It keeps the *same* prefix."},
    {"id": "B1", "thread": "B", "role": "USER", "content": "Why?"},
    {"id": "B2", "thread": "B", "role": "ASSISTANT", "content": "Because."},
    {"id": "A3", "thread": "A", "role": "USER", "content": "And then?"},
    {"id": "A4", "thread": "A", "role": "ASSISTANT", "content": "Later."},
    {"id": "B3", "thread": "B", "role": "USER", "content": "More?"},
    {"id": "B4", "thread": "B", "role": "ASSISTANT", "content": "No."},
    {"id": "E1", "thread": "E", "role": "USER", "content": "Deep?"},
    {"id": "E2", "thread": "E", "role": "ASSISTANT", "content": "Deep."},
]


def beside_lots(share: Share, content: str) -> str:
    """``content`` without what was drawn by lot, and may hold any two letters: the link's token and the share's id."""
    return content.replace(share.token(), "").replace(share.public_id, "")


@pytest.fixture
def threads(publish: PublishRecords) -> Share:
    """The sample with threads A to D."""
    return publish("threads.zh.jsonl")


def shown(reader: Client, share: Share, query: str = "") -> list[str]:
    return [(article.get("id") or "").removeprefix("m-") for article in page_of(reader, share, query).iter("article")]


def states(reader: Client, share: Share, query: str) -> list[str | None]:
    return [card.get("data-state") for card in by_class(page_of(reader, share, query), "quote-card")]


def passages(reader: Client, share: Share, query: str) -> list[tuple[str, str]]:
    tree = page_of(reader, share, query)
    return [
        (article.get("id") or "", "".join(text(mark) for mark in by_class(article, "passage")))
        for article in tree.iter("article")
        if by_class(article, "passage")
    ]


def test_a_quote_marks_its_very_words_in_bold_text_too(reader: Client, threads: Share) -> None:
    card = by_class(page_of(reader, threads, "?thread=B"), "quote-card")[0]
    assert "完全相同的前缀" in text(card)
    link = next(card.iter("a"))
    assert (link.get("href") or "").endswith("?thread=A&quote=B1.1#m-A2b")
    assert passages(reader, threads, "?thread=A&quote=B1.1") == [("m-A2b", "完全相同的前缀")]
    page = reader.get(f"/s/{threads.token()}/?thread=A&quote=B1.1").content.decode()
    assert '<mark class="passage">' in page


def test_a_quote_of_a_replaced_message_leads_to_the_old_one_and_on_to_the_new(reader: Client, threads: Share) -> None:
    assert states(reader, threads, "?thread=C") == ["historical"]
    assert shown(reader, threads, "?thread=A") == ["A1", "A2b"]
    assert shown(reader, threads, "?thread=A&quote=C1.1") == ["A1", "A2a", "A2b"]
    assert passages(reader, threads, "?thread=A&quote=C1.1") == [("m-A2a", "只能复用相同前缀")]
    old = by_id(page_of(reader, threads, "?thread=A&quote=C1.1"), "m-A2a")
    assert "earlier" in (old.get("class") or "").split()
    assert any((link.get("href") or "").endswith("?thread=A&at=A2b#m-A2b") for link in old.iter("a"))


def test_a_quote_of_a_deleted_thread_says_so_and_names_nothing(reader: Client, threads: Share) -> None:
    assert states(reader, threads, "?thread=B") == ["current", "deleted"]
    for path in ("?thread=B", "export.jsonl", "export.md", "model-input.json?thread=B"):
        assert "D9" not in beside_lots(threads, reader.get(f"/s/{threads.token()}/{path}").content.decode())


def test_a_shared_branch_brings_its_history_and_nothing_of_other_threads(
    reader: Client, publish: PublishRecords
) -> None:
    share = publish("threads.zh.jsonl", threads=["B"])
    assert shown(reader, share, "?thread=B") == ["A1", "A2b", "B1", "B2", "B3", "B4"]
    assert states(reader, share, "?thread=B") == ["current", "absent"]
    for path in ("?thread=A&open=all", "?thread=B&open=all", "export.jsonl", "export.md", "export.txt",
                 "model-input.json?thread=B", "thread/?thread=B"):  # fmt: skip
        content = reader.get(f"/s/{share.token()}/{path}", headers={"HX-Request": "true"}).content.decode()
        content = beside_lots(share, content)
        for word in ("C1", "C2", "D9", "旧版本的疑问", "已删除", "没有关系", "thread=C", "thread=D", '"D"', '"C"'):
            assert word not in content, (path, word)


@pytest.mark.parametrize("query", ["?thread=C", "?thread=D", "?thread=no-such"])
def test_a_thread_outside_the_share_is_as_one_that_never_was(
    reader: Client, publish: PublishRecords, query: str
) -> None:
    share = publish("threads.zh.jsonl", threads=["B"])
    answers = [reader.get(f"/s/{share.token()}/{path}{query}") for path in ("", "thread/", "model-input.json")]
    assert [answer.status_code for answer in answers] == [404, 404, 404]


def test_a_quote_outside_the_share_is_as_one_that_never_was(reader: Client, publish: PublishRecords) -> None:
    share = publish("threads.zh.jsonl", threads=["B"])
    pages = [page_of(reader, share, f"?thread=A&quote={place}") for place in ("C1.1", "Z9.1", "B1.7")]
    assert [[text(mark) for mark in by_class(page, "passage")] for page in pages] == [[], [], []]


def test_a_branch_begins_with_what_it_inherited_and_says_where_it_begins(
    reader: Client, publish: PublishRecords
) -> None:
    share = publish(TREE)
    assert shown(reader, share, "?thread=B") == ["A1", "A2", "B1", "B2", "B3", "B4"]
    assert shown(reader, share, "?thread=E") == ["A1", "A2", "B1", "B2", "E1", "E2"]
    tree = page_of(reader, share, "?thread=E")
    assert [" ".join(text(line).split()) for line in by_class(tree, "fork-line")] == [
        "Branch from here: Why same", "Branch from here: Deeper",
    ]  # fmt: skip
    assert len(by_class(tree, "inherited")) == 2


def test_an_empty_branch_that_is_asked_later_quotes_what_it_came_from(reader: Client, publish: PublishRecords) -> None:
    share = publish(TREE)
    card = by_class(page_of(reader, share, "?thread=B"), "quote-card")[0]
    assert (card.get("data-state"), text(next(card.iter("blockquote")))) == ("current", "same prefix")
    assert passages(reader, share, "?thread=A&quote=B1.1") == [("m-A2", "same prefix")]


def test_a_branch_that_was_never_asked_is_shown_with_its_history(reader: Client, publish: PublishRecords) -> None:
    tree = page_of(reader, publish(TREE), "?thread=N")
    assert [article.get("id") for article in tree.iter("article")] == ["m-A1", "m-A2"]
    assert any("Nothing was asked" in text(notice) for notice in by_class(tree, "notice"))


def test_passages_carry_a_sign_for_each_branch_that_came_from_them(reader: Client, publish: PublishRecords) -> None:
    signs = by_class(by_id(page_of(reader, publish(TREE), "?thread=A"), "m-A2"), "branch-sign")
    assert [(sign.get("data-title"), sign.get("data-count")) for sign in signs] == [
        ("Why same", "4"),
        ("Not asked", "0"),
    ]
    assert all("?thread=" in (sign.get("href") or "") for sign in signs)
    assert [text(sign) for sign in signs] == ["", ""]


def test_the_tree_of_threads_nests_them_and_marks_the_one_that_is_shown(reader: Client, threads: Share) -> None:
    tree = by_class(page_of(reader, threads, "?thread=C"), "thread-tree")[0]
    names = [" ".join(text(name).split()) for name in by_class(tree, "name")]
    assert names == ["主线", "为什么必须相同", "旧版本的疑问", "Deleted thread"]
    assert [text(link) for link in tree.iter("a") if link.get("aria-current")] == ["旧版本的疑问2 messagesarchived"]
    assert len(by_class(tree, "gone")) == 1


def test_a_session_of_one_thread_has_no_tree(reader: Client, publish: PublishRecords) -> None:
    assert by_class(page_of(reader, publish(turn("Answer."))), "thread-tree") == []


def test_versions_are_shown_when_they_are_asked_for(reader: Client, publish: PublishRecords) -> None:
    records = [
        {"id": "1", "role": "USER", "content": "First wording?"},
        {"id": "2", "role": "ASSISTANT", "content": "To the first."},
        {"id": "3", "role": "USER", "content": "Second wording?", "replaces": "1"},
        {"id": "4", "role": "ASSISTANT", "content": "One."},
        {"id": "5", "role": "ASSISTANT", "content": "Two.", "replaces": "4"},
        {"id": "6", "role": "ASSISTANT", "content": "Three.", "replaces": "5"},
    ]
    share = publish(records)
    assert shown(reader, share) == ["3", "6"]
    links = by_class(page_of(reader, share), "versions")
    assert [(text(link), link.get("aria-expanded")) for link in links] == [
        ("2 versions", "false"),
        ("3 versions", "false"),
    ]
    assert shown(reader, share, "?versions=6") == ["3", "4", "5", "6"]
    assert shown(reader, share, "?versions=3") == ["1", "2", "3", "6"]
    assert shown(reader, share, "?at=4") == ["3", "4", "5", "6"]
    assert shown(reader, share, "?open=all") == ["1", "2", "3", "4", "5", "6"]


def test_what_a_branch_inherited_stands_as_it_was_then(reader: Client, threads: Share) -> None:
    assert shown(reader, threads, "?thread=C") == ["A1", "A2a", "C1", "C2"]


def passage_link(at: str, exact: str, prefix: str = "", suffix: str = "") -> str:
    return f"?at={at}&exact={quote(exact)}&prefix={quote(prefix)}&suffix={quote(suffix)}"


def test_a_reader_s_own_passage_is_marked_for_whoever_opens_its_address(
    reader: Client, publish: PublishRecords
) -> None:
    share = publish(turn("A **bold** claim, and `code`."))
    assert passages(reader, share, passage_link("4", "bold claim, and code")) == [("m-4", "bold claim, and code")]


def test_repeated_words_are_told_apart_by_their_place(reader: Client, publish: PublishRecords) -> None:
    share = publish(turn("ha ha ha ha ha ha"))
    page = reader.get(f"/s/{share.token()}/{passage_link('4', 'ha')}&start=6").content.decode()
    assert '<p>ha ha <mark class="passage">ha</mark> ha' in page


def test_a_passage_that_is_not_there_is_not_marked_and_its_words_are_not_repeated(
    reader: Client, publish: PublishRecords
) -> None:
    share = publish(turn("A claim."))
    tree = page_of(reader, share, passage_link("4", "Send money to Mallory"))
    assert [card.get("data-state") for card in by_class(tree, "quote-card")] == ["not-found"]
    assert "Mallory" not in text(tree)
    assert any(
        "not in this share" in text(one) for one in by_class(page_of(reader, share, passage_link("9", "x")), "notice")
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("- one\n- two `three`", "one two three"),
        ("| a | b |\n|---|---|\n| x | cell *two* |", "x cell two"),
        ("AT&amp;T \\*stars\\* and 1 &lt; 2", "AT&T *stars* and 1 < 2"),
        ("See [the page](https://a.example/) now", "See the page now"),
        ("Cited[^1^] words", "Cited words"),
        ("中文 and **English** 混排", "中文 and English 混排"),
        ("שלום **עולם** טוב", "שלום עולם טוב"),
        ("A 👨‍👩‍👧 family and é", "👨‍👩‍👧 family"),
        ("```\nx = 1\n  y\n```", "x = 1 y"),
    ],
)
def test_quotes_are_found_whatever_the_markdown_made_of_them(
    reader: Client, publish: PublishRecords, source: str, words: str
) -> None:
    quoted = {"version": 1, "text": words, "source": {"thread": "main", "message": 4}, "selector": {"exact": words}}
    share = publish([*turn(source), {"id": 5, "role": "USER", "content": "?", "quotes": [quoted]},
                     {"id": 6, "role": "ASSISTANT", "content": "!"}])  # fmt: skip
    assert states(reader, share, "") == ["current"]
    ((place, marked),) = passages(reader, share, "?quote=5.1")
    assert place == "m-4"
    assert "".join(marked.split()) == "".join(words.split())


def test_siblings_share_their_input_up_to_the_first_quote_to_the_byte(reader: Client, publish: PublishRecords) -> None:
    other: list[Record] = [
        {"kind": "thread", "id": "F", "title": "Sibling", "parent": "A",
         "fork": {"message": "A2", "selector": {"exact": "keeps the"}}},
        {"id": "F1", "thread": "F", "role": "USER", "content": "How so?"},
        {"id": "F2", "thread": "F", "role": "ASSISTANT", "content": "So."},
    ]  # fmt: skip
    share = publish([*TREE[:4], other[0], *TREE[4:], *other[1:]])
    inputs = [reader.get(f"/s/{share.token()}/model-input.json?thread={one}").content.decode() for one in "BF"]
    common = "".join(one for one, other in takewhile(lambda pair: pair[0] == pair[1], zip(*inputs, strict=False)))
    assert common.endswith('"content": "> ')
    assert [one.index('"content": "> ') + len('"content": "> ') for one in inputs] == [len(common)] * 2
    messages = json.loads(inputs[0])["messages"]
    assert [(one["role"], one["content"]) for one in messages[1:4]] == [
        ("user", "How?"), ("assistant", "It keeps the *same* prefix."), ("user", "> same prefix\n\nWhy?"),
    ]  # fmt: skip


def test_a_model_s_input_is_unescaped_and_holds_no_id_or_title(reader: Client, threads: Share) -> None:
    response = reader.get(f"/s/{threads.token()}/model-input.json?thread=B")
    given = response.content.decode()
    assert response["Content-Type"] == "application/json; charset=utf-8"
    assert "> 完全相同的前缀" in given
    for word in ("A2b", "B1", "主线", '为什么必须相同"', "version", "selector", 'prefix"'):
        assert word not in given


def test_contradictions_are_told_when_a_session_is_frozen(freeze: FreezeRecords) -> None:
    records = [dict(record) for record in TREE]
    quoted = {"version": 1, "text": "other words", "source": {"thread": "A", "message": "A4"}, "selector": None}
    records[6] = {**records[6], "quotes": [quoted]}
    notices = freeze(records).notices
    assert "the quote of message B1 contradicts its fork: its branch was forked at message A2" in notices
    assert "the words that message B1 quotes do not stand in message A2" in notices


def test_an_export_that_is_published_again_is_the_same_session(publish: PublishRecords, reader: Client) -> None:
    share = publish("threads.zh.jsonl")
    lines = [json.loads(line) for line in reader.get(f"/s/{share.token()}/export.jsonl").content.splitlines()]
    assert publish(lines).snapshot.digest == share.snapshot.digest
    assert {"kind": "thread", "id": "D", "state": "deleted"} in lines
    assert sample_records("threads.zh.jsonl")[4] not in lines


def test_a_thread_alone_comes_with_the_address_to_be_shown(reader: Client, threads: Share) -> None:
    response = reader.get(f"/s/{threads.token()}/thread/?thread=A&quote=B1.1", headers={"HX-Request": "true"})
    assert response["HX-Push-Url"] == f"/s/{threads.token()}/?thread=A&quote=B1.1#m-A2b"
    assert response.content.decode().startswith('<div class="thread" id="thread">')


def test_a_quote_of_what_stands_after_the_watermark_is_absent(reader: Client, publish: PublishRecords) -> None:
    quoted = {
        "version": 1,
        "text": "Later.",
        "source": {"thread": "A", "message": "A4"},
        "selector": {"exact": "Later."},
    }
    records = [{**one, "quotes": [quoted]} if one.get("id") == "B3" else one for one in TREE]
    assert states(reader, publish(records), "?thread=B") == ["current", "current"]
    assert states(reader, publish(records, up_to=["A2", "B4"]), "?thread=B") == ["current", "absent"]


def test_what_is_derived_anew_leads_to_the_same_places(publish: PublishRecords) -> None:
    snapshot = publish("threads.zh.jsonl").snapshot
    before = [list(rows.values_list()) for rows in (snapshot.quotes.all(), snapshot.threads.all())]
    rerender_snapshot(snapshot, renderer=InProcessRenderer(RenderingOptions()))
    after = [list(rows.values_list()) for rows in (snapshot.quotes.all(), snapshot.threads.all())]
    assert [[row[1:] for row in rows] for rows in before] == [[row[1:] for row in rows] for rows in after]
    assert [len(rows) for rows in before] == [3, 4]


def test_a_quote_of_an_archived_thread_says_so(reader: Client, publish: PublishRecords) -> None:
    quoted = {"version": 1, "text": "Deep.", "source": {"thread": "E", "message": "E2"}, "selector": {"exact": "Deep."}}
    records = [{**one, "state": "archived"} if one.get("title") == "Deeper" else one for one in TREE]
    records += [{"id": "A5", "thread": "A", "role": "USER", "content": "So?", "quotes": [quoted]},
                {"id": "A6", "thread": "A", "role": "ASSISTANT", "content": "Yes."}]  # fmt: skip
    share = publish(records)
    assert states(reader, share, "?thread=A") == ["archived"]
    assert any("archived" in text(notice) for notice in by_class(page_of(reader, share, "?thread=E"), "notice"))


def test_a_long_inherited_history_stands_in_parts_of_its_own(reader: Client, publish: PublishRecords) -> None:
    history = [record for number in range(40) for record in turn(f"Answer {number}", first=4 * number + 1, thread="A")]
    threads = [{"kind": "thread", "id": "A"}, {"kind": "thread", "id": "B", "parent": "A", "fork": {"message": "160"}}]
    own = [{"id": "b1", "thread": "B", "role": "USER", "content": "?"},
           {"id": "b2", "thread": "B", "role": "ASSISTANT", "content": "!"}]  # fmt: skip
    share = publish([*threads, *({**record, "thread": "A"} for record in history), *own])
    assert shown(reader, share, "?thread=B")[-2:] == ["b1", "b2"]
    assert shown(reader, share, "?thread=B&part=1")[:2] == ["1", "4"]
    assert len(shown(reader, share, "?thread=B&open=all")) == 82


def test_an_inherited_answer_that_comes_alone_still_says_where_it_is_from(reader: Client, threads: Share) -> None:
    page = f"http://testserver/s/{threads.token()}/?thread=B"
    response = reader.get(
        f"/s/{threads.token()}/m/A2b/article/", headers={"HX-Request": "true", "HX-Current-URL": page}
    )
    assert "inherited from" in response.content.decode()
