"""Making the citations of one frozen answer: annotate, judge, check, freeze the artifact and the trace."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from shareview.annotation.annotator import annotate
from shareview.annotation.asking import DEFAULT_BUDGET, THE_WORLD, CallBudget, World
from shareview.annotation.judge import DEFAULT_JUDGE_BUDGET, JudgeBudget, judge_artifact
from shareview.annotation.models import Model
from shareview.annotation.prompts import ANNOTATOR, JUDGE, prompt
from shareview.chat.artifacts import Artifact, ArtifactStatus, PendingCode
from shareview.citations.claims import split_claims
from shareview.dialect.parser import DialectError
from shareview.exports.artifact_writer import artifact_record, trace_record
from shareview.exports.jsonlines import JsonValue
from shareview.rendering.pool import Renderer
from shareview.snapshots.annotation_jobs import end_job
from shareview.snapshots.annotation_traces import storable, trace_row
from shareview.snapshots.answer_material import AnswerMaterial, NoSuchAnswerError, answer_material, newest_artifact
from shareview.snapshots.attaching import ArtifactRefusedError, PreparedArtifact, prepare_artifact, store_artifacts
from shareview.snapshots.models import AnnotationJob, AnnotationTrace, TracePurpose

Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Annotators:
    """The models that make and judge citations, and what they may cost an answer."""

    annotator: Model
    judge: Model
    budget: CallBudget = DEFAULT_BUDGET
    judge_budget: JudgeBudget = DEFAULT_JUDGE_BUDGET
    world: World = THE_WORLD


@dataclass(frozen=True)
class _Made:
    artifact: Artifact
    trace: JsonValue
    traces: tuple[AnnotationTrace, ...]


def annotate_answer(job: AnnotationJob, models: Annotators, *, renderer: Renderer, clock: Clock) -> str:
    """Makes the citations that ``job`` asks for and freezes them beside the answer, with the trace; then the job ends.

    Whatever goes wrong becomes a pending artifact with its code; where the answer has complete citations already,
    they stay what is shown, and the trace alone is kept. A result that comes second, because another worker ended
    the job, is thrown away. Gives the artifact's status or code, or ``"superseded"``.
    """
    try:
        material = answer_material(job.snapshot, job.message_id)
    except NoSuchAnswerError:
        end_job(job, now=clock())
        return "superseded"
    made = _make(job, material, models, clock)
    record = artifact_record(made.artifact, made.trace)
    try:
        prepared = prepare_artifact(job.snapshot, record, line=0, renderer=renderer)
    except ArtifactRefusedError as error:
        made = _invalid(job, made, error)
        record = artifact_record(made.artifact, made.trace)
        prepared = prepare_artifact(job.snapshot, record, line=0, renderer=renderer)
    return _finish(job, prepared, made.traces, clock())


def _is_complete(artifact: Artifact | None) -> bool:
    return artifact is not None and artifact.status is ArtifactStatus.COMPLETE


def _says_anything(artifact: Artifact) -> bool:
    """Whether an artifact says anything: not one that is pending, or whose checker gave no word."""
    if not _is_complete(artifact):
        return False
    return not artifact.verdicts or any(not verdict.code for verdict in artifact.verdicts)


def _invalid(job: AnnotationJob, made: "_Made", error: ArtifactRefusedError) -> "_Made":
    for trace in made.traces:
        trace.faults = [*trace.faults, *map(storable, error.faults)]
    return _Made(_pending(job.message_id, PendingCode.ARTIFACT_INVALID), made.trace, made.traces)


def give_up(job: AnnotationJob, *, renderer: Renderer, now: datetime) -> str:
    """Ends a job that no worker could finish: the answer's citations are pending as not made in time."""
    record = artifact_record(_pending(job.message_id, PendingCode.TIMEOUT))
    try:
        prepared = prepare_artifact(job.snapshot, record, line=0, renderer=renderer)
    except NoSuchAnswerError:
        end_job(job, now=now)
        return "superseded"
    return _finish(job, prepared, (), now)


def _finish(job: AnnotationJob, prepared: PreparedArtifact, traces: Sequence[AnnotationTrace], now: datetime) -> str:
    with transaction.atomic():
        if not end_job(job, now=now):
            return "superseded"
        # Looked at now: somebody may have attached one while the models were asked.
        if _says_anything(prepared.artifact) or not _is_complete(newest_artifact(job.snapshot, job.message_id)):
            store_artifacts(job.snapshot, [prepared])
        AnnotationTrace.objects.bulk_create(traces)
    artifact = prepared.artifact
    return artifact.error_code or artifact.status.value


def _pending(message_id: str, code: PendingCode) -> Artifact:
    return Artifact(message_id, ArtifactStatus.PENDING, code)


def _make(job: AnnotationJob, material: AnswerMaterial, models: Annotators, clock: Clock) -> _Made:
    existing = material.artifact
    if existing is not None and _is_complete(existing) and job.wants_verdicts and not job.starts_anew:
        return _judged(job, existing, material.trace, (), models, clock)
    if not material.is_whole:
        return _Made(_pending(job.message_id, PendingCode.ANSWER_TRUNCATED), None, ())
    try:
        spans = split_claims(material.answer.content)
    except DialectError:
        return _Made(_pending(job.message_id, PendingCode.ARTIFACT_INVALID), None, ())
    answer = material.answer.content
    annotated = annotate(
        material.question, answer, spans, material.evidence, models.annotator, budget=models.budget, world=models.world
    )
    trace = trace_row(
        job, TracePurpose.ANNOTATE, models.annotator, prompt(ANNOTATOR), annotated.exchanges, made_at=clock()
    )
    trace.span_count, trace.block_count = len(spans), len(material.evidence)
    trace.error_code, trace.faults = annotated.code or "", [storable(fault) for fault in annotated.faults]
    if annotated.code is not None:
        return _Made(_pending(job.message_id, annotated.code), trace_record(annotated.trace), (trace,))
    artifact = Artifact(
        job.message_id,
        ArtifactStatus.COMPLETE,
        spans=spans,
        blocks=material.evidence,
        annotations=annotated.annotations,
    )
    if job.wants_verdicts and artifact.annotations:
        return _judged(job, artifact, trace_record(annotated.trace), (trace,), models, clock)
    return _Made(artifact, trace_record(annotated.trace), (trace,))


def _judged(
    job: AnnotationJob,
    artifact: Artifact,
    trace: JsonValue,
    traces: tuple[AnnotationTrace, ...],
    models: Annotators,
    clock: Clock,
) -> _Made:
    judged = judge_artifact(artifact, models.judge, budget=models.judge_budget, world=models.world)
    codes = sorted({verdict.code for verdict in judged.artifact.verdicts if verdict.code})
    row = trace_row(job, TracePurpose.JUDGE, models.judge, prompt(JUDGE), judged.exchanges, made_at=clock())
    row.span_count, row.block_count = len(artifact.annotations), len(artifact.blocks)
    row.error_code = ", ".join(codes)
    return _Made(judged.artifact, trace, (*traces, row))
