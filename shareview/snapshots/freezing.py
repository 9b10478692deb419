"""Freezing a session: facts and derived HTML go into the database together, or not at all."""

import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction

from shareview.chat.messages import Message, Role
from shareview.chat.sessions import Session
from shareview.citations.checking import DroppedCitation as Dropped
from shareview.citations.markers import strip_markers
from shareview.exports.spool import Export, SpooledArtifact
from shareview.leaks.redaction import RedactedText, Redaction
from shareview.leaks.searching import Finding
from shareview.rendering.characters import shown_characters
from shareview.rendering.pool import Renderer
from shareview.snapshots.artifacts import newest_artifacts
from shareview.snapshots.delivered_artifacts import add_artifacts, artifact_news, artifact_notices, selected_artifacts
from shareview.snapshots.derivation import DerivedMessage, RecordLine, derive_messages
from shareview.snapshots.derived_rows import BATCH, Derived, batches, lost_quotes, replace_derived
from shareview.snapshots.digests import digest_of
from shareview.snapshots.hiding import HiddenKind, Hiding, hidden_kinds
from shareview.snapshots.lines import FrozenLine, frozen_lines
from shareview.snapshots.models import (
    DroppedCitation,
    FrozenFile,
    FrozenRecord,
    Snapshot,
)
from shareview.snapshots.moved_selectors import sources_by_position, visible_sources
from shareview.snapshots.quoting import QuoteDerivation
from shareview.snapshots.redacting import (
    SessionSearch,
    redacted_artifact,
    redacted_lines,
    redacted_session,
    touched_artifacts,
)
from shareview.snapshots.rows_on_disk import Row, RowsOnDisk
from shareview.snapshots.selection import FreezeError, Selection, select_messages
from shareview.snapshots.withholding import NOTHING_WITHHELD, Withholding

TITLE_LENGTH: Final = 60
_SHORT_DIGEST: Final = 12

Progress = Callable[[int, int], None]
"""Told how many messages of how many are done."""


def _no_progress(done: int, total: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Freeze:
    """What came of it: the snapshot, the recorded citations that were dropped (with their messages), and notices.

    ``findings`` are the secrets and personal data of the session; ``redacted`` says whether they were taken out.
    """

    snapshot: Snapshot
    dropped: tuple[tuple[str, Dropped], ...]
    notices: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    is_redacted: bool = False


@dataclass
class _Frozen:
    """The lines of a session on their way into the database."""

    rows: RowsOnDisk[tuple[RecordLine, FrozenLine]]
    session: Session
    digest: str = ""
    records: int = 0
    messages: int = 0
    first_question: str = ""
    started_at: datetime | None = None
    files: set[str] = field(default_factory=set)
    hidden: Counter[HiddenKind] = field(default_factory=Counter)
    dropped: list[tuple[str, Dropped]] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[RecordLine]:
        """The records in order."""
        return (record for record, _ in self.rows)

    def collected(self) -> Iterator[FrozenLine]:
        """The lines as they came."""
        return (line for _, line in self.rows)


def freeze_session(
    export: Export,
    *,
    now: datetime,
    renderer: Renderer,
    up_to: Sequence[str] = (),
    threads: Sequence[str] = (),
    show_system: bool = False,
    withholding: Withholding = NOTHING_WITHHELD,
    progress: Progress = _no_progress,
) -> Freeze:
    """Freezes what ``select_messages`` chooses of ``export``, citations checked, and renders it.

    Citations are checked on all of it; then what ``withholding`` names is left out, and leaks are dealt with.
    The same session at the same watermark gives the snapshot that is there already. Everything is written in one
    transaction. Raises FreezeError where the selection cannot be made, LeaksFoundError where a secret stops it.
    """
    selection = select_messages(export, up_to=up_to, threads=threads, show_system=show_system)
    hiding, leaks = withholding.hiding, withholding.leaks
    _require_known(hiding, selection)
    with ExitStack() as files:
        rendered, lines, clean = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        delivered = selected_artifacts(export, selection)
        artifacts = selected_artifacts(export, selection, hiding)
        frozen = _collect(
            frozen_lines(export, selection, hiding), selection, _Frozen(RowsOnDisk(lines), export.session)
        )
        search = _search(export, frozen, artifacts)
        findings = search.findings(leaks)
        redaction = search.redaction(leaks)
        if redaction:
            contents = {spooled.artifact.message: RedactedText("") for spooled in artifacts}
            touched = touched_artifacts(artifacts, redaction)
            pointed_into = sources_by_position(frozen.collected())
            taken_out = redacted_lines(
                frozen.collected(),
                redaction,
                files=search.files,
                touched=touched,
                contents=contents,
                visible=visible_sources(frozen.collected(), pointed_into, redaction, renderer),
            )
            session = redacted_session(export.session, redaction)
            frozen = _collect(taken_out, selection, _Frozen(RowsOnDisk(clean), session))
            artifacts = [redacted_artifact(spooled, redaction, contents) for spooled in artifacts]
        quotes = QuoteDerivation(frozen.lines())
        notices = (
            *selection.notices, *frozen.notices, *artifact_notices(export, delivered), *quotes.asked.contradictions,
        )  # fmt: skip
        snapshot = Snapshot.objects.filter(digest=frozen.digest).first()
        if snapshot is not None:
            artifacts = artifact_news(snapshot, artifacts)
            if not artifacts:
                _add_files(snapshot, export, frozen.files)
                return _freeze(snapshot, frozen, notices, findings, redaction)
        newest = {spooled.artifact.message: spooled.record for spooled in artifacts}
        known = newest_artifacts(snapshot) if snapshot is not None else {}
        messages = quotes.watch(derive_messages(frozen.lines, {**known, **newest}, renderer))
        derived = Derived(_spool(messages, RowsOnDisk[DerivedMessage](rendered), frozen.messages, progress), quotes)
        if snapshot is None:
            snapshot = _store(_snapshot_of(selection, frozen, now), export, artifacts, frozen, derived)
        else:
            _add_to(snapshot, export, artifacts, frozen, derived)
        return _freeze(snapshot, frozen, notices, findings, redaction)


def _freeze(
    snapshot: Snapshot,
    frozen: "_Frozen",
    notices: Sequence[str],
    findings: tuple[Finding, ...],
    redaction: Redaction | None,
) -> Freeze:
    said = (*notices, *lost_quotes(snapshot))
    return Freeze(snapshot, tuple(frozen.dropped), said, findings, is_redacted=redaction is not None)


def _require_known(hiding: Hiding, selection: Selection) -> None:
    for id in sorted(hiding.messages - set(selection.messages)):
        raise FreezeError(f"--hide-message {id}: no message of this id enters the share")


def _search(export: Export, frozen: "_Frozen", artifacts: Sequence[SpooledArtifact]) -> SessionSearch:
    search = SessionSearch(export)
    for line in frozen.collected():
        search.take(line)
    for spooled in artifacts:
        search.take_artifact(spooled)
    return search


def _spool(messages: Iterable[Row], rows: RowsOnDisk[Row], total: int, progress: Progress) -> RowsOnDisk[Row]:
    for done, message in enumerate(messages, 1):
        rows.append(message)
        progress(done, total)
    return rows


def _snapshot_of(selection: Selection, frozen: _Frozen, now: datetime) -> Snapshot:
    session = frozen.session
    return Snapshot(
        digest=frozen.digest,
        session_id=session.id or frozen.digest[:_SHORT_DIGEST],
        title=shown_characters(session.title) or frozen.first_question,
        app=shown_characters(session.app),
        model=shown_characters(session.model),
        started_at=frozen.started_at,
        exported_at=session.exported_at,
        frozen_at=now,
        message_count=frozen.messages,
        hidden_system_messages=selection.hidden_system_messages,
        hidden_messages=frozen.hidden[HiddenKind.MESSAGE],
        hidden_results=frozen.hidden[HiddenKind.RESULT],
        hidden_reasonings=frozen.hidden[HiddenKind.REASONING],
    )


def _store(
    snapshot: Snapshot,
    export: Export,
    artifacts: Sequence[SpooledArtifact],
    frozen: _Frozen,
    derived: Derived,
) -> Snapshot:
    try:
        with transaction.atomic():
            _write(snapshot, export, artifacts, frozen, derived)
    except IntegrityError:
        # Somebody else froze the same session meanwhile: theirs is ours, to the last byte.
        return Snapshot.objects.get(digest=frozen.digest)
    return snapshot


def _collect(lines: Iterable[FrozenLine], selection: Selection, frozen: _Frozen) -> _Frozen:
    replaced = {message.replaces for message in selection.messages.values()}

    def keep() -> Iterator[str]:
        for line in lines:
            frozen.rows.append((RecordLine(frozen.records, line.kind, line.line), line))
            frozen.records += 1
            _note(frozen, line, replaced)
            yield line.line

    frozen.digest = digest_of(keep())
    return frozen


def _note(frozen: _Frozen, line: FrozenLine, replaced: set[str]) -> None:
    frozen.dropped += [(line.id, dropped) for dropped in line.dropped]
    if line.notice:
        frozen.notices.append(line.notice)
    message = line.message
    if message is None:
        return
    frozen.messages += 1
    frozen.hidden.update(hidden_kinds(message))
    frozen.started_at = frozen.started_at or message.created_at
    frozen.files |= {attachment.sha256 for attachment in message.attachments if attachment.sha256}
    if message.role is Role.USER and message.id not in replaced and not frozen.first_question:
        frozen.first_question = title_of(message)


def title_of(question: Message) -> str:
    """What stands as title where a session has none: the first question as plain text, 60 characters."""
    text = " ".join(shown_characters(strip_markers(question.content)).split())
    return text[:TITLE_LENGTH]


def _write(
    snapshot: Snapshot,
    export: Export,
    artifacts: Sequence[SpooledArtifact],
    frozen: _Frozen,
    derived: Derived,
) -> None:
    snapshot.save(force_insert=True)
    records = (
        FrozenRecord(snapshot=snapshot, position=record.position, kind=record.kind, record_id=line.id, line=record.line)
        for record, line in frozen.rows
    )
    for batch in batches(records):
        FrozenRecord.objects.bulk_create(batch)
    _add_files(snapshot, export, frozen.files)
    DroppedCitation.objects.bulk_create(
        DroppedCitation(
            snapshot=snapshot,
            message_id=id,
            n=dropped.n,
            url=shown_characters(dropped.url),
            title=shown_characters(dropped.title),
            reason=dropped.reason,
        )
        for id, dropped in frozen.dropped
    )
    add_artifacts(snapshot, artifacts)
    replace_derived(snapshot, derived)


def _add_to(
    snapshot: Snapshot,
    export: Export,
    artifacts: Sequence[SpooledArtifact],
    frozen: _Frozen,
    derived: Derived,
) -> None:
    """What another publishing of the same session brings; what is shown of it follows its newest artifacts."""
    with transaction.atomic():
        _add_files(snapshot, export, frozen.files)
        add_artifacts(snapshot, artifacts)
        replace_derived(snapshot, derived)


def _add_files(snapshot: Snapshot, export: Export, wanted: Collection[str]) -> None:
    """The bytes that the export holds of the files that the snapshot names and lacks."""
    for sha256 in sorted(wanted):
        data = export.file(sha256)
        if data is not None and not snapshot.files.filter(sha256=sha256).exists():
            FrozenFile.objects.create(snapshot=snapshot, sha256=sha256, data=data)


def frozen_records(snapshot: Snapshot) -> Iterator[RecordLine]:
    """The frozen records of ``snapshot`` in order, as a stream."""
    rows = snapshot.records.values_list("position", "kind", "line").iterator(chunk_size=BATCH)
    return (RecordLine(*row) for row in rows)


def rerender_snapshot(snapshot: Snapshot, *, renderer: Renderer, progress: Progress = _no_progress) -> None:
    """Rebuilds all that is derived of ``snapshot`` from its frozen records, in one transaction."""
    with tempfile.TemporaryFile() as file:
        quotes = QuoteDerivation(frozen_records(snapshot))
        messages = derive_messages(lambda: frozen_records(snapshot), newest_artifacts(snapshot), renderer)
        rows = RowsOnDisk[DerivedMessage](file)
        derived = Derived(_spool(quotes.watch(messages), rows, snapshot.message_count, progress), quotes)
        with transaction.atomic():
            replace_derived(snapshot, derived)


def is_intact(snapshot: Snapshot) -> bool:
    """Whether the frozen records, artifacts and files of ``snapshot`` still match their digests."""
    if digest_of(record.line for record in frozen_records(snapshot)) != snapshot.digest:
        return False
    if any(digest_of([artifact.line]) != artifact.digest for artifact in snapshot.artifacts.all()):
        return False
    return all(hashlib.sha256(file.data).hexdigest() == file.sha256 for file in snapshot.files.iterator())
