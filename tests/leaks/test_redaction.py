"""Words are taken out wherever they stand, and what was told apart before is told apart after."""

import pytest

from shareview.leaks.findings import Leak, LeakClass
from shareview.leaks.redaction import RedactedText, Redaction, is_redacted

KEY = "sk-ant-" + "a1B2c3D4" * 4


def redaction(**kinds: str) -> Redaction:
    """Takes out words, given under their kinds."""
    return Redaction({w: Leak(k.rstrip("_").replace("_", "-"), 0, len(w), LeakClass.SECRET) for k, w in kinds.items()})


def test_a_secret_gives_way_to_its_kind() -> None:
    assert redaction(api_key=KEY).text(f"Use {KEY}, twice {KEY}.").text == (
        "Use [redacted: api-key], twice [redacted: api-key]."
    )


def test_two_secrets_of_a_kind_are_told_apart() -> None:
    taken = redaction(password="first-secret-one", password_="other-secret-two")
    assert taken.text("https://a/?k=first-secret-one").text == "https://a/?k=[redacted: password]"
    assert taken.text("https://a/?k=other-secret-two").text == "https://a/?k=[redacted: password 2]"


def test_the_longer_of_two_secrets_is_taken_out_as_a_whole() -> None:
    taken = redaction(password="abcdefghijklm", api_key="abcdefghijklm-nopq")
    assert taken.text("abcdefghijklm-nopq abcdefghijklm").text == "[redacted: api-key] [redacted: password]"


def test_a_short_secret_is_no_part_of_a_word() -> None:
    assert redaction(password="tiger").text("tiger, tigers, tiger5, 'tiger'").text == (
        "[redacted: password], tigers, tiger5, '[redacted: password]'"
    )


@pytest.mark.parametrize("text", [f"it is {KEY[:20]}", f"it is {KEY[:20]}…", f"it is {KEY[:20]}..."])
def test_the_part_that_a_text_ends_with_is_taken_out(text: str) -> None:
    assert redaction(api_key=KEY).text(text).text.rstrip("….") == "it is [redacted: api-key]"


def test_the_part_that_a_text_begins_with_is_taken_out() -> None:
    assert redaction(api_key=KEY).text(f"{KEY[15:]} is it").text == "[redacted: api-key] is it"


def test_a_text_from_within_a_secret_is_taken_out() -> None:
    assert redaction(api_key=KEY).text(f"…{KEY[5:25]}…").text == "…[redacted: api-key]…"


def test_a_few_letters_of_a_secret_are_no_part_of_it() -> None:
    assert redaction(api_key=KEY).text("keys begin with sk-ant-").text == "keys begin with sk-ant-"


# "my KEY is" with a key of 39 code points, 17 of which stand for it: "[redacted: api-key]" has 19.
@pytest.mark.parametrize(
    ("before", "is_end", "after"),
    [(0, False, 0), (3, False, 3), (10, False, 3), (10, True, 22), (42, False, 22), (42, True, 22), (45, True, 25)],
)
def test_offsets_move_with_the_words_before_them(before: int, is_end: bool, after: int) -> None:
    taken = redaction(api_key=KEY).text(f"my {KEY} is")
    assert len(KEY) == 39
    assert taken.text == "my [redacted: api-key] is"
    assert taken.moved(before, is_end=is_end) == after


def test_a_text_without_secrets_stays() -> None:
    assert redaction(api_key=KEY).text("nothing here") == RedactedText("nothing here")


def test_ids_stay_as_they_are() -> None:
    record = redaction(api_key=KEY).record({"id": KEY, "content": KEY, "metadata": {"x": [KEY], KEY: 1}, "thread": KEY})
    word = "[redacted: api-key]"
    assert record == {"id": KEY, "content": word, "metadata": {"x": [word], word: 1}, "thread": KEY}


@pytest.mark.parametrize(("text", "expected"), [("a [redacted: api-key 12] b", True), ("[redacted]", False)])
def test_what_stands_for_secrets_is_known_again(text: str, expected: bool) -> None:
    assert is_redacted(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        f'{{"snippet":"leaked token {KEY[:30]}","next":"x"}}',
        f"token {KEY} and {KEY[:30]} again",
        f"from {KEY[9:30]} on",
    ],
)
def test_a_piece_of_a_secret_is_taken_out_wherever_it_stands(text: str) -> None:
    left = redaction(api_key=KEY).text(text).text
    assert not any(KEY[at : at + 12] in left for at in range(len(KEY) - 12))
    assert left.endswith(text[-3:])


def test_a_short_secret_behind_a_line_end_of_json_is_taken_out() -> None:
    assert redaction(password="Tiger#2024").text(r'{"out":"login\nTiger#2024"}').text == (
        r'{"out":"login\n[redacted: password]"}'
    )


def test_a_key_of_lines_is_taken_out_where_its_lines_became_blanks() -> None:
    lines = [f"{n}{'AbCdEfGhIj' * 6}{n}" for n in range(3)]
    left = redaction(private_key="\n".join(lines)).text(f"quoted: {' '.join(lines)}.").text
    assert "AbCdEfGhIj" not in left
    assert left.startswith("quoted: [redacted: private-key] ")
