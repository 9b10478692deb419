"""Text first, citations after: the answer is there at once, and takes its superscripts in in one swap."""

import pytest
from annotation_material import model_of
from django.contrib.auth.models import User
from django.test import Client
from model_server import Behaviour, Body, both, given, serve_model
from page_reading import by_class, by_id, page_of, text
from sessions import NOW, PublishRecords, turn

from shareview.pages.checks import MOST_TRIES
from shareview.rendering.pool import InProcessRenderer
from shareview.shares.models import Share
from shareview.snapshots.annotating import Annotators, annotate_answer, give_up
from shareview.snapshots.annotation_jobs import request_annotation
from shareview.snapshots.models import AnnotationJob, AnnotationTrace

HTMX = {"HX-Request": "true"}
RESULTS = [{"title": "Rules", "url": "https://rules.example/", "content": "Every rule applies before noon."}]


@pytest.fixture
def share(publish: PublishRecords) -> Share:
    return publish(turn("A rule applies. <b>Nobody</b> knows more.", results=RESULTS))


@pytest.fixture
def job(share: Share) -> AnnotationJob:
    found = request_annotation(share.snapshot, "4", wants_verdicts=True, now=NOW)
    assert found is not None
    return found


def make(job: AnnotationJob) -> None:
    with serve_model(both) as server:
        model = model_of(server)
        annotate_answer(job, Annotators(model, model), renderer=InProcessRenderer(), clock=lambda: NOW)


def article(reader: Client, share: Share, tries: int = 1, at: str = "") -> tuple[str, dict[str, str]]:
    response = reader.get(
        f"/s/{share.token()}/m/4/article/?try={tries}",
        headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver/s/{share.token()}/{at}"},
    )
    assert response.status_code == 200
    return response.content.decode(), dict(response.headers)


def test_the_answer_is_shown_at_once_and_says_that_it_is_checked(
    reader: Client, share: Share, job: AnnotationJob
) -> None:
    message = by_id(page_of(reader, share), "m-4")
    assert message.get("data-citations") == "running"
    assert "A rule applies." in text(by_class(message, "message-body")[0])
    (notice,) = by_class(message, "notice")
    assert text(notice).startswith("Checking citations.")
    (again,) = notice.iter("a")
    assert again.get("href") == f"/s/{share.token()}/?at=4#m-4"
    assert again.get("hx-trigger") == "load delay:2s"


def test_the_state_is_said_in_chinese_too(reader: Client, share: Share, job: AnnotationJob) -> None:
    assert "正在核对引用依据" in text(by_id(page_of(reader, share, "?lang=zh"), "m-4"))


def test_looking_again_comes_ever_later_and_ends_by_itself(reader: Client, share: Share, job: AnnotationJob) -> None:
    assert 'hx-trigger="load delay:2s"' in article(reader, share, 1)[0]
    assert 'hx-trigger="load delay:5s"' in article(reader, share, 9)[0]
    last, headers = article(reader, share, MOST_TRIES)
    assert 'hx-trigger="click"' in last
    assert "HX-Retarget" not in headers


def test_a_page_of_everything_looks_again_for_its_first_answers_alone(reader: Client, publish: PublishRecords) -> None:
    records = [record for at in range(45) for record in turn("Words.", first=1 + 4 * at, results=RESULTS)]
    share = publish(records)
    for at in range(45):
        request_annotation(share.snapshot, str(4 + 4 * at), wants_verdicts=False, now=NOW)
    page = reader.get(f"/s/{share.token()}/?open=all").content.decode()
    assert page.count('data-kind="running"') == 45
    assert page.count('hx-trigger="load') == 40


def test_all_superscripts_come_in_one_swap(reader: Client, share: Share, job: AnnotationJob) -> None:
    make(job)
    html, headers = article(reader, share)
    assert (headers["HX-Retarget"], headers["HX-Reswap"]) == ("closest .message", "outerHTML")
    assert html.count('class="cite-ref"') == 1
    assert 'data-citations="complete"' in html
    assert "hx-trigger" not in html
    assert 'data-trust="checked"' in html


def test_the_swapped_answer_is_the_one_of_the_whole_page(reader: Client, share: Share, job: AnnotationJob) -> None:
    make(job)
    page = reader.get(f"/s/{share.token()}/").content.decode()
    html, _ = article(reader, share)
    assert html.strip() in page


def test_what_the_reader_had_open_stays_open(reader: Client, share: Share, job: AnnotationJob) -> None:
    make(job)
    html, _ = article(reader, share, at="?theme=dark")
    assert "theme=dark" in html


def test_without_htmx_the_address_answers_the_whole_page(reader: Client, share: Share, job: AnnotationJob) -> None:
    assert b"<!doctype html>" in reader.get(f"/s/{share.token()}/m/4/article/").content


@pytest.mark.parametrize("message", ["1", "2", "nobody"])
def test_only_answers_are_looked_at_again(reader: Client, share: Share, message: str) -> None:
    assert reader.get(f"/s/{share.token()}/m/{message}/article/", headers=HTMX).status_code == 404


def test_a_page_that_was_kept_is_not_taken_for_current(reader: Client, share: Share) -> None:
    def tag() -> str:
        return str(reader.get(f"/s/{share.token()}/")["ETag"])

    plain = tag()
    job = request_annotation(share.snapshot, "4", wants_verdicts=False, now=NOW)
    assert job is not None
    running = tag()
    make(job)
    assert len({plain, running, tag()}) == 3


def test_a_check_that_failed_says_so_in_words_and_with_its_code(
    reader: Client, share: Share, job: AnnotationJob
) -> None:
    give_up(job, renderer=InProcessRenderer(), now=NOW)
    message = by_id(page_of(reader, share), "m-4")
    assert message.get("data-citations") == "pending"
    (notice,) = by_class(message, "notice")
    words = "Annotation not finished: the annotation did not come to its end in time. The text is not affected."
    assert " ".join(text(notice).split()) == f"Citations not finished. {words} annotation_timeout"


def test_an_answer_that_was_cut_short_says_that_its_content_is_incomplete(
    reader: Client, publish: PublishRecords
) -> None:
    share = publish(turn("A rule", status="failed", results=RESULTS))
    job = request_annotation(share.snapshot, "4", wants_verdicts=False, now=NOW)
    assert job is not None
    make(job)
    said = [text(notice) for notice in by_class(by_id(page_of(reader, share), "m-4"), "notice")]
    assert [words.split(".")[0] for words in said[:2]] == ["Content incomplete", "Citations not finished"]


def test_a_trace_shows_an_admin_prompt_and_output(share: Share, job: AnnotationJob, client: Client) -> None:
    make(job)
    client.force_login(User.objects.create_superuser("admin"))
    trace = AnnotationTrace.objects.get(purpose="annotate")
    page = client.get(f"/admin/snapshots/annotationtrace/{trace.pk}/change/").content.decode()
    assert trace.prompt_sha256 in page
    assert "You link the claims of a finished answer" in page
    assert "&lt;b&gt;Nobody&lt;/b&gt;" in page
    assert "<b>Nobody</b>" not in page
    assert client.get("/admin/snapshots/annotationtrace/").status_code == 200
    assert client.post(f"/admin/snapshots/annotationtrace/{trace.pk}/delete/").status_code == 403


def test_a_checker_that_failed_is_explained_on_the_card(reader: Client, share: Share, job: AnnotationJob) -> None:
    def answers(body: Body) -> Behaviour:
        return both(body) if "spans" in given(body) else Behaviour("no verdict")

    with serve_model(answers) as server:
        model = model_of(server)
        annotate_answer(job, Annotators(model, model), renderer=InProcessRenderer(), clock=lambda: NOW)
    card = by_id(page_of(reader, share, "?claim=4.span_0001"), "card-4")
    assert "cannot be told" in text(card)
    assert "The checker did not answer in the agreed form." in text(card)
