"""What claims cost: ``python -m tests.benchmarks.claims`` prints CPU seconds, the best of five runs each."""

import sys
import time
from collections.abc import Callable
from functools import partial

from shareview.chat.artifacts import Annotation, Artifact, ArtifactStatus, EvidenceBlock, Span, Verdict, VerdictValue
from shareview.citations.claim_citations import claims_of
from shareview.citations.claims import split_claims
from shareview.citations.validation import validate_artifact
from shareview.rendering.claims import ClaimLink, link_claims
from shareview.rendering.messages import Anchor, render_message

SENTENCES = "This is a sentence about **things** with `code.x` and [a link](https://a.example/x.y). 中文句子也在这里。 "


def best(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of five runs."""

    def once() -> float:
        begun = time.process_time()
        work()
        return time.process_time() - begun

    return min(once() for _ in range(5))


def whole_artifact(spans: tuple[Span, ...]) -> Artifact:
    """An artifact of a claim a block for each of ``spans``."""
    blocks = tuple(EvidenceBlock(f"b{n}", "d", "Title", "", "", "1", SENTENCES) for n in range(len(spans)))
    pairs = tuple(Annotation(f"a{n}", span.id, (f"b{n}",)) for n, span in enumerate(spans))
    verdicts = tuple(Verdict(pair.id, pair.blocks[0], VerdictValue.SUPPORTED, "") for pair in pairs)
    return Artifact("m", ArtifactStatus.COMPLETE, "", "", spans, blocks, pairs, verdicts)


def validate_and_render(answer: str, artifact: Artifact) -> None:
    """All that stands between an artifact and the page."""
    assert validate_artifact(artifact, answer) == ()
    anchors = [Anchor(place, end, s.id) for s in artifact.spans for place, end in ((s.start, False), (s.end, True))]
    rendered = render_message(answer, nonce="0" * 32, anchors=anchors)
    claims = {claim.span.id: claim for claim in claims_of(artifact)}

    def links(name: str) -> tuple[ClaimLink, ...]:
        return tuple(
            ClaimLink(name, c.k, c.block.id, "supported", "#", "#", "e", is_current=False) for c in claims[name].cited
        )

    assert link_claims(rendered.html, links).count("data-block") == len(claims)


def main() -> None:
    """Prints the table."""
    for size in (10, 100, 1_000):
        answer = (SENTENCES * 3 + "\n\n- Item one. And two.\n\n") * (size * 1_000 // 340)
        seconds = best(partial(split_claims, answer))
        sys.stdout.write(f"split {len(answer):>9,} code points: {seconds * 1_000:8.1f} ms\n")
    answer = "\n\n".join(f"Claim {n} is a sentence with some words." for n in range(1_000))
    seconds = best(partial(validate_and_render, answer, whole_artifact(split_claims(answer))))
    sys.stdout.write(f"validate and render 1,000 claims, 1,000 blocks: {seconds:.2f} s\n")


if __name__ == "__main__":
    main()
