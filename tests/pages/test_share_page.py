"""The share page: what the chat showed, every citation followed to its source."""

import re

import pytest
from django.test import Client
from page_reading import by_class, by_id, page_of, text
from sessions import PublishRecords, turn

from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms


@pytest.fixture
def deadline(publish: PublishRecords) -> Share:
    return publish("deadline.zh.jsonl")


@pytest.fixture
def battery(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl")


def test_superscripts_stand_in_the_order_of_the_chat(reader: Client, deadline: Share) -> None:
    first = by_id(page_of(reader, deadline), "m-107")
    superscripts = by_class(first, "cite-ref")
    assert [text(sup) for sup in superscripts] == ["[1]", "[3]", "[3]", "[1]", "[2]", "[1]"]
    assert [sup.get("data-n") for sup in superscripts] == ["1", "3", "3", "1", "2", "1"]


def test_a_marker_outside_the_registry_leaves_no_trace(reader: Client, deadline: Share) -> None:
    tree = page_of(reader, deadline)
    assert "[^9^]" not in text(tree)
    assert "论坛里还有人说会再次延期，没有找到依据。" in text(by_id(tree, "m-107"))


def test_markers_in_code_and_in_link_text_stay(reader: Client, deadline: Share) -> None:
    body = by_class(by_id(page_of(reader, deadline), "m-107"), "message-body")[0]
    assert [text(code) for code in body.iter("code")] == ["[^1^]", 'deadline = "2026-11-30T17:00"  # [^1^]\n']
    assert "标准脚注[^1]按普通文本显示，链接里的标记[^1^]也不转换。" in text(body)


def test_the_second_turn_cites_its_own_source_alone(reader: Client, deadline: Share) -> None:
    second = by_id(page_of(reader, deadline), "m-111")
    assert [text(sup) for sup in by_class(second, "cite-ref")] == ["[1]"]
    panel = by_class(second, "cite-sources")[0]
    assert panel.get("data-count") == "1"
    assert [link.get("href") for link in by_class(panel, "title")] == ["https://www.kjt-example.gov.cn/faq"]


def test_a_panel_of_three_is_open_and_one_of_six_is_folded_but_in_the_page(
    reader: Client, deadline: Share, battery: Share
) -> None:
    three = by_class(by_id(page_of(reader, deadline), "m-107"), "cite-sources")[0]
    assert (three.get("data-count"), three.get("data-open")) == ("3", "true")
    six = by_class(by_id(page_of(reader, battery), "m-4"), "cite-sources")[0]
    assert (six.get("data-count"), six.get("data-open")) == ("6", "false")
    assert len(by_class(six, "cite-source")) == 6
    assert [ol.get("hidden") for ol in six.iter("ol")] == ["until-found"]


def test_an_entry_shows_number_title_and_domain_and_opens_elsewhere(reader: Client, battery: Share) -> None:
    entries = by_class(page_of(reader, battery), "cite-source")
    link = by_class(entries[5], "title")[0]
    assert text(link) == "A very long headline that goes on and on about how procureme…"
    assert (link.get("target"), link.get("rel")) == ("_blank", "noopener noreferrer")
    assert text(by_class(entries[1], "domain")[0]) == "prices.example"
    assert text(by_class(entries[1], "n")[0]) == "[2]"


def test_a_source_without_a_title_shows_host_and_path(publish: PublishRecords, reader: Client) -> None:
    results = [{"title": "", "url": "https://www.bbs.example.cn/t/88?from=x", "content": "c"}]
    entry = by_class(page_of(reader, publish(turn("A[^1^].", results=results))), "cite-source")[0]
    assert text(by_class(entry, "title")[0]) == "bbs.example.cn/t/88"


def test_forged_entries_are_nowhere(reader: Client, battery: Share) -> None:
    html = reader.get(f"/s/{battery.token()}/?open=all").content.decode()
    assert "never-retrieved" not in html
    assert "javascript:" not in html
    assert "forged" not in html


def test_following_a_superscript_is_an_address_of_its_own(reader: Client, battery: Share) -> None:
    superscript = by_class(page_of(reader, battery), "cite-ref")[6]
    href = next(superscript.iter("a")).get("href") or ""
    assert href == f"/s/{battery.token()}/?cite=4.4#src-4-4"
    followed = page_of(reader, battery, "?cite=4.4")
    assert by_class(followed, "cite-sources")[0].get("data-open") == "true"
    assert [entry.get("id") for entry in by_class(followed, "cite-flash")] == ["src-4-4"]


def test_every_fold_leads_to_the_same_page_unfolded_and_back(reader: Client, battery: Share) -> None:
    fold = by_class(by_class(page_of(reader, battery), "cite-sources")[0], "fold")[0]
    assert fold.get("aria-expanded") == "false"
    opened = page_of(reader, battery, (fold.get("href") or "").split("/")[-1].split("#")[0])
    panel = by_class(opened, "cite-sources")[0]
    assert panel.get("data-open") == "true"
    again = page_of(reader, battery, (by_class(panel, "fold")[0].get("href") or "").split("/")[-1].split("#")[0])
    assert by_class(again, "cite-sources")[0].get("data-open") == "false"


def test_steps_show_calls_with_arguments_results_and_failures(reader: Client, deadline: Share) -> None:
    folded = page_of(reader, deadline)
    assert "2026 年度 申报 截止时间" not in text(by_id(folded, "steps-107"))
    steps = by_id(page_of(reader, deadline, "?open=107.steps"), "steps-107")
    assert [text(tool) for tool in by_class(steps, "tool")] == ["web_search", "open_web_page", "open_web_page"]
    assert "2026 年度 申报 截止时间" in text(steps)
    assert "我打开通知原文核对一下。" in text(steps)
    assert "404 Not Found" in text(steps)
    assert len(by_class(steps, "outcome")) == 1


def test_reasoning_is_shown_with_the_steps(reader: Client, battery: Share) -> None:
    steps = by_id(page_of(reader, battery, "?open=4.steps"), "steps-4")
    assert "I should look for price, cold behaviour and density." in text(steps)


def test_everything_is_open_under_one_address_that_every_page_links_to(reader: Client, deadline: Share) -> None:
    tree = page_of(reader, deadline)
    address = f"/s/{deadline.token()}/?open=all"
    assert address in [link.get("href") for link in tree.iter("a")]
    everything = page_of(reader, deadline, "?open=all")
    assert {panel.get("data-open") for panel in by_class(everything, "cite-sources")} == {"true"}
    assert {steps.get("data-open") for steps in by_class(everything, "steps")} == {"true"}
    assert all(details.get("open") is not None for details in by_class(everything, "passage-box"))


def test_an_entry_unfolds_the_closest_passage_labelled_as_such(reader: Client, deadline: Share) -> None:
    entry = by_id(page_of(reader, deadline), "src-107-1")
    assert [text(words) for words in by_class(entry, "source-words")] == [
        "因系统升级，2026 年度项目申报截止时间由 11 月 15 日调整为 11 月 30 日 17:00，逾期不予受理。"
    ]
    assert "proves nothing" in text(entry)
    assert entry.get("data-trust") == "hint"


def test_quoted_words_found_in_the_retrieved_text_are_located(publish: PublishRecords, reader: Client) -> None:
    results = [{"title": "T", "url": "https://t.example/", "content": "The rule says: apply before noon on Monday."}]
    share = publish(turn("It says “apply before noon”[^1^].", results=results))
    assert by_class(page_of(reader, share), "cite-source")[0].get("data-trust") == "located"
    other = publish(turn("It says “apply before dawn”[^1^].", results=results))
    assert by_class(page_of(reader, other), "cite-source")[0].get("data-trust") == "hint"


def test_the_freeze_line_names_messages_time_and_digest(reader: Client, deadline: Share) -> None:
    line = by_class(page_of(reader, deadline), "freeze")[0]
    assert line.get("data-digest") == deadline.snapshot.digest
    shown = " ".join(text(line).split())
    assert shown.startswith("Messages 1–11, frozen 5 Jan 2026, 12:00 UTC, SHA-256 ")


def test_the_watermark_is_drawn_over_the_page(publish: PublishRecords, reader: Client) -> None:
    share = publish("battery.en.jsonl", ShareTerms(recipients=["Acme <Ltd>"]))
    mark = by_class(page_of(reader, share), "watermark")[0]
    assert (mark.tag.endswith("svg"), mark.get("aria-hidden")) == (True, "true")
    assert {text(part) for part in mark.iter() if part.tag.endswith("text")} == {
        f"Acme <Ltd> · {share.public_id} · 2026-01-05"
    }


@pytest.mark.parametrize(
    ("query", "word", "lang"), [("?lang=zh", "来源 3", "zh-Hans"), ("?lang=en", "Sources 3", "en")]
)
def test_the_language_is_chosen_by_the_address(
    reader: Client, deadline: Share, query: str, word: str, lang: str
) -> None:
    tree = page_of(reader, deadline, query)
    assert tree.get("lang") == lang
    assert word in text(by_class(tree, "cite-sources")[0])


def test_the_language_is_else_that_of_the_browser(deadline: Share) -> None:
    tree = page_of(Client(headers={"accept-language": "zh-CN,zh;q=0.9"}), deadline)
    assert "来源 3" in text(by_class(tree, "cite-sources")[0])


def test_thread_language_and_theme_are_carried_on_by_every_link_of_a_message(reader: Client, battery: Share) -> None:
    tree = page_of(reader, battery, "?theme=dark&lang=zh")
    assert tree.get("data-theme") == "dark"
    links = [next(sup.iter("a")).get("href") or "" for sup in by_class(tree, "cite-ref")]
    links += [fold.get("href") or "" for fold in by_class(tree, "fold")]
    assert links
    assert all("theme=dark" in link and "lang=zh" in link for link in links)


def test_a_message_that_was_replaced_gives_way_to_the_newest(publish: PublishRecords, reader: Client) -> None:
    tree = page_of(reader, publish("threads.zh.jsonl"))
    assert "完全相同的前缀" in text(tree)
    assert "量子纠缠" not in text(tree)


def test_the_first_thread_without_a_parent_is_shown_and_others_by_address(
    publish: PublishRecords, reader: Client
) -> None:
    share = publish("threads.zh.jsonl")
    assert [article.get("id") for article in page_of(reader, share).iter("article")] == ["m-A1", "m-A2b"]
    branch = page_of(reader, share, "?thread=B")
    shown = [article.get("id") for article in branch.iter("article")]
    assert shown == ["m-A1", "m-A2b", "m-B1", "m-B2", "m-B3", "m-B4"]
    assert reader.get(f"/s/{share.token()}/?thread=Z").status_code == 404
    assert reader.get(f"/s/{share.token()}/?thread=D").status_code == 404


def test_unfinished_citations_are_never_shown_as_complete(publish: PublishRecords, reader: Client) -> None:
    tree = page_of(reader, publish("claims.zh.jsonl"))
    assert by_id(tree, "m-a2").get("data-citations") == "pending"
    assert "会话目录会被删除，快照保留 30 天。" in text(by_id(tree, "m-a2"))


def test_a_claim_whose_words_are_not_in_the_answer_makes_its_citations_pending(
    publish: PublishRecords, reader: Client
) -> None:
    span = {"span_id": "s1", "kind": "sentence", "start_index": 0, "end_index": 5, "text": "Other"}
    artifact: dict[str, object] = {"kind": "citation_artifact", "message": 4, "version": 1, "status": "complete"}
    share = publish([*turn("Right."), {**artifact, "spans": [span]}])
    assert by_id(page_of(reader, share), "m-4").get("data-citations") == "pending"


def test_data_citations_tells_complete_from_none(reader: Client, deadline: Share) -> None:
    tree = page_of(reader, deadline)
    assert by_id(tree, "m-107").get("data-citations") == "complete"
    assert by_id(tree, "m-101").get("data-citations") == "none"


def test_citations_that_could_not_be_checked_say_so(publish: PublishRecords, reader: Client) -> None:
    recorded = {"citations": [{"n": 1, "url": "https://x.example/", "title": "X"}]}
    answer = {"id": 2, "role": "ASSISTANT", "content": "A[^1^].", "metadata": recorded}
    tree = page_of(reader, publish([{"id": 1, "role": "USER", "content": "Q"}, answer]))
    assert "could not be checked" in text(by_class(tree, "cite-sources")[0])
    assert by_id(tree, "m-2").get("data-citations") == "none"


def test_a_failed_answer_loses_its_markers_and_says_that_it_failed(publish: PublishRecords, reader: Client) -> None:
    tree = page_of(reader, publish(turn("Half an answer[^1^]", status="failed")))
    assert text(by_class(by_id(tree, "m-4"), "message-body")[0]) == "Half an answer"
    assert by_class(tree, "notice")[0].get("data-kind") == "failed"


def test_approval_and_truncation_of_a_tool_result_are_shown(publish: PublishRecords, reader: Client) -> None:
    records = turn("Done.")
    records[2]["metadata"] = {
        "approvalMark": {"decision": "approved", "by": "wang", "at": "2026-10-01", "reason": "harmless"},
        "resultTruncated": {"original_length": 123456},
    }
    shown = text(by_id(page_of(reader, publish(records), "?open=4.steps"), "steps-4"))
    assert "approved · wang · 2026-10-01 · harmless" in shown
    assert "of 123,456 characters" in shown


def test_an_image_of_a_question_is_served_by_us_and_other_files_are_named(
    publish: PublishRecords, reader: Client
) -> None:
    png = {"name": "plan.png", "media_type": "image/png", "data": "data:image/png;base64,iVBORw0KGgo="}
    svg = {"name": "evil.svg", "media_type": "image/svg+xml", "data": "data:image/svg+xml;base64,PHN2Zy8+"}
    disguised = {"name": "x.png", "media_type": "image/png", "data": "data:image/png;base64,PHN2Zy8+"}
    question = {"id": 1, "role": "USER", "content": "Q", "metadata": {"attachments": [png, svg, disguised]}}
    share = publish([question, {"id": 2, "role": "ASSISTANT", "content": "A"}])
    tree = page_of(reader, share)
    images = [image.get("src") or "" for image in tree.iter("img")]
    assert "evil.svg" in text(tree)
    answers = [reader.get(address) for address in images]
    assert [answer.status_code for answer in answers] == [200, 404]
    assert answers[0]["Content-Type"] == "image/png"
    assert answers[0].content == b"\x89PNG\r\n\x1a\n"


def test_files_of_tool_results_are_shown_with_their_step(publish: PublishRecords, reader: Client) -> None:
    records = turn("Done.")
    png = {"name": "chart.png", "media_type": "image/png", "data": "data:image/png;base64,iVBORw0KGgo="}
    records[2]["metadata"] = {"attachments": [png, {"name": "table.csv", "media_type": "text/csv", "size": 12}]}
    steps = by_id(page_of(reader, publish(records), "?open=4.steps"), "steps-4")
    assert [image.get("alt") for image in steps.iter("img")] == ["chart.png"]
    assert "table.csv" in text(steps)


def test_no_tool_result_is_left_out_whatever_its_call_id_or_shape(publish: PublishRecords, reader: Client) -> None:
    records = turn("Done.", results=[{"title": "No address", "content": "kept words"}])
    records[3:3] = [
        {"id": "3b", "role": "TOOL", "tool_call_id": "c1", "content": "a second answer to one call"},
        {"id": "3c", "role": "TOOL", "tool_call_id": "unknown", "content": "an answer to no call"},
    ]
    shown = text(by_id(page_of(reader, publish(records), "?open=4.steps"), "steps-4"))
    assert "kept words" in shown
    assert "a second answer to one call" in shown
    assert "an answer to no call" in shown


def test_an_id_with_strange_characters_is_escaped(publish: PublishRecords, reader: Client) -> None:
    records: list[dict[str, object]] = [
        {"id": 'a"b c', "role": "USER", "content": "Q"},
        {"id": "ü/2", "role": "ASSISTANT", "content": "A"},
    ]
    ids = [article.get("id") for article in page_of(reader, publish(records)).iter("article")]
    assert ids == ["m-a%22b%20c", "m-%C3%BC%2F2"]


def test_a_question_keeps_its_single_line_breaks(publish: PublishRecords, reader: Client) -> None:
    records: list[dict[str, object]] = [
        {"id": 1, "role": "USER", "content": "one\ntwo"},
        {"id": 2, "role": "ASSISTANT", "content": "three\nfour"},
    ]
    tree = page_of(reader, publish(records))
    assert len(list(by_id(tree, "m-1").iter("br"))) == 1
    assert len(list(by_id(tree, "m-2").iter("br"))) == 0


def long_session(turns: int) -> list[dict[str, object]]:
    messages: list[dict[str, object]] = []
    for number in range(turns):
        messages.append({"id": 2 * number + 1, "role": "USER", "content": f"Question {number + 1}"})
        messages.append({"id": 2 * number + 2, "role": "ASSISTANT", "content": f"Answer {number + 1}"})
    return messages


def test_a_long_session_comes_in_parts_that_lead_to_each_other(publish: PublishRecords, reader: Client) -> None:
    share = publish(long_session(120))
    tree = page_of(reader, share)
    assert len(list(tree.iter("article"))) == 100
    relations = {link.get("rel"): link.get("href") for link in tree.iter("link") if link.get("rel") in ("next", "prev")}
    assert relations == {"next": f"/s/{share.token()}/?part=2"}
    second = page_of(reader, share, "?part=2")
    assert next(second.iter("article")).get("id") == "m-101"
    assert {link.get("rel") for link in second.iter("a")} >= {"next", "prev"}
    assert len(list(page_of(reader, share, "?open=all").iter("article"))) == 240


def test_a_message_address_opens_its_own_part(publish: PublishRecords, reader: Client) -> None:
    share = publish(long_session(120))
    assert by_id(page_of(reader, share, "?at=239"), "m-239") is not None
    entries = by_class(page_of(reader, share, "?at=239"), "round-list")[0]
    last = list(entries.iter("a"))[-1]
    assert last.get("href") == f"/s/{share.token()}/?at=239#m-239"


def test_the_table_of_rounds_names_the_rounds_that_are_shown_and_the_parts_that_are_not(
    publish: PublishRecords, reader: Client
) -> None:
    share = publish(long_session(170))
    table = by_class(page_of(reader, share, "?part=2&lang=en"), "round-list")[0]
    lines = [(" ".join(text(link).split()), link.get("href", "").split("/")[-1]) for link in table.iter("a")]
    assert len(lines) == 1 + 50 + 2
    assert lines[0] == ("Rounds 1 to 50", "?lang=en")
    assert lines[1] == ("51Question 51", "?lang=en&at=101#m-101")
    assert lines[-2:] == [("Rounds 101 to 150", "?lang=en&part=3"), ("Rounds 151 to 170", "?lang=en&part=4")]
    # More than one part is folded under a line for all of them.
    assert [" ".join(text(line).split()) for line in table.iter("summary")] == ["Rounds 101 to 170"]


def test_ids_on_a_page_are_unique(reader: Client, deadline: Share, battery: Share) -> None:
    for share in (deadline, battery):
        ids = [element.get("id", "") for element in page_of(reader, share, "?open=all").iter() if element.get("id")]
        assert sorted(ids) == sorted(set(ids))


def test_no_inline_script_or_style_stands_in_the_page(reader: Client, deadline: Share) -> None:
    tree = page_of(reader, deadline, "?open=all")
    assert all(script.get("src") for script in tree.iter("script"))
    assert not list(tree.iter("style"))
    assert not [element.tag for element in tree.iter() if any(re.match("style$|on", name) for name in element.attrib)]


def test_half_a_surrogate_pair_in_a_step_does_not_break_the_page(publish: PublishRecords, reader: Client) -> None:
    records = turn("Done.")
    records[1]["tool_calls"] = [{"id": "c1", "name": "x", "arguments": '{"q": "\\ud83d"}'}]
    records[2]["content"] = '{"error": "cut \\ud83d"}'
    assert "error" in text(by_id(page_of(reader, publish(records), "?open=all"), "steps-4"))


def test_arguments_and_results_are_shown_as_they_were_written(publish: PublishRecords, reader: Client) -> None:
    records = turn("Done.")
    records[1]["tool_calls"] = [{"id": "c1", "name": "x", "arguments": '{"k": 1.50, "big": 1e400, "k": 1E5}'}]
    records[2]["content"] = '{"answer": "beside the results", "results": []}'
    shown = text(by_id(page_of(reader, publish(records), "?open=all"), "steps-4"))
    assert '{"k": 1.50, "big": 1e400, "k": 1E5}' in shown
    assert "beside the results" in shown


def test_what_follows_an_answer_stands_after_it(publish: PublishRecords, reader: Client) -> None:
    call: dict[str, object] = {
        "id": 5,
        "role": "ASSISTANT",
        "content": "",
        "tool_calls": [{"id": "d", "name": "late_tool", "arguments": "{}"}],
    }
    system: dict[str, object] = {"id": 7, "role": "SYSTEM", "content": "Between the turns."}
    late: dict[str, object] = {"id": 6, "role": "TOOL", "tool_call_id": "d", "content": "late words"}
    share = publish([*turn("The answer."), call, late, system, *turn("Next.", first=8)], show_system=True)
    shown = text(page_of(reader, share, "?open=all"))
    places = [shown.index(words) for words in ("The answer.", "late words", "Between the turns.", "Next.")]
    assert places == sorted(places)


def test_a_step_that_was_cancelled_and_a_decision_on_an_answer_are_told(
    publish: PublishRecords, reader: Client
) -> None:
    records = turn("Done.", metadata={"approvalMark": {"decision": "rejected", "by": "li"}})
    records[2]["status"] = "cancelled"
    tree = page_of(reader, publish(records), "?open=all")
    assert [notice.get("data-kind") for notice in by_class(by_id(tree, "steps-4"), "notice")] == ["cancelled"]
    assert "rejected · li" in text(by_id(tree, "m-4"))
