"""Evaluating the citations of shares, for a machine (JSON) and for a person (a report with plots)."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from shareview.annotation.evaluation import (
    AnswerEvaluation,
    CitationKind,
    Integrity,
    SupportCounts,
    Totals,
    evaluate_artifact,
    evaluate_markers,
    total,
)
from shareview.chat.artifacts import ArtifactStatus
from shareview.chat.turns import MessagePart
from shareview.citations.claim_citations import claims_of
from shareview.citations.marker_claims import marker_claims
from shareview.dialect.parser import DialectError
from shareview.shares.models import Share
from shareview.snapshots.annotation_jobs import open_jobs
from shareview.snapshots.answer_material import answer_material
from shareview.snapshots.models import RenderedMessage, Snapshot

VERSION: Final = 1


@dataclass(frozen=True)
class ShareEvaluation:
    """The answers of one share."""

    share: Share
    answers: tuple[AnswerEvaluation, ...]

    @property
    def totals(self) -> Totals:
        """The share's answers together."""
        return total(self.answers)


def evaluate_shares(shares: Iterable[Share]) -> tuple[ShareEvaluation, ...]:
    """The evaluation of each answer that ``shares`` show, from the same artifacts that the page shows."""
    return tuple(ShareEvaluation(share, _evaluate_snapshot(share.snapshot)) for share in shares)


def total_of_shares(evaluations: Sequence[ShareEvaluation]) -> Totals:
    """All answers of all shares together; one that several shares show counts once."""
    once = {one.share.snapshot_id: one for one in evaluations}
    return total(answer for one in once.values() for answer in one.answers)


def _evaluate_snapshot(snapshot: Snapshot) -> tuple[AnswerEvaluation, ...]:
    rows = snapshot.rendered.filter(part=MessagePart.ANSWER).defer("html", "reasoning_html")
    running = open_jobs(snapshot)
    return tuple(_evaluate(snapshot, row, is_running=row.message_id in running) for row in rows)


def _evaluate(snapshot: Snapshot, row: RenderedMessage, *, is_running: bool) -> AnswerEvaluation:
    material = answer_material(snapshot, row.message_id)
    is_complete = material.artifact is not None and material.artifact.status is ArtifactStatus.COMPLETE
    if is_running and not is_complete:
        return AnswerEvaluation(row.message_id, CitationKind.CLAIMS, ArtifactStatus.RUNNING.value)
    if material.artifact is not None:
        return evaluate_artifact(material.artifact, claims_of(material.artifact, row.located))
    dropped = snapshot.dropped_citations.filter(message_id=row.message_id).count()
    try:
        claims = marker_claims(material.answer.content, material.citations)
    except DialectError:
        claims = ()
    return evaluate_markers(row.message_id, claims, dropped)


def evaluation_record(evaluations: Sequence[ShareEvaluation]) -> dict[str, Any]:
    """The evaluation as JSON has it: totals, then shares with their answers. Rates are None where nothing counts."""
    return {
        "version": VERSION,
        "totals": _totals(total_of_shares(evaluations)),
        "shares": [
            {
                "share": one.share.public_id,
                "title": one.share.shown_title,
                "session": one.share.snapshot.session_id,
                "digest": one.share.snapshot.digest,
                "totals": _totals(one.totals),
                "answers": [_answer(answer) for answer in one.answers],
            }
            for one in evaluations
        ],
    }


def _totals(totals: Totals) -> dict[str, Any]:
    return {
        "answers": totals.answers,
        "evaluated": totals.evaluated,
        "pending": dict(totals.pending),
        "claims": totals.claims,
        "cited": totals.cited,
        "integrity": _rated(totals.integrity),
        "support": _rated(totals.support),
        "alignment": asdict(totals.alignment) if totals.alignment else None,
        "documents": _documents(totals),
    }


def _answer(answer: AnswerEvaluation) -> dict[str, Any]:
    if answer.pending:
        return {"message": answer.message, "kind": answer.kind.value, "pending": answer.pending}
    return {
        "message": answer.message,
        "kind": answer.kind.value,
        "claims": answer.claims,
        "cited": answer.cited,
        "integrity": _rated(answer.integrity),
        "support": _rated(answer.support),
        "alignment": asdict(answer.alignment) if answer.alignment else None,
        "documents": _documents(answer),
    }


def _rated(counts: Integrity | SupportCounts) -> dict[str, Any]:
    return {**asdict(counts), "rate": counts.rate}


def _documents(of: Totals | AnswerEvaluation) -> list[dict[str, Any]]:
    return [{"document": id, "title": title, **asdict(counts)} for (id, title), counts in of.documents.items()]


@dataclass(frozen=True)
class Segment:
    """A piece of a bar: where it begins and how wide it is, in hundredths of the bar."""

    kind: str
    count: int
    start: float
    width: float

    @property
    def words(self) -> str:
        """What it counts, in words."""
        return {
            "supported": _("supported"),
            "unsupported": _("not supported"),
            "unknown": _("cannot be told"),
            "unjudged": _("not checked yet"),
        }[self.kind]


@dataclass(frozen=True)
class Bar:
    """One line of a plot; without segments where its citations are pending or there are none."""

    label: str
    pending: str
    integrity: Integrity
    segments: tuple[Segment, ...]


def answer_bars(evaluation: ShareEvaluation) -> tuple[Bar, ...]:
    """A bar for each answer."""
    return tuple(
        Bar(answer.message, answer.pending, answer.integrity, segments_of(answer.support))
        for answer in evaluation.answers
    )


def document_bars(totals: Totals) -> tuple[Bar, ...]:
    """A bar for each document, the most cited first."""
    bars = [Bar(title or id, "", Integrity(), segments_of(counts)) for (id, title), counts in totals.documents.items()]
    return tuple(sorted(bars, key=lambda bar: -sum(segment.count for segment in bar.segments)))


def segments_of(counts: SupportCounts) -> tuple[Segment, ...]:
    """The pieces of a bar, as wide as their counts."""
    each = asdict(counts)
    whole = sum(each.values())
    segments, start = [], 0.0
    for kind, count in each.items():
        if count:
            width = 100 * count / whole
            segments.append(Segment(kind, count, round(start, 2), round(width, 2)))
            start += width
    return tuple(segments)
