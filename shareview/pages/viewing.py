"""Which requests are somebody opening a share."""

from django.http import HttpRequest

from shareview.pages.opening import is_fragment


def is_view(request: HttpRequest) -> bool:
    """Whether ``request`` opens the share, not a part of it nor another state of it from the page itself.

    A HEAD is none, nor is what a browser fetches before anybody asks for it.
    """
    if is_fragment(request) or "prefetch" in request.headers.get("Sec-Purpose", ""):
        return False
    if request.method == "POST":
        return bool(request.POST.get("password"))
    return request.method == "GET" and request.headers.get("Sec-Fetch-Site") != "same-origin"
