"""What a chat back end tells its model, so that its answers can be shared here with their citations.

The rules are those of answer-citations §2.1 (1) and §5.4; the section goes into the system prompt, the sentence
to the end of each web tool's description.
"""

from dataclasses import dataclass
from typing import Final, Literal

Language = Literal["zh", "en"]


@dataclass(frozen=True)
class CitationContract:
    """The prompt section, and what is added to the descriptions of the two counted tools."""

    section: str
    web_search: str
    open_web_page: str


_CONTRACTS: Final[dict[Language, CitationContract]] = {
    "zh": CitationContract(
        section=(
            "## 引用规范\n"
            "用 web_search 或 open_web_page 得到的外部信息写进回复时，在它所支撑的句子末尾插入 [^n^]。"
            "n 是该来源在本轮工具结果中的序号，从 1 开始，同一网址只算一次，以先出现的为准。"
            "没有来源支撑的句子不加标记；只引用本轮工具取得的来源，不引用更早轮次或对话历史里的来源；"
            "不编造、不改写网址。标记只写成 [^n^]，不写成脚注 [^n]，也不放进代码或链接文字里。"
        ),
        web_search="引用本工具的结果时，在句末使用 [^n^] 标记，编号规则见系统提示词的引用规范。",
        open_web_page="引用本工具打开的页面时，在句末使用 [^n^] 标记，编号规则见系统提示词的引用规范。",
    ),
    "en": CitationContract(
        section=(
            "## Citations\n"
            "When you use information from web_search or open_web_page in your reply, put [^n^] at the end of the "
            "sentence it supports. n is the number of that source among this turn's tool results, counted from 1; an "
            "address that comes up twice keeps its first number. Put no marker on a statement that no source supports. "
            "Cite only sources retrieved in this turn, none from earlier turns or from the history. Never invent or "
            "change an address. Write the marker as [^n^] only, not as the footnote [^n], and not inside code or "
            "link text."
        ),
        web_search="Mark a sentence that cites a result of this tool with [^n^], numbered as the citation rules say.",
        open_web_page="Mark a sentence that cites a page opened here with [^n^], numbered as the citation rules say.",
    ),
}


def citation_contract(language: Language) -> CitationContract:
    """The contract in Chinese or English."""
    return _CONTRACTS[language]
