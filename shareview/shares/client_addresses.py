"""From which address a request comes, behind as many proxies as the site has."""

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

_UNKNOWN: Final = "0.0.0.0"  # noqa: S104 - stands for an address that is not known
_HOME_NETWORK: Final = 64
"""Bits of an IPv6 address that tell one line from another; the rest is chosen anew at will (RFC 4291, RFC 8981)."""


def client_address(request: HttpRequest) -> str:
    """The address of who asks: what the outermost of our own proxies saw, never what a client says of itself."""
    return _address(request.META)


def _address(environ: Mapping[str, Any]) -> str:
    return read_client_address(
        environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", ""), settings.SHAREVIEW_PROXIES
    )


def read_client_address(remote: str, forwarded: str, proxies: int) -> str:
    """The address, given the connection's own, ``X-Forwarded-For``, and how many proxies add to that."""
    seen = [*(part.strip() for part in forwarded.split(",") if part.strip()), remote]
    candidate = seen[-1 - proxies] if proxies < len(seen) else seen[0]
    try:
        return str(ipaddress.ip_address(candidate))
    except ValueError:
        return _UNKNOWN


def client_line(environ: Mapping[str, Any]) -> str:
    """What tries are counted by, of a request's WSGI environment: the address, of IPv6 its first 64 bits."""
    address = ipaddress.ip_address(_address(environ))
    if address.version == 6:
        return str(ipaddress.ip_network((int(address), _HOME_NETWORK), strict=False))
    return str(address)
