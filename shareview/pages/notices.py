"""Why an answer has no citations to show (yet), or a claim no verdict, in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from shareview.annotation.judge import JudgeCode
from shareview.chat.artifacts import Artifact, ArtifactStatus, PendingCode
from shareview.rendering.characters import shown_characters


@dataclass(frozen=True)
class NoticeView:
    """Why an answer has no claims to show (yet)."""

    kind: str
    title: str
    text: str
    code: str = ""


def notices_of(artifact: Artifact) -> Iterator[NoticeView]:
    """What a reader is told of ``artifact`` beside its claims."""
    unaffected = _("The text is not affected.")
    code, limitation = shown_characters(artifact.error_code), shown_characters(artifact.limitation)
    if artifact.status is ArtifactStatus.RUNNING:
        when = _("They were still being checked when this was frozen.")
        yield NoticeView("running", _("Checking citations."), f"{when} {unaffected}")
    if code == PendingCode.ANSWER_TRUNCATED:
        yield NoticeView("truncated", _("Content incomplete."), _("The answer itself was cut short."))
    if artifact.status is ArtifactStatus.PENDING:
        reasons = _("; ").join(filter(None, (code_words(code), limitation.rstrip("."))))
        text = " ".join(filter(None, (reasons and _("Annotation not finished: %s.") % reasons, unaffected)))
        yield NoticeView("pending", _("Citations not finished."), text, code)
    elif limitation:
        yield NoticeView("truncated", _("Content incomplete."), limitation)


def code_words(code: str) -> str:
    """Why citations are pending, in words for a reader; empty for a code that is not ours."""
    words: dict[str, str] = {
        PendingCode.SCHEMA_INVALID: _("the annotating model did not answer in the agreed form"),
        PendingCode.FOREIGN_SPAN: _("the annotating model named a claim that is not in the answer"),
        PendingCode.FOREIGN_BLOCK: _("the annotating model named evidence that was not retrieved for this answer"),
        PendingCode.DUPLICATE: _("the annotating model named a claim or a piece of evidence twice"),
        PendingCode.BUDGET: _("answer and evidence are too long for what an annotation may cost"),
        PendingCode.TIMEOUT: _("the annotation did not come to its end in time"),
        PendingCode.PROVIDER_ERROR: _("the annotating model could not be reached, or failed"),
        PendingCode.RATE_LIMITED: _("the annotating model had too much to do"),
        PendingCode.ANSWER_TRUNCATED: _("the answer itself was cut short"),
        PendingCode.NO_EVIDENCE: _("nothing was retrieved for this answer that it could cite"),
        PendingCode.ARTIFACT_INVALID: _("the citations that were delivered do not fit this answer"),
    }
    return words.get(code, "")


def judge_words(code: str) -> str:
    """Why a checker that was asked gave no verdict, in a sentence for a reader; empty for a code that is not ours."""
    words: dict[str, str] = {
        JudgeCode.OUTPUT_INVALID: _("The checker did not answer in the agreed form."),
        JudgeCode.QUOTE_MISSING: _("The checker showed no words of the evidence that back the claim."),
        JudgeCode.BUDGET: _("Checking all of this answer would have cost too much."),
        JudgeCode.TIMEOUT: _("The check did not come to its end in time."),
        JudgeCode.PROVIDER_ERROR: _("The checker could not be reached, or failed."),
        JudgeCode.RATE_LIMITED: _("The checker had too much to do."),
    }
    return words.get(code, "")
