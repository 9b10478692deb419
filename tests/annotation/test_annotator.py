"""A model chooses ids; whatever else it does ends in a code, and the answer is never touched."""

import json
import time

import pytest
from annotation_material import ANSWER, EVIDENCE, SPANS, model_of
from model_server import Behaviour, Body, annotating, given, serve_model

from shareview.annotation.annotator import Annotated, annotate
from shareview.annotation.asking import CallBudget, World
from shareview.annotation.openai_models import OpenAIModel
from shareview.chat.artifacts import Annotation, PendingCode

IMPATIENT = World(pause=lambda seconds: None)
QUICK = CallBudget(seconds=5.0)


def annotated(*answers: Behaviour, budget: CallBudget = QUICK) -> tuple[Annotated, list[Body]]:
    """What comes of annotating with a model that answers so, and what it was asked."""
    with serve_model(*answers) as server:
        result = annotate(
            "Where does it run?", ANSWER, SPANS, EVIDENCE, model_of(server), budget=budget, world=IMPATIENT
        )
        return result, server.asked


def said(annotations: object) -> Behaviour:
    return Behaviour(json.dumps({"annotations": annotations}))


COMPLETION = {"id": "c", "object": "chat.completion", "created": 1, "model": "tested"}
GOOD = [{"span_id": "span_0002", "block_ids": ["b2", "b1"]}, {"span_id": "span_0001", "block_ids": ["b1"]}]


def test_annotations_come_in_the_order_of_the_claims() -> None:
    result, asked = annotated(said(GOOD))
    assert result.code is None
    assert result.annotations == (
        Annotation("annotation_0001", "span_0001", ("b1",)),
        Annotation("annotation_0002", "span_0002", ("b2", "b1")),
    )
    assert len(asked) == 1


def test_the_trace_names_model_prompt_and_costs() -> None:
    trace = annotated(said(GOOD))[0].trace
    assert (trace.provider, trace.model, trace.prompt_version) == ("127.0.0.1", "tested", "annotator-v1")
    assert (trace.calls, trace.input_tokens, trace.output_tokens) == (1, 100, 20)
    assert len(trace.prompt_sha256) == 64


def test_the_model_is_given_question_answer_claims_and_evidence_alone() -> None:
    (body,) = annotated(said(GOOD))[1]
    assert body["temperature"] == 0
    found = given(body)
    assert sorted(found) == ["answer", "evidence_blocks", "question", "spans"]
    assert found["answer"] == ANSWER
    assert [span["text"] for span in found["spans"]] == [span.text for span in SPANS]
    assert [block["block_id"] for block in found["evidence_blocks"]] == ["b1", "b2"]


def test_a_claim_that_cites_nothing_may_be_left_out_or_have_no_blocks() -> None:
    result, _ = annotated(said([{"span_id": "span_0001", "block_ids": []}]))
    assert (result.code, result.annotations) == (None, ())


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Behaviour("no JSON at all"), "annotation_schema_invalid"),
        (Behaviour('Here you are: {"annotations": []}'), "annotation_schema_invalid"),
        (Behaviour('```json\n{"annotations": []}\n```'), "annotation_schema_invalid"),
        (Behaviour('{"annotations": [{"span_id": "span_0001", "block_'), "annotation_schema_invalid"),
        (Behaviour('{"annotations": [], "annotations": []}'), "annotation_schema_invalid"),
        (Behaviour('{"annotations": [], "answer": "a better one"}'), "annotation_schema_invalid"),
        (Behaviour("[]"), "annotation_schema_invalid"),
        (Behaviour(""), "annotation_schema_invalid"),
        (Behaviour('{"annotations": {"span_0001": ["b1"]}}'), "annotation_schema_invalid"),
        (said([{"span_id": "span_0001", "block_ids": "b1"}]), "annotation_schema_invalid"),
        (said([{"span_id": 1, "block_ids": ["b1"]}]), "annotation_schema_invalid"),
        (said([{"span_id": "span_0009", "block_ids": ["b1"]}]), "annotation_foreign_span"),
        (said([{"span_id": "span_0001", "block_ids": ["b9"]}]), "annotation_foreign_block"),
        (said([{"span_id": "span_0001", "block_ids": ["b1", "b1"]}]), "annotation_duplicate"),
        (said([GOOD[0], {"span_id": "span_0002", "block_ids": ["b1"]}]), "annotation_duplicate"),
        (Behaviour('{"annotations": [', finish_reason="length"), "annotation_budget"),
        (Behaviour(status=500, raw=b"oops"), "provider_error"),
        (Behaviour(status=401, body={"error": {"message": "bad key"}}), "provider_error"),
        (Behaviour(status=429, body={"error": {"message": "slow down"}}, headers={"Retry-After": "0"}),
         "provider_rate_limited"),
        (Behaviour(status=429, headers={"Retry-After": "3600"}), "provider_rate_limited"),
        (Behaviour(body={"id": "x", "object": "chat.completion", "choices": []}), "provider_error"),
        (Behaviour(body={"something": "else"}), "provider_error"),
        (Behaviour(raw=b"<html>gateway</html>"), "provider_error"),
        (Behaviour('{"annotations": []}', is_cut_off=True), "provider_error"),
        (Behaviour('x\ud800'), "annotation_schema_invalid"),
        (Behaviour(raw=b"[" * 200_000), "provider_error"),
        (Behaviour(status=429, headers={"Retry-After": "\u00b2"}), "provider_rate_limited"),
        *[(Behaviour(body={**COMPLETION, "choices": choices}), "provider_error")
          for choices in ("abc", [None], ["x"], {"a": 1}, [{"message": "x"}], None, 5)],
    ],
)  # fmt: skip
def test_each_misbehaviour_has_its_own_code_after_at_most_two_calls(answer: Behaviour, code: str) -> None:
    result, asked = annotated(answer)
    assert result.code == code
    assert result.annotations == ()
    assert result.faults
    assert 1 <= len(asked) <= 2
    assert result.trace.calls == len(asked) == len(result.exchanges)


@pytest.mark.parametrize("slow", [Behaviour("{}", delay=2.0), Behaviour('{"annotations": []}', drip=0.1)])
def test_a_reply_that_takes_too_long_is_a_timeout_however_it_dawdles(slow: Behaviour) -> None:
    begun = time.monotonic()
    result, asked = annotated(slow, budget=CallBudget(seconds=0.5))
    assert result.code == "annotation_timeout"
    assert time.monotonic() - begun < 1.5
    assert len(asked) == 1


def test_a_provider_that_is_not_there_is_a_provider_error() -> None:
    with serve_model(Behaviour()) as server:
        gone = server.url
    model = OpenAIModel(gone, "", "tested")
    assert annotate("Q", ANSWER, SPANS, EVIDENCE, model, budget=QUICK).code == "provider_error"
    model.close()


def test_the_second_call_is_told_what_was_wrong_and_may_mend_it() -> None:
    foreign = said([{"span_id": "span_0001", "block_ids": ["b9"]}])
    result, asked = annotated(foreign, said(GOOD))
    assert result.code is None
    assert len(result.annotations) == 2
    correction = asked[1]["messages"][-1]["content"]
    assert 'annotations[0].block_ids: "b9" is none of the evidence blocks' in correction
    assert result.exchanges[0].fault.startswith("annotation_foreign_block: ")


def test_a_second_call_after_an_outage_brings_the_annotations() -> None:
    result, asked = annotated(Behaviour(status=503), said(GOOD))
    assert result.code is None
    assert asked[0]["messages"] == asked[1]["messages"]


@pytest.mark.parametrize(
    ("refusals", "forms"),
    [(0, ["json_schema"]), (1, ["json_schema", "json_object"])],
)
def test_structured_output_is_asked_for_where_the_endpoint_has_it(refusals: int, forms: list[str]) -> None:
    refused = Behaviour(status=400, body={"error": {"message": "This response_format type is unavailable now"}})
    result, asked = annotated(*[refused] * refusals, said(GOOD))
    assert result.code is None
    assert [body["response_format"]["type"] for body in asked] == forms


def test_what_an_endpoint_refused_is_not_asked_of_it_again() -> None:
    refused = Behaviour(status=400, body={"error": {"message": "response_format: json_schema is not supported"}})
    with serve_model(refused, said(GOOD)) as server:
        model = model_of(server)
        for _ in range(2):
            assert annotate("Q", ANSWER, SPANS, EVIDENCE, model, budget=QUICK).code is None
        assert [body["response_format"]["type"] for body in server.asked] == [
            "json_schema",
            "json_object",
            "json_object",
        ]


def test_what_would_cost_too_much_is_not_asked_at_all() -> None:
    result, asked = annotated(said(GOOD), budget=CallBudget(tokens=500))
    assert (result.code, asked) == ("annotation_budget", [])
    assert "tokens" in result.faults[0]


def test_without_evidence_or_claims_no_model_is_called() -> None:
    with serve_model(annotating) as server:
        nothing = annotate("Q", ANSWER, SPANS, (), model_of(server))
        no_claims = annotate("Q", "```\ncode\n```", (), EVIDENCE, model_of(server))
        assert server.asked == []
    assert nothing.code is PendingCode.NO_EVIDENCE
    assert (no_claims.code, no_claims.annotations) == (None, ())


def test_it_waits_as_long_as_the_provider_asks_for() -> None:
    waits: list[float] = []
    busy = Behaviour(status=429, headers={"Retry-After": "2"})
    with serve_model(busy, said(GOOD)) as server:
        world = World(pause=waits.append)
        result = annotate("Q", ANSWER, SPANS, EVIDENCE, model_of(server), budget=QUICK, world=world)
    assert result.code is None
    assert waits == [2.0]


def test_the_key_goes_to_the_endpoint_and_into_no_trace() -> None:
    with serve_model(said(GOOD)) as server:
        result = annotate("Q", ANSWER, SPANS, EVIDENCE, model_of(server, api_key="sk-secret"), budget=QUICK)
        assert server.authorizations == ["Bearer sk-secret"]
    assert "sk-secret" not in repr(result)


def completion(content: object, usage: object) -> Behaviour:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
    return Behaviour(body={**COMPLETION, "choices": [choice], "usage": usage})


@pytest.mark.parametrize(
    "usage", [None, "x", {"prompt_tokens": "12"}, {"prompt_tokens": -5}, {"prompt_tokens": 10**30}, 7]
)
def test_odd_counts_of_tokens_do_not_cost_the_annotations(usage: object) -> None:
    result, _ = annotated(completion(json.dumps({"annotations": GOOD}), usage))
    assert len(result.annotations) == 2
    assert result.trace.input_tokens == 0


def test_a_reply_in_parts_is_put_together() -> None:
    text = json.dumps({"annotations": GOOD})
    parts = [{"type": "text", "text": text[:20]}, {"type": "text", "text": text[20:]}]
    assert len(annotated(completion(parts, None))[0].annotations) == 2


@pytest.mark.parametrize("content", [5, {"text": "x"}, [5], None, True])
def test_a_reply_that_is_no_text_has_not_the_agreed_form(content: object) -> None:
    assert annotated(completion(content, None))[0].code == "annotation_schema_invalid"


def test_the_faults_of_a_monstrous_reply_are_bounded() -> None:
    begun = time.monotonic()
    result, _ = annotated(said([{"span_id": "span_0001", "block_ids": ["b1"] * 80_000}]))
    assert result.code == "annotation_duplicate"
    assert len(result.faults) == 21
    assert time.monotonic() - begun < 5
