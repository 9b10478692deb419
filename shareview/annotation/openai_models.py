"""Models behind an OpenAI-compatible endpoint (OpenAI, DeepSeek, vLLM, Ollama …), through the ``openai`` package."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from threading import Lock, Thread
from typing import Any, Final
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from shareview.annotation.models import ModelError, Question, Reply
from shareview.chat.artifacts import PendingCode

_CONNECT_SECONDS: Final = 10.0
_LONGEST_REPLY: Final = 1_000_000
_MOST_TOKENS: Final = 2**31
_DEFAULT_WAIT: Final = 1.0
_FORM_REFUSED: Final = frozenset({400, 422, 501})
_FORM_WORDS: Final = ("response_format", "json_schema", "json_object", "structured output", "grammar")
_OVERLOADED: Final = 500


class OutputForm(StrEnum):
    """How an endpoint is asked for JSON: by schema, as JSON, or by the prompt alone."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


_WEAKER: Final = {OutputForm.SCHEMA: OutputForm.OBJECT, OutputForm.OBJECT: OutputForm.TEXT}


@dataclass
class OpenAIModel:
    """A model of an endpoint. An endpoint that refuses a form of output is asked for a weaker one from then on."""

    base_url: str
    api_key: str
    name: str
    form: OutputForm = OutputForm.SCHEMA
    _client: openai.OpenAI = field(init=False, repr=False)
    _lock: Lock = field(init=False, repr=False, default_factory=Lock)

    def __post_init__(self) -> None:
        # Calls are counted, and asked again, by whoever asks. Servers on one's own machine want no key.
        self._client = openai.OpenAI(base_url=self.base_url, api_key=self.api_key or "none", max_retries=0)

    def close(self) -> None:
        """Gives its connections back."""
        self._client.close()

    @property
    def provider(self) -> str:
        """The endpoint's host."""
        return urlsplit(self.base_url).hostname or ""

    def reply(self, question: Question) -> Reply:
        """The reply to ``question``. Raises ModelError."""
        form = self.form
        try:
            completion = _within(question.seconds, partial(self._complete, question, form))
        except (TimeoutError, openai.APITimeoutError):
            raise ModelError(PendingCode.TIMEOUT, "no reply in time", may_repeat=False) from None
        except openai.RateLimitError as error:
            raise _rate_limited(error) from None
        except openai.APIStatusError as error:
            raise self._refused(error, form) from None
        except openai.OpenAIError as error:
            raise ModelError(PendingCode.PROVIDER_ERROR, _in_brief(error), may_repeat=True) from None
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            # What the client's own parser makes of a body that is no completion at all.
            raise ModelError(PendingCode.PROVIDER_ERROR, "the reply is no completion", may_repeat=True) from None
        return _reply(completion)

    def _complete(self, question: Question, form: OutputForm) -> object:
        messages: Any = [{"role": saying.role, "content": saying.text} for saying in question.sayings]
        return self._client.chat.completions.create(
            model=self.name,
            messages=messages,
            temperature=0,
            max_tokens=question.output_tokens,
            timeout=openai.Timeout(question.seconds, connect=min(_CONNECT_SECONDS, question.seconds)),
            **_output(question, form),
        )

    def _refused(self, error: openai.APIStatusError, form: OutputForm) -> ModelError:
        detail = _in_brief(error)
        if error.status_code in _FORM_REFUSED and form in _WEAKER and _speaks_of_form(error):
            # Calls that run beside this one may have found out the same: the form gives way once.
            with self._lock:
                if self.form is form:
                    self.form = _WEAKER[form]
            return ModelError(PendingCode.PROVIDER_ERROR, detail, may_repeat=True)
        is_passing = error.status_code >= _OVERLOADED
        wait = _DEFAULT_WAIT if is_passing else 0.0
        return ModelError(PendingCode.PROVIDER_ERROR, detail, may_repeat=is_passing, wait_seconds=wait)


def _output(question: Question, form: OutputForm) -> dict[str, Any]:
    if form is OutputForm.TEXT:
        return {}
    if form is OutputForm.OBJECT:
        return {"response_format": {"type": "json_object"}}
    schema = {"name": question.schema_name, "strict": True, "schema": dict(question.schema)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _within(seconds: float, call: Callable[[], object]) -> object:
    """What ``call`` gives within ``seconds`` in all: a client's own bound is on each read of a slow reply."""
    done: Future[object] = Future()

    def run() -> None:
        try:
            done.set_result(call())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            done.set_exception(error)

    # A daemon: a server that sends a byte a second must not keep the process from ending.
    Thread(target=run, daemon=True).start()
    return done.result(timeout=seconds)


def _reply(completion: object) -> Reply:
    # The client takes a completion as it comes: its fields may hold anything.
    choices = getattr(completion, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if not isinstance(completion, ChatCompletion) or not hasattr(message, "content"):
        raise ModelError(PendingCode.PROVIDER_ERROR, "the reply holds no choice", may_repeat=True)
    usage = completion.usage
    return Reply(
        text=_text(getattr(message, "content", None))[:_LONGEST_REPLY],
        is_cut=getattr(choice, "finish_reason", None) == "length",
        input_tokens=_count(getattr(usage, "prompt_tokens", None)),
        output_tokens=_count(getattr(usage, "completion_tokens", None)),
    )


def _text(content: object) -> str:
    """A reply's text; some endpoints send it in parts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _count(tokens: object) -> int:
    return tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and 0 <= tokens < _MOST_TOKENS else 0


def _rate_limited(error: openai.RateLimitError) -> ModelError:
    named = error.response.headers.get("retry-after", "")
    wait = float(named) if named.isascii() and named.replace(".", "", 1).isdecimal() else _DEFAULT_WAIT
    return ModelError(PendingCode.RATE_LIMITED, _in_brief(error), may_repeat=True, wait_seconds=wait)


def _speaks_of_form(error: openai.APIStatusError) -> bool:
    text = error.response.text.lower()
    return any(word in text for word in _FORM_WORDS)


def _in_brief(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
