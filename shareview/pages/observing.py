"""What is noted of every answer, the gate's too, where the site is told to: figures, and a line in the log."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from shareview.pages.gate import Application, StartResponse
from shareview.pages.logs import without_secrets
from shareview.pages.metrics import count_answer

_LOG = logging.getLogger("shareview.access")


@dataclass(frozen=True)
class Observed:
    """``application``, of whose answers is noted how long each took to begin; ``clock`` gives seconds."""

    application: Application
    clock: Callable[[], float]
    counts: bool
    logs: bool

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """The answer of ``application``."""
        begun = self.clock()

        def noting(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            self._note(environ, int(status[:3]), self.clock() - begun)
            return start_response(status, headers, *more)

        return self.application(environ, noting)

    def _note(self, environ: dict[str, Any], status: int, seconds: float) -> None:
        path = environ.get("PATH_INFO", "")
        if self.counts:
            count_answer(path, status, seconds)
        if self.logs:
            said = {
                "method": environ["REQUEST_METHOD"],
                "path": without_secrets(path),
                "status": status,
                "ms": round(seconds * 1_000, 2),
            }
            _LOG.info("answered", extra=said)
