"""Markdown as one reads it in one line."""

import pytest

from shareview.dialect.plain import plain_text


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("**隔离**：`vm.enabled` 默认。", "隔离：vm.enabled 默认。"),
        ("See [the page](https://a.example/)\nand *more*", "See the page and more"),
        ("用户负担 | 无需解读 bash", "用户负担 | 无需解读 bash"),
        (r"5 \* 3 &amp; <b>two</b>", "5 * 3 & two"),
        ("**cut off in the middle", "**cut off in the middle"),
        ("1. first\n2. second", "first second"),
        ("", ""),
        (">" * 600 + " deep", ">" * 600 + " deep"),
    ],
)
def test_marks_are_left_out_and_words_are_not(markdown: str, words: str) -> None:
    assert plain_text(markdown) == words
