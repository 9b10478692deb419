"""The models that the site is set up with."""

from dataclasses import replace
from typing import Final

from shareview.annotation.asking import DEFAULT_BUDGET
from shareview.annotation.judge import DEFAULT_JUDGE_BUDGET
from shareview.environment import ModelSettings
from shareview.snapshots.annotating import Annotators

_JUDGING: Final = 5
"""How many times the seconds of an annotation judging an answer may take."""


class NoModelError(Exception):
    """The site has no model to make citations with; the sentence says what to set."""


def require_models(settings: ModelSettings | None) -> Annotators:
    """The models of ``settings``. Raises NoModelError."""
    if settings is None:
        raise NoModelError(
            "no model is set up: SHAREVIEW_LLM_BASE_URL takes the address of an OpenAI-compatible endpoint, "
            "SHAREVIEW_LLM_MODEL the model's name there"
        )
    try:
        from shareview.annotation.openai_models import OpenAIModel, OutputForm  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise NoModelError("the client of the models is not installed: pip install -e '.[llm]'") from None
    form = OutputForm(settings.output)
    budget = replace(DEFAULT_BUDGET, tokens=settings.tokens, seconds=settings.seconds)
    call = replace(DEFAULT_JUDGE_BUDGET.call, tokens=settings.tokens, seconds=settings.seconds)
    return Annotators(
        annotator=OpenAIModel(settings.base_url, settings.api_key, settings.model, form),
        judge=OpenAIModel(settings.base_url, settings.api_key, settings.judge_model, form),
        budget=budget,
        judge_budget=replace(DEFAULT_JUDGE_BUDGET, seconds=_JUDGING * settings.seconds, call=call),
    )
