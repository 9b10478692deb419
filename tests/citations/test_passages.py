"""The passage closest to a citing sentence, and the words both share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.citations.passages import Passage, citing_sentence, closest_passage, quotes_verbatim

WORDS = st.text(st.sampled_from("ab12 .,。！？;\n截止时间ひカ한_-é"), max_size=60)


def shared_words(passage: Passage | None) -> list[str]:
    assert passage is not None
    return [passage.text[start:end] for start, end in passage.shared]


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("", ""),
        ("…— !", ""),
        ("It is due in May", "It is due in May"),
        ("First point. It is due in May", "It is due in May"),
        ("First point. It is due in May.", "It is due in May."),
        ("It costs 3.50 euros", "It costs 3.50 euros"),
        ("先说背景。截止时间是 11 月 30 日", "截止时间是 11 月 30 日"),
        ("先说背景。截止时间是 11 月 30 日。", "截止时间是 11 月 30 日。"),
        ("Really? Yes! It is; truly", "truly"),
        ("one line\nanother line", "another line"),
        ("It is due in May. ”", "It is due in May."),
    ],
)
def test_the_citing_sentence_is_the_last_that_has_words(before: str, sentence: str) -> None:
    assert citing_sentence(before) == sentence


def test_the_sentence_that_shares_most_is_chosen_and_shared_words_are_marked() -> None:
    text = "The form is online. The deadline was moved to 30 November at 17:00. Late forms are refused."
    passage = closest_passage("The deadline is now 30 November", [text])
    assert passage is not None
    assert passage.text == "The deadline was moved to 30 November at 17:00."
    assert shared_words(passage) == ["deadline", "30", "November"]


def test_chinese_is_compared_by_pairs_of_characters() -> None:
    text = "各有关单位请注意。项目申报截止时间由 11 月 15 日调整为 11 月 30 日。逾期不予受理。"
    passage = closest_passage("截止时间调整到 11 月 30 日", [text])
    assert passage is not None
    assert passage.text == "项目申报截止时间由 11 月 15 日调整为 11 月 30 日。"
    assert shared_words(passage) == ["截止时间", "11", "月", "调整", "11", "月", "30", "日"]


def test_letters_are_compared_in_any_case() -> None:
    assert shared_words(closest_passage("DEADLINE straße", ["Deadline STRASSE."])) == ["Deadline", "STRASSE"]


def test_a_number_with_points_is_one_word() -> None:
    assert closest_passage("17:00", ["At 17 o'clock"]) is None
    assert shared_words(closest_passage("at 17:00", ["It ends at 17:00 sharp"])) == ["17:00"]
    assert shared_words(closest_passage("3.5 percent", ["5 percent. 3.5 percent"])) == ["3.5", "percent"]


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("", ["words"]),
        ("words", []),
        ("words", [""]),
        ("cache", ["prefix only"]),
        ("it is of the", ["it is of the"]),
        ("截止", ["逾期不予受理"]),
        ("!?", ["!?"]),
    ],
)
def test_where_nothing_is_shared_no_passage_is_chosen(sentence: str, texts: list[str]) -> None:
    assert closest_passage(sentence, texts) is None


def test_the_first_of_equals_wins() -> None:
    passage = closest_passage("cache prefix", ["Prefix cache. Cache prefix.", "cache prefix"])
    assert passage is not None
    assert passage.text == "Prefix cache."


def test_a_later_text_wins_where_it_shares_more() -> None:
    passage = closest_passage("cache prefix reuse", ["The cache is warm.", "Reuse needs the same prefix in the cache."])
    assert passage is not None
    assert passage.text == "Reuse needs the same prefix in the cache."


def test_a_short_sentence_wins_over_a_long_one_that_shares_as_much() -> None:
    long = "The cache and many other things that nobody asked about stand in here as well."
    passage = closest_passage("cache", [long, "A cache."])
    assert passage is not None
    assert passage.text == "A cache."


def test_a_longer_sentence_wins_over_a_single_word_where_it_shares_more() -> None:
    passage = closest_passage("cache prefix reuse", ["Cache.", "Reuse asks for one equal prefix per cache."])
    assert passage is not None
    assert passage.text == "Reuse asks for one equal prefix per cache."


def test_a_long_sentence_is_cut_at_white_space() -> None:
    text = "word " * 300 + "needle " + "word " * 300
    passage = closest_passage("needle", [text])
    assert passage is not None
    assert len(passage.text) <= 600
    assert set(passage.text.split()) == {"word", "needle"}


def test_a_long_run_without_white_space_is_cut_all_the_same() -> None:
    passage = closest_passage("截止", ["时" * 1000 + "截止" + "间" * 1000])
    assert passage is not None
    assert len(passage.text) == 600
    assert "截止" in passage.text


@given(WORDS, st.lists(WORDS, max_size=4))
def test_the_choice_is_the_same_each_time_and_its_ranges_lie_in_its_text(sentence: str, texts: list[str]) -> None:
    passage = closest_passage(sentence, texts)
    assert closest_passage(sentence, texts) == passage
    if passage is None:
        return
    assert passage.text == passage.text.strip()
    assert any(passage.text in text for text in texts)
    assert len(passage.shared) >= 1
    end_before = -1
    for start, end in passage.shared:
        assert end_before < start < end <= len(passage.text)
        end_before = end


@given(st.text(max_size=80))
def test_the_citing_sentence_stands_in_the_text_before(before: str) -> None:
    sentence = citing_sentence(before)
    assert sentence in before
    assert sentence == sentence.strip()


@pytest.mark.parametrize(
    ("sentence", "texts", "found"),
    [
        ("It says “apply before noon”.", ["The rule: apply before noon on Monday."], True),
        ("It says “apply before dawn”.", ["The rule: apply before noon."], False),
        ("写明「逾期不予受理申请」。", ["公告：逾期不予受理申请。"], True),
        ('It says "apply  before\nnoon".', ["apply before noon"], True),
        ('The "fast" and the "slow" path.', ["a fast and the slow path are named"], False),
        ("It says “noon”.", ["noon"], False),
        ("It says “words of the second text”.", ["first", "the words of the second text"], True),
        ("It quotes nothing.", ["It quotes nothing."], False),
    ],
)
def test_a_quotation_is_looked_for_word_for_word_in_all_that_was_retrieved(
    sentence: str, texts: list[str], found: bool
) -> None:
    assert quotes_verbatim(sentence, texts) is found
