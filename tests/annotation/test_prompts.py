"""A released prompt never changes: traces name its version and hash."""

import pytest

from shareview.annotation.prompts import prompt, two_stage_section

RELEASED = {
    "annotator-v1": "48cf915ba008771be71412991b192eed1bc2da718e3181ad6e498631191f7451",
    "judge-v1": "2c30c0543b22a2a7cd42a06e6c8d16186ccdadfa40cdd69eea4155289d6eb627",
    "two-stage-v1.en": "0775f6144aadd544451af2265dd2e5e5430b8c31b22a288c6cacd13354e27dbb",
    "two-stage-v1.zh": "43fa6203b9ada2e2edc35e124cf1829ca0fc60903bd6fc6b7b8d5e10bc8648d4",
}


@pytest.mark.parametrize(("version", "sha256"), RELEASED.items())
def test_a_released_prompt_is_what_it_was(version: str, sha256: str) -> None:
    assert prompt(version).sha256 == sha256, "write a new version instead"


def test_the_two_stage_section_lets_the_answer_carry_no_marks() -> None:
    assert "[^n^]" in two_stage_section("zh").text
    assert "Put no" in two_stage_section("en").text
