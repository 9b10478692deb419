"""The very words, at their place or elsewhere; nearly the words only where nothing else could be meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.chat.quotes import Selector
from shareview.quotes.finding import FoundPassage, Method, find_passage

TEXT = "Team Alpha ships on Monday. Team Beta ships on Friday. Team Alpha ships on Monday."


def words(text: str, selector: Selector) -> tuple[str, Method] | None:
    found = find_passage(text, selector)
    return None if found is None else (text[found.start : found.end], found.method)


def test_the_words_at_their_place_are_the_passage() -> None:
    second = TEXT.rindex("Team Alpha")
    assert find_passage(TEXT, Selector("Team Alpha", start=second)) == FoundPassage(
        second, second + 10, Method.POSITION
    )


def test_a_place_that_holds_other_words_is_not_believed() -> None:
    assert find_passage(TEXT, Selector("Team Beta", start=0)) == FoundPassage(28, 37, Method.EXACT)


@pytest.mark.parametrize(
    ("selector", "at"),
    [
        (Selector("Team Alpha", prefix="Friday. "), 55),
        (Selector("ships on Monday.", suffix=" Team Beta"), 11),
        (Selector("Team Alpha", start=3), 0),
        (Selector("Team Alpha", start=50), 55),
        (Selector("Team Alpha", prefix="no such words", suffix="at all"), None),
        (Selector("Team Alpha"), None),
    ],
)
def test_several_hits_are_told_apart_by_their_surroundings_and_distance_or_not_at_all(
    selector: Selector, at: int | None
) -> None:
    found = find_passage(TEXT, selector)
    assert (found and found.start) == at


def test_white_space_of_a_selector_is_folded_as_in_the_text() -> None:
    assert words("One two  three"[:7] + " three", Selector("One\n two   three")) == ("One two three", Method.EXACT)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The cache keeps the prefix of every request for long.", "The cache keeps the prefx of every request"),
        ("The cache keeps the prefix of every request for long.", "The cache keeps the prefix of every request,"),
        ("缓存会把每个请求完全相同的前缀保留五分钟，之后失效。", "缓存会把每个请求完全相同前缀保留五分钟"),
        ("The behaviour of long prefixes is described here.", "The behavior of long prefixes is described"),
    ],
)  # fmt: skip
def test_words_that_are_nearly_the_same_are_found_as_a_last_resort(text: str, quote: str) -> None:
    found = words(text, Selector(quote))
    assert found is not None
    assert found[1] is Method.FUZZY


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Team Alpha ships the release on Monday morning.", "Team Delta ships the release on Monday morning."),
        ("The permit costs 40 euros for every applicant here.", "The permit costs 45 euros for every applicant here."),
        ("The rule does apply to all of the old contracts.", "The rule does not apply to all of the old contracts."),
        (
            "The rule can be applied to all of the old contracts.",
            "The rule can't be applied to all of the old contracts.",
        ),
        ("该规定适用于全部已经签订的旧合同与新合同。", "该规定不适用于全部已经签订的旧合同与新合同。"),
        ("甲队将在周一上午发布新的稳定版本给所有用户。", "乙队将在周一上午发布新的稳定版本给所有用户。"),
        ("申请须在三十日之内提交全部纸质材料到窗口。", "申请须在四十日之内提交全部纸质材料到窗口。"),
        ("The rate will increase for all long contracts soon.", "The rate will decrease for all long contracts soon."),
        ("Version v1.2 keeps the old cache for a whole day.", "Version v1.3 keeps the old cache for a whole day."),
        ("Something else entirely stands in this message.", "The cache keeps the prefix of every request."),
        ("", "Anything that was quoted"),
        ("short txet", "short text"),
    ],
)
def test_a_look_alike_is_no_passage(text: str, quote: str) -> None:
    assert find_passage(text, Selector(quote)) is None


def test_two_places_that_are_as_similar_are_none() -> None:
    one = "The cache keeps the prefix of each request for long."
    assert (
        find_passage(f"{one} Then again: {one}", Selector("The cache keeps the prefix of eech request for long."))
        is None
    )


def test_an_empty_selector_finds_nothing() -> None:
    assert find_passage("text", Selector(" \n ")) is None


ALPHABET = st.text(alphabet=st.sampled_from("ab 中文.1👩é"), max_size=60).map(lambda text: " ".join(text.split()))


@given(ALPHABET, st.data())
def test_any_selection_with_its_place_is_found_again(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    selected = text[start:end]
    begin = start + len(selected) - len(selected.lstrip())
    exact = selected.strip()
    found = find_passage(text, Selector(selected, text[:start], text[end:], begin, begin + len(exact)))
    assert found == (FoundPassage(begin, begin + len(exact), Method.POSITION) if exact else None)
