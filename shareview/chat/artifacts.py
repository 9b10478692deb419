"""Claim-level citations of one answer, as they were delivered (session-export, "kind: citation_artifact")."""

from dataclasses import dataclass
from enum import StrEnum


class ArtifactStatus(StrEnum):
    """Whether the citations are there, on their way, or could not be made."""

    COMPLETE = "complete"
    RUNNING = "running"
    PENDING = "pending"


class PendingCode(StrEnum):
    """Why an answer's citations could not be made or taken."""

    SCHEMA_INVALID = "annotation_schema_invalid"
    FOREIGN_SPAN = "annotation_foreign_span"
    FOREIGN_BLOCK = "annotation_foreign_block"
    DUPLICATE = "annotation_duplicate"
    BUDGET = "annotation_budget"
    TIMEOUT = "annotation_timeout"
    PROVIDER_ERROR = "provider_error"
    RATE_LIMITED = "provider_rate_limited"
    ANSWER_TRUNCATED = "answer_truncated"
    NO_EVIDENCE = "no_evidence"
    ARTIFACT_INVALID = "artifact_invalid"


class SpanKind(StrEnum):
    """What part of an answer a claim span is."""

    SENTENCE = "sentence"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"


class VerdictValue(StrEnum):
    """Whether evidence backs a claim."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Span:
    """A claim: code points ``start`` to ``end`` of the answer's Markdown, and the words that stand there."""

    id: str
    kind: SpanKind
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class EvidenceBlock:
    """A piece of a document, as retrieval returned it for this answer."""

    id: str
    document: str
    title: str
    section: str
    url: str
    version: str
    text: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A claim and the blocks that are said to back it."""

    id: str
    span: str
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A checker's word on one block of an annotation, or on all of them together where ``block`` is None.

    ``code`` says why a checker that was asked could not tell; it is empty where it gave its word.
    """

    annotation: str
    block: str | None
    value: VerdictValue
    reason: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class JudgedContext:
    """What a checker was given: the words of one claim under the id of its annotation, and the blocks beside it."""

    id: str
    text: str
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judge:
    """Who gave the verdicts, under which rubric, and what it was given; ``contexts`` is empty where none are kept."""

    provider: str
    model: str
    rubric_version: str
    prompt_sha256: str
    contexts: tuple[JudgedContext, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """How annotations were made: by which model and prompt, in how many calls, at what cost."""

    provider: str
    model: str
    prompt_version: str
    prompt_sha256: str
    calls: int
    input_tokens: int
    output_tokens: int
    latency_ms: int


@dataclass(frozen=True, slots=True)
class Artifact:
    """The citations of one answer; ``faults`` lists all that is wrong with them, one sentence each."""

    message: str
    status: ArtifactStatus
    error_code: str = ""
    limitation: str = ""
    spans: tuple[Span, ...] = ()
    blocks: tuple[EvidenceBlock, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    judge: Judge | None = None
    faults: tuple[str, ...] = ()
