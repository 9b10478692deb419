"""What a chat tells its model about citing (answer-citations §5.4)."""

import pytest

from shareview.citations.contract import Language, citation_contract
from shareview.citations.markers import extract_markers


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_section_names_the_marker_and_both_tools(language: Language) -> None:
    section = citation_contract(language).section
    for named in ("[^n^]", "web_search", "open_web_page"):
        assert named in section


@pytest.mark.parametrize(
    ("language", "heading", "rules"),
    [
        (
            "zh",
            "## 引用规范\n",
            [
                "句子末尾插入 [^n^]",
                "从 1 开始",
                "没有来源支撑的句子不加标记",
                "不引用更早轮次或对话历史里的来源",
                "不编造、不改写网址",
            ],
        ),
        (
            "en",
            "## Citations\n",
            [
                "at the end of the sentence",
                "counted from 1",
                "no marker on a statement that no source supports",
                "none from earlier turns or from the history",
                "Never invent or change an address",
            ],
        ),
    ],
)
def test_the_section_says_each_rule(language: Language, heading: str, rules: list[str]) -> None:
    section = citation_contract(language).section
    assert section.startswith(heading)
    assert [rule for rule in rules if rule not in section] == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_description_of_each_tool_names_the_marker_in_one_sentence(language: Language) -> None:
    contract = citation_contract(language)
    for sentence in (contract.web_search, contract.open_web_page):
        assert "[^n^]" in sentence
        assert "\n" not in sentence
        assert sentence.count("。") + sentence.count(". ") + sentence.endswith(".") == 1


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_contract_itself_holds_no_marker_that_could_be_cited(language: Language) -> None:
    contract = citation_contract(language)
    assert extract_markers(contract.section + contract.web_search + contract.open_web_page) == ()
