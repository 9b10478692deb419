"""Rendering many messages on all cores, in workers that can be stopped."""

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from multiprocessing import get_context
from types import FrameType, TracebackType
from typing import Final, Protocol, Self

from pebble import ProcessExpired, ProcessPool

from shareview.rendering.messages import (
    DEFAULT_OPTIONS,
    Anchor,
    RenderedMessage,
    RenderingOptions,
    plain_message,
    render_message,
)

CPU_SECONDS: Final = 1.5
"""CPU time of one message; what takes longer is shown as plain text."""

_REMINDER_SECONDS: Final = 0.05
_WALL_SECONDS: Final = 30.0
_TOO_SLOW: Final = f"took more than {CPU_SECONDS} s to render"


@dataclass(frozen=True, slots=True)
class RenderJob:
    """A text to render; see ``render_message``."""

    text: str
    nonce: str
    numbers: Mapping[int, int] = field(default_factory=dict)
    line_breaks: bool = False
    anchors: tuple[Anchor, ...] = ()


class Renderer(Protocol):
    """Renders texts in order."""

    def render_all(self, jobs: Iterable[RenderJob]) -> Iterator[RenderedMessage]:
        """One message for each of ``jobs``, in their order; asks for jobs only a little ahead."""
        ...


class _TooSlowError(Exception):
    pass


def _stop(signum: int, frame: FrameType | None) -> None:
    raise _TooSlowError


def _leave_interrupts() -> None:
    # Ctrl-C reaches every process of a terminal; whoever renders ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def render_job(job: RenderJob, options: RenderingOptions) -> RenderedMessage:
    """One message, within ``CPU_SECONDS``. Runs in the main thread of a process of its own."""
    signal.signal(signal.SIGPROF, _stop)
    try:
        # Again and again: Python swallows what is raised while it collects garbage.
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS, _REMINDER_SECONDS)
        try:
            return _render(job, options)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except _TooSlowError:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return plain_message(job.text, _TOO_SLOW)


def _render(job: RenderJob, options: RenderingOptions) -> RenderedMessage:
    return render_message(
        job.text,
        nonce=job.nonce,
        numbers=job.numbers,
        line_breaks=job.line_breaks,
        anchors=job.anchors,
        options=options,
    )


class RenderPool:
    """Worker processes that render; one that hangs or dies is replaced, and its message shown as plain text.

    Use it in ``with``.
    """

    def __init__(self, options: RenderingOptions, *, workers: int | None = None) -> None:
        self._options = options
        self._workers = workers or os.cpu_count() or 1
        self._pool = ProcessPool(max_workers=self._workers, initializer=_leave_interrupts, context=get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops the workers, at once."""
        self._pool.stop()  # type: ignore[no-untyped-call] # pebble types all but this
        self._pool.join()

    def render_all(self, jobs: Iterable[RenderJob]) -> Iterator[RenderedMessage]:
        """One message for each of ``jobs``, in their order; a few jobs are under way at once."""
        under_way: deque[tuple[RenderJob, Future[RenderedMessage]]] = deque()
        for job in jobs:
            under_way.append((job, self._begun(job)))
            if len(under_way) >= 4 * self._workers:
                yield self._result(*under_way.popleft())
        while under_way:
            yield self._result(*under_way.popleft())

    def _begun(self, job: RenderJob) -> "Future[RenderedMessage]":
        if not job.text:
            # Half of all messages say nothing: they are not worth the way to another process.
            nothing: Future[RenderedMessage] = Future()
            nothing.set_result(RenderedMessage(""))
            return nothing
        # A signal sent on time stops Python code; the wall clock stops a worker stuck in C code.
        return self._pool.schedule(render_job, args=(job, self._options), timeout=_WALL_SECONDS)

    def _result(self, job: RenderJob, future: "Future[RenderedMessage]") -> RenderedMessage:
        try:
            return future.result()
        except (TimeoutError, ProcessExpired, _TooSlowError):
            return plain_message(job.text, _TOO_SLOW)


class InProcessRenderer:
    """Renders in this process, without a bound on time: for texts that were rendered before, and for tests."""

    def __init__(self, options: RenderingOptions = DEFAULT_OPTIONS) -> None:
        self._options = options

    def render_all(self, jobs: Iterable[RenderJob]) -> Iterator[RenderedMessage]:
        """One message for each of ``jobs``, in their order."""
        for job in jobs:
            yield _render(job, self._options)
