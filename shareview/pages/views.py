"""The readers' views: parse, ask, translate."""

import json
from typing import Any, Final
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from shareview.pages.access import NoSuchPlaceError, OpenedShare
from shareview.pages.addresses import Door, PageAddresses
from shareview.pages.answers import answer
from shareview.pages.attachments import image_kind
from shareview.pages.checks import check_view
from shareview.pages.claims import KEPT, card_view, claim_lines, claims_view
from shareview.pages.compositions import compose_for_reader
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
from shareview.pages.exports import answer_markdown, export_jsonl, export_markdown, export_model_input, export_text
from shareview.pages.headers import never_stored
from shareview.pages.identifiers import fragment, html_id, source_id, sources_id, steps_id
from shareview.pages.keyed_links import links_as_buttons
from shareview.pages.languages import language_tag
from shareview.pages.link_previews import oembed_answer, preview_card
from shareview.pages.opening import is_fragment, of_share
from shareview.pages.page import page_context, shell_context
from shareview.pages.preview_image import draw_preview
from shareview.pages.search import search_share
from shareview.pages.states import PageState, read_number, read_state
from shareview.pages.viewing import is_view
from shareview.shares.revoke import token_of_ours
from shareview.shares.view_counts import VIEWS, is_no_reader
from shareview.snapshots.annotation_jobs import open_jobs

_EXPORTS: Final = {
    "jsonl": (export_jsonl, "application/jsonl; charset=utf-8"),
    "md": (export_markdown, "text/markdown; charset=utf-8"),
    "txt": (export_text, "text/plain; charset=utf-8"),
}


@of_share
def share_page(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    """The share in the state that its address asks for."""
    return _whole_page(request, opened)


def _whole_page(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    state = read_state(request.GET)
    language = translation.get_language() or "en"

    def compose() -> str:
        html = compose_for_reader(opened, state, request.META.get("QUERY_STRING", ""), language)
        return _keyed(request, html, opened)

    response = answer(request, opened, language, compose)
    if response.status_code == 200 and opened.share.pk and is_view(request):
        crawls = is_no_reader(request.headers.get("User-Agent", ""))
        VIEWS.count(opened.share.pk, now=opened.now, is_crawler=crawls)
    return response


def _page(request: HttpRequest, template: str, context: dict[str, Any], opened: OpenedShare) -> str:
    return _keyed(request, render_to_string(template, context), opened)


def _keyed(request: HttpRequest, html: str, opened: OpenedShare) -> str:
    # A script turns the buttons into links again; where it asks itself, it is there already.
    return html if not opened.unlocking or "HX-Request" in request.headers else links_as_buttons(html)


@of_share
def without_slash(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    """The share's address without its last slash."""
    query = request.META.get("QUERY_STRING", "")
    place = opened.addresses.page(PageState()) + (f"?{query}" if query else "")
    return never_stored(HttpResponseRedirect(place, preserve_request=request.method == "POST"))


def _state_after(request: HttpRequest, message: str, what: str) -> PageState:
    """What the reader sees, and in it what was asked for: panels that htmx opened before stay as they are."""
    asked = read_state(request.GET)
    return _current_state(request).doing(asked, message, what) if "HX-Current-URL" in request.headers else asked


def _current_state(request: HttpRequest) -> PageState:
    """The state of the page that htmx asks from; without htmx, that of the address."""
    current = request.headers.get("HX-Current-URL")
    return read_state(QueryDict(urlsplit(current).query) if current else request.GET)


@of_share
def sources(request: HttpRequest, opened: OpenedShare, message: str) -> HttpResponse:
    """One answer's source panel; without htmx the whole page in that state."""
    if not is_fragment(request):
        return _whole_page(request, opened)
    share, addresses = opened.share, opened.addresses
    state = _state_after(request, message, "sources")

    def compose() -> str:
        return render_to_string(
            "pages/sources.html", {"sources": sources_of(share.snapshot, message, state, addresses), "state": state}
        )

    place = source_id(message, state.cited.k) if state.cited and state.cited.message == message else sources_id(message)
    pushed = _pushed(request, addresses, state, place)
    return answer(request, opened, translation.get_language() or "en", compose, headers=pushed)


@of_share
def article(request: HttpRequest, opened: OpenedShare, message: str) -> HttpResponse:
    """An answer whose citations are being made: all of it once they are there, till then when to look again."""
    if not is_fragment(request):
        return _whole_page(request, opened)
    state = _current_state(request)
    share, addresses, tries = opened.share, opened.addresses, read_number(request.GET.get("try", ""))
    if message in open_jobs(share.snapshot):
        again = {"check": check_view(message, state, addresses, tries)}
        return never_stored(HttpResponse(render_to_string("pages/check.html", again)))
    view = article_of(share, message, state, addresses)
    context = {**shell_context(opened, state, addresses.page, ""), "message": view, "who": _("Answer")}
    response = HttpResponse(render_to_string("pages/article.html", context))
    response["HX-Retarget"], response["HX-Reswap"] = "closest .message", "outerHTML"
    return never_stored(response)


@of_share
def steps(request: HttpRequest, opened: OpenedShare, message: str) -> HttpResponse:
    """The steps before one answer; without htmx the whole page in that state."""
    if not is_fragment(request):
        return _whole_page(request, opened)
    share, addresses = opened.share, opened.addresses
    state = _state_after(request, message, "steps")

    def compose() -> str:
        return render_to_string("pages/steps.html", {"steps": steps_of(share, message, state, addresses)})

    pushed = _pushed(request, addresses, state, steps_id(message))
    return answer(request, opened, translation.get_language() or "en", compose, headers=pushed)


def _pushed(request: HttpRequest, addresses: PageAddresses, state: PageState, place: str) -> list[tuple[str, str]]:
    """The address that the link leads to without htmx, and that a reader may send on; once in a row."""
    address = addresses.page(state) + fragment(place)
    is_there = request.headers.get("HX-Current-URL", "").endswith(address)
    return [("HX-Push-Url", "false" if is_there else address)]


@of_share
def card(request: HttpRequest, opened: OpenedShare, message: str, span: str) -> HttpResponse:
    """The card of one claim; without htmx the whole page with the card open."""
    if not is_fragment(request):
        return _whole_page(request, opened)
    share, addresses = opened.share, opened.addresses
    state = read_state(request.GET)

    def compose() -> str:
        found = answer_claims(share.snapshot, message)
        claim = found.claim(span)
        if claim is None:
            raise NoSuchPlaceError
        return render_to_string("pages/card.html", {"card": card_view(found, claim, state, addresses)})

    return answer(request, opened, translation.get_language() or "en", compose)


@of_share
def claims(request: HttpRequest, opened: OpenedShare, message: str) -> HttpResponse:
    """The list of an answer's claims, all or those of a kind."""
    share, addresses = opened.share, opened.addresses
    state = read_state(request.GET)
    only = request.GET.get("only", "")
    if only not in KEPT:
        raise NoSuchPlaceError
    language = translation.get_language() or "en"

    def compose() -> str:
        found = answer_claims(share.snapshot, message)
        shell = shell_context(
            opened, state, lambda other: addresses.claims(message, other, only), language_tag(language)
        )
        view = {"claims": claims_view(found, state, addresses), "lines": claim_lines(found, only, state, addresses)}
        place = addresses.page(state.at_message(message)) + fragment(html_id(message))
        return _page(request, "pages/claims.html", {**shell, **view, "answer_href": place}, opened)

    return answer(request, opened, language, compose)


@of_share
def document(request: HttpRequest, opened: OpenedShare, document: str) -> HttpResponse:
    """A document as far as retrieval returned it, with the claims that cite it."""
    share, addresses = opened.share, opened.addresses
    state = read_state(request.GET)
    language = translation.get_language() or "en"

    def compose() -> str:
        view = document_view(all_claims(share.snapshot), document, state, addresses)
        if view is None:
            raise NoSuchPlaceError
        shell = shell_context(opened, state, lambda other: addresses.document(document, other), language_tag(language))
        return _page(request, "pages/document.html", {**shell, "document": view}, opened)

    return answer(request, opened, language, compose)


@of_share
def markdown(request: HttpRequest, opened: OpenedShare, message: str) -> HttpResponse:
    """One answer with its sources, to copy or to keep."""
    return answer(
        request,
        opened,
        translation.get_language() or "en",
        lambda: answer_markdown(opened.share.snapshot, message),
        content_type="text/markdown; charset=utf-8",
        headers=[("Content-Disposition", f'attachment; filename="{opened.share.public_id}.md"')],
    )


@of_share
def rounds(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    """The rounds of one part of a long share; without htmx the whole page in that state."""
    if not is_fragment(request):
        return _whole_page(request, opened)
    share, addresses = opened.share, opened.addresses
    state = read_state(request.GET)

    def compose() -> str:
        view = conversation(share, state, addresses)
        context = page_context(opened, view, state, "")
        return render_to_string("pages/part.html", {**context, "direction": request.GET.get("towards", "")})

    return answer(request, opened, translation.get_language() or "en", compose)


@of_share
def thread(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    """One thread with the tree of threads beside it; without htmx the whole page in that state."""
    if not is_fragment(request):
        return _whole_page(request, opened)
    share, addresses = opened.share, opened.addresses
    state = read_state(request.GET)

    def compose() -> str:
        view = conversation(share, state, addresses)
        return render_to_string("pages/thread.html", page_context(opened, view, state, ""))

    place = arrival(share.snapshot, state) or state.place()
    pushed = _pushed(request, addresses, state, place) if place else [("HX-Push-Url", addresses.page(state))]
    return answer(request, opened, translation.get_language() or "en", compose, headers=pushed)


@of_share
def search(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    """What a reader asks for in the share. A form with the key of a locked share has the words in its body."""
    share, addresses = opened.share, opened.addresses
    state = read_state(request.GET).carried()
    query = request.GET.get("q") or request.POST.get("q", "")
    page = read_number(request.GET.get("page", ""))
    language = translation.get_language() or "en"

    def compose() -> str:
        view = search_share(share, query, state, addresses, page=page)
        shell = shell_context(
            opened, state, lambda other: addresses.search(other, view.query, page), language_tag(language)
        )
        back = addresses.page(state)
        return _page(request, "pages/search.html", {**shell, "search": view, "back_href": back}, opened)

    return answer(request, opened, language, compose)


@of_share
def model_input(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    """A thread as messages for a model, to go on with elsewhere."""
    state = read_state(request.GET)
    name = f'attachment; filename="{opened.share.public_id}.model-input.json"'
    return answer(
        request,
        opened,
        "en",
        lambda: export_model_input(opened.share, state.thread),
        content_type="application/json; charset=utf-8",
        headers=[("Content-Disposition", name)],
    )


@of_share
def file(request: HttpRequest, opened: OpenedShare, sha256: str) -> HttpResponse:
    """The bytes of an image that a message of the share holds."""
    stored = opened.share.snapshot.files.filter(sha256=sha256).first()
    kind = image_kind(bytes(stored.data)) if stored else None
    if stored is None or kind is None:
        raise NoSuchPlaceError
    response = HttpResponse(bytes(stored.data), content_type=kind)
    response["Cache-Control"] = "private, no-cache"
    response["Content-Disposition"] = "inline"
    response["ETag"] = f'"{sha256}"'
    return response


@of_share
def export(request: HttpRequest, opened: OpenedShare, ending: str) -> HttpResponse:
    """What the share shows, to keep."""
    if ending not in _EXPORTS:
        raise NoSuchPlaceError
    make, content_type = _EXPORTS[ending]
    attached = [("Content-Disposition", f'attachment; filename="{opened.share.public_id}.{ending}"')]
    return answer(request, opened, "en", lambda: make(opened.share), content_type=content_type, headers=attached)


@of_share
def nothing(request: HttpRequest, opened: OpenedShare, rest: str) -> HttpResponse:
    """Any other address below a share's: 404, or what the share's state says."""
    raise NoSuchPlaceError


@of_share
def preview(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    """The picture that stands for the share in a list of links; pages of other sites may show it."""
    if opened.addresses.door is not Door.PAGE:
        raise NoSuchPlaceError
    card = preview_card(opened)
    headers = [("Cross-Origin-Resource-Policy", "cross-origin")]
    return answer(request, opened, "en", lambda: draw_preview(card), content_type="image/png", headers=headers)


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """What a page that links to a share may show of it (oEmbed 1.0, JSON)."""
    if request.GET.get("format", "json") != "json":
        return never_stored(HttpResponse("oEmbed is given as JSON\n", "text/plain; charset=utf-8", status=501))
    return _oembed(request, token_of_ours(request.GET.get("url", "")))


@of_share
def _oembed(request: HttpRequest, opened: OpenedShare) -> HttpResponse:
    width, height = (read_number(request.GET.get(name, "")) or None for name in ("maxwidth", "maxheight"))
    told = oembed_answer(opened, width=width, height=height)
    response = never_stored(HttpResponse(json.dumps(told, ensure_ascii=False), "application/json; charset=utf-8"))
    # Pages ask for it from their own origin, and it tells no more than whoever has the link can read.
    response["Access-Control-Allow-Origin"] = "*"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
