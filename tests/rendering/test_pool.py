"""Rendering in workers: in order, within a bound of time, and nothing lost where one fails."""

import gc
import os
import time
from collections.abc import Iterator
from typing import NoReturn

import pytest

from shareview.rendering import pool as pool_module
from shareview.rendering.messages import DEFAULT_OPTIONS, RenderedMessage, RenderingOptions, plain_message
from shareview.rendering.pool import CPU_SECONDS, InProcessRenderer, RenderJob, RenderPool, render_job

NONCE = "0123456789abcdef"


def test_a_pool_renders_as_this_process_does() -> None:
    jobs = [
        RenderJob("a[^3^]\nb", NONCE, {3: 1}),
        RenderJob("a\nb", NONCE, line_breaks=True),
        RenderJob("<script>", NONCE),
        RenderJob("", NONCE),
        RenderJob(r"\(x\)", NONCE),
    ]
    options = RenderingOptions(math=True, code_colour=False)
    with RenderPool(options, workers=2) as pool:
        pooled = list(pool.render_all(jobs))
    assert pooled == list(InProcessRenderer(options).render_all(jobs))
    assert pooled[0].html == '<p>a<sup class="cite-ref" data-n="3">[1]</sup>\nb</p>'
    assert pooled[1].html == "<p>a<br>\nb</p>"
    assert pooled[4].html == '<p><math display="inline"><mrow><mi>x</mi></mrow></math></p>'


def test_a_pool_asks_for_jobs_only_a_little_ahead() -> None:
    asked = []

    def jobs() -> Iterator[RenderJob]:
        for number in range(100):
            asked.append(number)
            yield RenderJob(str(number), NONCE)

    with RenderPool(DEFAULT_OPTIONS, workers=1) as pool:
        results = pool.render_all(jobs())
        assert next(results).html == "<p>0</p>"
        assert len(asked) <= 8
        assert [rendered.html for rendered in results] == [f"<p>{number}</p>" for number in range(1, 100)]


def test_a_pool_goes_on_after_a_message_that_takes_too_long() -> None:
    slow = "<div></b>" * 4_900 + "last word"
    with RenderPool(DEFAULT_OPTIONS, workers=1) as pool:
        first, second = pool.render_all([RenderJob(slow, NONCE), RenderJob("**b**", NONCE)])
    assert first.html == plain_message(slow, "").html
    assert first.fault != ""
    assert second.html == "<p><strong>b</strong></p>"


def busy_for_ever(*args: object, **kwargs: object) -> RenderedMessage:
    while True:
        pass


def busy_past_a_swallowed_stop(*args: object, **kwargs: object) -> RenderedMessage:
    try:
        return busy_for_ever()
    except Exception:  # noqa: BLE001 # as a library may
        return busy_for_ever()


def busy_in_a_destructor(*args: object, **kwargs: object) -> RenderedMessage:
    class Slow:
        def __del__(self) -> None:
            until = time.process_time() + CPU_SECONDS + 0.1
            while time.process_time() < until:
                pass

    slow = Slow()
    del slow
    gc.collect()
    return busy_for_ever()


@pytest.mark.parametrize("busy", [busy_for_ever, busy_past_a_swallowed_stop])
def test_a_message_that_never_ends_is_stopped_and_shown_as_its_source(
    monkeypatch: pytest.MonkeyPatch, busy: object
) -> None:
    monkeypatch.setattr(pool_module, "render_message", busy)
    started = time.process_time()
    rendered = render_job(RenderJob("# word", NONCE), DEFAULT_OPTIONS)
    assert time.process_time() - started < 10
    assert rendered == RenderedMessage(
        '<pre class="plain-text" tabindex="0"># word</pre>', fault="took more than 1.5 s to render"
    )


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_stop_that_a_destructor_swallows_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "render_message", busy_in_a_destructor)
    started = time.process_time()
    assert render_job(RenderJob("# word", NONCE), DEFAULT_OPTIONS).fault == "took more than 1.5 s to render"
    assert time.process_time() - started < 10


def test_no_stop_is_left_behind_by_a_message_in_time() -> None:
    assert render_job(RenderJob("word", NONCE), DEFAULT_OPTIONS).html == "<p>word</p>"
    until = time.process_time() + CPU_SECONDS + 0.2
    while time.process_time() < until:
        pass
    assert render_job(RenderJob("word", NONCE), DEFAULT_OPTIONS).fault == ""


class DeadlyNumbers(dict[int, int]):
    """Display numbers that end the worker which asks for one, as a fault in C code does."""

    def get(self, *args: object) -> NoReturn:
        os._exit(3)


def test_a_worker_that_dies_costs_its_message_its_markup_and_no_more() -> None:
    jobs = [RenderJob("**a**[^1^]", NONCE, DeadlyNumbers({1: 1})), RenderJob("**b**[^1^]", NONCE)]
    with RenderPool(DEFAULT_OPTIONS, workers=1) as pool:
        first, second = pool.render_all(jobs)
    assert first.html == '<pre class="plain-text" tabindex="0">**a**</pre>'
    assert first.fault != ""
    assert second.html == "<p><strong>b</strong></p>"
