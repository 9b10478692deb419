"""What a reader takes along: the lines that the digest covers, and texts without markers."""

import hashlib
import json

from django.test import Client
from sessions import PublishRecords


def test_export_jsonl_is_what_the_digest_covers(publish: PublishRecords, reader: Client) -> None:
    share = publish("deadline.zh.jsonl")
    body = reader.get(f"/s/{share.token()}/export.jsonl").content
    assert hashlib.sha256(body).hexdigest() == share.snapshot.digest
    assert "[^9^]" in body.decode()
    assert json.loads(body.splitlines()[1])["tool_calls"][0]["function"]["name"] == "web_search"


def test_artifacts_follow_the_lines_of_the_digest(publish: PublishRecords, reader: Client) -> None:
    share = publish("claims.zh.jsonl")
    lines = reader.get(f"/s/{share.token()}/export.jsonl").content.decode().splitlines()
    assert [json.loads(line).get("kind") for line in lines[-2:]] == ["citation_artifact"] * 2


def test_export_md_lists_the_sources_under_each_answer_and_has_no_markers(
    publish: PublishRecords, reader: Client
) -> None:
    share = publish("deadline.zh.jsonl")
    text = reader.get(f"/s/{share.token()}/export.md").content.decode()
    assert "逾期不予受理。\n" in text
    assert "1. [关于调整申报截止时间的通知](<https://www.kjt-example.gov.cn/notice/2026-118>)" in text
    assert "[^" not in text.replace("[^1]", "")
    assert share.snapshot.digest in text


def test_one_answer_is_there_as_markdown_with_its_sources_alone(publish: PublishRecords, reader: Client) -> None:
    share = publish("deadline.zh.jsonl")
    answer = reader.get(f"/s/{share.token()}/m/111/answer.md")
    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer.content.decode() == (
        "可以。提交后如需修改，请联系受理窗口退回[1]。截止时间仍以通知为准。\n\n"
        "### Sources\n\n1. [申报常见问题](<https://www.kjt-example.gov.cn/faq>)\n"
    )


def test_export_txt_is_plain_and_has_no_markers(publish: PublishRecords, reader: Client) -> None:
    share = publish("deadline.zh.jsonl")
    text = reader.get(f"/s/{share.token()}/export.txt").content.decode()
    assert "可以。提交后如需修改，请联系受理窗口退回。截止时间仍以通知为准。" in text
    assert "[1] 申报常见问题 https://www.kjt-example.gov.cn/faq" in text
    assert "[^9^]" not in text


def test_characters_that_are_never_shown_leave_texts_but_not_the_record(
    publish: PublishRecords, reader: Client
) -> None:
    share = publish(
        [{"id": 1, "role": "USER", "content": "Q"}, {"id": 2, "role": "ASSISTANT", "content": "safe\u202eevil\u200b"}]
    )
    place = f"/s/{share.token()}/"
    assert "safeevil" in reader.get(place + "export.txt").content.decode()
    assert "safeevil" in reader.get(place + "export.md").content.decode()
    assert "safe\u202eevil\u200b" in reader.get(place + "export.jsonl").content.decode()
