"""What language a text is in, as far as its letters tell."""

import pytest

from shareview.rendering.languages import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("可信的引用", "zh"),
        ("使用 Django 和 htmx 做服务端渲染，速度很快", "zh"),
        ("引用をたどることができます", "ja"),
        ("カタカナ", "ja"),
        ("인용을 따라갈 수 있습니다", "ko"),
        ("An English sentence", ""),
        ("Ein deutscher Satz", ""),
        ("The word 引用 means citation, and so it is used here", ""),
        ("שלום עולם", ""),
        ("123 + 456", ""),
        ("", ""),
        ("a" * 4_000 + "引" * 4_000, ""),
    ],
)
def test_a_language_is_told_by_the_letters_that_are_its_own(text: str, language: str) -> None:
    assert language_of(text) == language
