"""The readers' views: parse, ask, translate."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec, Protocol
from urllib.parse import urlsplit

from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from shareview.pages.access import EndedShareError, NoSuchPlaceError, NoSuchShareError, open_share
from shareview.pages.addresses import PageAddresses
from shareview.pages.answers import answer
from shareview.pages.attachments import image_kind
from shareview.pages.checks import check_view
from shareview.pages.claims import KEPT, card_view, claim_lines, claims_view
from shareview.pages.conversations import (
    all_claims,
    answer_claims,
    arrival,
    article_of,
    conversation,
    sources_of,
    steps_of,
)
from shareview.pages.documents import document_view
from shareview.pages.errors import ended, not_found
from shareview.pages.exports import answer_markdown, export_jsonl, export_markdown, export_model_input, export_text
from shareview.pages.headers import never_stored
from shareview.pages.identifiers import fragment, html_id, source_id, sources_id, steps_id
from shareview.pages.languages import chosen_language, language_tag
from shareview.pages.page import page_context, shell_context
from shareview.pages.states import PageState, read_number, read_state
from shareview.shares.models import Share
from shareview.snapshots.annotation_jobs import open_jobs

Arguments = ParamSpec("Arguments")
_EXPORTS: Final = {
    "jsonl": (export_jsonl, "application/jsonl; charset=utf-8"),
    "md": (export_markdown, "text/markdown; charset=utf-8"),
    "txt": (export_text, "text/plain; charset=utf-8"),
}


class ShareView(Protocol[Arguments]):
    """A view whose address begins with a share's token."""

    def __call__(
        self, request: HttpRequest, token: str, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponse:
        """The answer."""
        ...


def _of_share(
    view: Callable[Concatenate[HttpRequest, Share, Arguments], HttpResponse],
) -> "ShareView[Arguments]":
    """``view`` for the live share behind a token; 404 and 410 for others, before anything else is looked at."""

    @csrf_exempt
    @require_safe
    @wraps(view)
    def with_share(request: HttpRequest, token: str, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponse:
        translation.activate(chosen_language(request))
        if (
            "\0" in request.path
            or "\0" in request.META.get("QUERY_STRING", "")
            or "%00" in request.META.get("QUERY_STRING", "")
        ):
            return not_found(request)
        try:
            return view(request, open_share(token, now=timezone.now()), *args, **kwargs)
        except (NoSuchShareError, NoSuchPlaceError):
            return not_found(request)
        except EndedShareError:
            return ended(request)

    return with_share


def _is_fragment(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-History-Restore-Request") != "true"


@_of_share
def share_page(request: HttpRequest, share: Share) -> HttpResponse:
    """The share in the state that its address asks for."""
    state = read_state(request.GET)
    addresses = PageAddresses(share.token())
    language = translation.get_language() or "en"

    def compose() -> str:
        view = conversation(share, state, addresses)
        context = page_context(share, view, state, addresses, language_tag(language))
        return render_to_string("pages/share.html", context)

    response = answer(request, share, language, compose)
    if request.method == "GET" and response.status_code == 200 and not _is_fragment(request):
        Share.objects.filter(pk=share.pk).update(views=F("views") + 1)
    return response


@_of_share
def without_slash(request: HttpRequest, share: Share) -> HttpResponse:
    """The share's address without its last slash."""
    query = request.META.get("QUERY_STRING", "")
    place = PageAddresses(share.token()).page(PageState()) + (f"?{query}" if query else "")
    return never_stored(HttpResponseRedirect(place))


def _state_after(request: HttpRequest, message: str, what: str) -> PageState:
    """What the reader sees, and in it what was asked for: panels that htmx opened before stay as they are."""
    asked = read_state(request.GET)
    return _current_state(request).doing(asked, message, what) if "HX-Current-URL" in request.headers else asked


def _current_state(request: HttpRequest) -> PageState:
    """The state of the page that htmx asks from; without htmx, that of the address."""
    current = request.headers.get("HX-Current-URL")
    return read_state(QueryDict(urlsplit(current).query) if current else request.GET)


@_of_share
def sources(request: HttpRequest, share: Share, message: str) -> HttpResponse:
    """One answer's source panel; without htmx the whole page in that state."""
    if not _is_fragment(request):
        return share_page(request, share.token())
    state, addresses = _state_after(request, message, "sources"), PageAddresses(share.token())

    def compose() -> str:
        return render_to_string(
            "pages/sources.html", {"sources": sources_of(share.snapshot, message, state, addresses), "state": state}
        )

    place = source_id(message, state.cited.k) if state.cited and state.cited.message == message else sources_id(message)
    pushed = _pushed(request, addresses, state, place)
    return answer(request, share, translation.get_language() or "en", compose, headers=pushed)


@_of_share
def article(request: HttpRequest, share: Share, message: str) -> HttpResponse:
    """An answer whose citations are being made: all of it once they are there, till then when to look again."""
    if not _is_fragment(request):
        return share_page(request, share.token())
    state = _current_state(request)
    addresses, tries = PageAddresses(share.token()), read_number(request.GET.get("try", ""))
    if message in open_jobs(share.snapshot):
        again = {"check": check_view(message, state, addresses, tries)}
        return never_stored(HttpResponse(render_to_string("pages/check.html", again)))
    view = article_of(share, message, state, addresses)
    context = {**shell_context(share, state, addresses.page, addresses, ""), "message": view, "who": _("Answer")}
    response = HttpResponse(render_to_string("pages/article.html", context))
    response["HX-Retarget"], response["HX-Reswap"] = "closest .message", "outerHTML"
    return never_stored(response)


@_of_share
def steps(request: HttpRequest, share: Share, message: str) -> HttpResponse:
    """The steps before one answer; without htmx the whole page in that state."""
    if not _is_fragment(request):
        return share_page(request, share.token())
    state, addresses = _state_after(request, message, "steps"), PageAddresses(share.token())

    def compose() -> str:
        return render_to_string("pages/steps.html", {"steps": steps_of(share, message, state, addresses)})

    pushed = _pushed(request, addresses, state, steps_id(message))
    return answer(request, share, translation.get_language() or "en", compose, headers=pushed)


def _pushed(request: HttpRequest, addresses: PageAddresses, state: PageState, place: str) -> list[tuple[str, str]]:
    """The address that the link leads to without htmx, and that a reader may send on; once in a row."""
    address = addresses.page(state) + fragment(place)
    is_there = request.headers.get("HX-Current-URL", "").endswith(address)
    return [("HX-Push-Url", "false" if is_there else address)]


@_of_share
def card(request: HttpRequest, share: Share, message: str, span: str) -> HttpResponse:
    """The card of one claim; without htmx the whole page with the card open."""
    if not _is_fragment(request):
        return share_page(request, share.token())
    state, addresses = read_state(request.GET), PageAddresses(share.token())

    def compose() -> str:
        found = answer_claims(share.snapshot, message)
        claim = found.claim(span)
        if claim is None:
            raise NoSuchPlaceError
        return render_to_string("pages/card.html", {"card": card_view(found, claim, state, addresses)})

    return answer(request, share, translation.get_language() or "en", compose)


@_of_share
def claims(request: HttpRequest, share: Share, message: str) -> HttpResponse:
    """The list of an answer's claims, all or those of a kind."""
    state, addresses = read_state(request.GET), PageAddresses(share.token())
    only = request.GET.get("only", "")
    if only not in KEPT:
        raise NoSuchPlaceError
    language = translation.get_language() or "en"

    def compose() -> str:
        found = answer_claims(share.snapshot, message)
        shell = shell_context(
            share, state, lambda other: addresses.claims(message, other, only), addresses, language_tag(language)
        )
        view = {"claims": claims_view(found, state, addresses), "lines": claim_lines(found, only, state, addresses)}
        place = addresses.page(state.at_message(message)) + fragment(html_id(message))
        return render_to_string("pages/claims.html", {**shell, **view, "answer_href": place})

    return answer(request, share, language, compose)


@_of_share
def document(request: HttpRequest, share: Share, document: str) -> HttpResponse:
    """A document as far as retrieval returned it, with the claims that cite it."""
    state, addresses = read_state(request.GET), PageAddresses(share.token())
    language = translation.get_language() or "en"

    def compose() -> str:
        view = document_view(all_claims(share.snapshot), document, state, addresses)
        if view is None:
            raise NoSuchPlaceError
        shell = shell_context(
            share, state, lambda other: addresses.document(document, other), addresses, language_tag(language)
        )
        return render_to_string("pages/document.html", {**shell, "document": view})

    return answer(request, share, language, compose)


@_of_share
def markdown(request: HttpRequest, share: Share, message: str) -> HttpResponse:
    """One answer with its sources, to copy or to keep."""
    return answer(
        request,
        share,
        translation.get_language() or "en",
        lambda: answer_markdown(share.snapshot, message),
        content_type="text/markdown; charset=utf-8",
        headers=[("Content-Disposition", f'attachment; filename="{share.public_id}.md"')],
    )


@_of_share
def rounds(request: HttpRequest, share: Share) -> HttpResponse:
    """The rounds of one part of a long share; without htmx the whole page in that state."""
    if not _is_fragment(request):
        return share_page(request, share.token())
    state, addresses = read_state(request.GET), PageAddresses(share.token())

    def compose() -> str:
        view = conversation(share, state, addresses)
        context = page_context(share, view, state, addresses, "")
        return render_to_string("pages/part.html", {**context, "direction": request.GET.get("towards", "")})

    return answer(request, share, translation.get_language() or "en", compose)


@_of_share
def thread(request: HttpRequest, share: Share) -> HttpResponse:
    """One thread with the tree of threads beside it; without htmx the whole page in that state."""
    if not _is_fragment(request):
        return share_page(request, share.token())
    state, addresses = read_state(request.GET), PageAddresses(share.token())

    def compose() -> str:
        view = conversation(share, state, addresses)
        return render_to_string("pages/thread.html", page_context(share, view, state, addresses, ""))

    place = arrival(share.snapshot, state) or state.place()
    pushed = _pushed(request, addresses, state, place) if place else [("HX-Push-Url", addresses.page(state))]
    return answer(request, share, translation.get_language() or "en", compose, headers=pushed)


@_of_share
def model_input(request: HttpRequest, share: Share) -> HttpResponse:
    """A thread as messages for a model, to go on with elsewhere."""
    state = read_state(request.GET)
    name = f'attachment; filename="{share.public_id}.model-input.json"'
    return answer(
        request,
        share,
        "en",
        lambda: export_model_input(share, state.thread),
        content_type="application/json; charset=utf-8",
        headers=[("Content-Disposition", name)],
    )


@_of_share
def file(request: HttpRequest, share: Share, sha256: str) -> HttpResponse:
    """The bytes of an image that a message of the share holds."""
    stored = share.snapshot.files.filter(sha256=sha256).first()
    kind = image_kind(bytes(stored.data)) if stored else None
    if stored is None or kind is None:
        raise NoSuchPlaceError
    response = HttpResponse(bytes(stored.data), content_type=kind)
    response["Cache-Control"] = "private, no-cache"
    response["Content-Disposition"] = "inline"
    response["ETag"] = f'"{sha256}"'
    return response


@_of_share
def export(request: HttpRequest, share: Share, ending: str) -> HttpResponse:
    """What the share shows, to keep."""
    if ending not in _EXPORTS:
        raise NoSuchPlaceError
    make, content_type = _EXPORTS[ending]
    attached = [("Content-Disposition", f'attachment; filename="{share.public_id}.{ending}"')]
    return answer(request, share, "en", lambda: make(share), content_type=content_type, headers=attached)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt: ``/s/`` is not disallowed, or crawlers would never see that a share must not be indexed."""
    return HttpResponse("User-agent: *\nDisallow: /admin/\n", content_type="text/plain; charset=utf-8")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the site can serve, which takes the database."""
    Share.objects.exists()
    return never_stored(HttpResponse("ok\n", content_type="text/plain; charset=utf-8"))
