"""Secrets that are told by where they stand: in an address, in a header, beside a word of AWS."""

import re
from collections.abc import Iterator
from typing import Final

from shareview.leaks.findings import Leak, LeakClass
from shareview.leaks.placeholders import is_placeholder

# RFC 3986 §3.2.1: user information ends at the last @ before the path. Brackets and quotes end it in running text.
_ADDRESS: Final = re.compile(
    r"://[^\s:/?#@\"'<>`\\|()]{0,128}:(?P<secret>[^\s/?#\"'<>`\\|\[\]]{1,256})@(?=[A-Za-z0-9\[])"
)

# RFC 9110 §11.6.2: a scheme and its credentials; written as a header, an entry of an object or two arguments.
_QUOTE = r"\\{0,7}[\"'`]?"
_HEADER: Final = re.compile(
    rf"uthorization{_QUOTE}\]?[ \t]{{0,4}}[:=,][ \t]{{0,4}}{_QUOTE}"
    r"(?:[Bb]earer|BEARER|[Bb]asic|[Tt]oken|ApiKey)[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{6,})"
)
_BEARER: Final = re.compile(r"earer[ \t]{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{16,})")
_NO_LETTERS: Final = str.maketrans("", "", "._~+/=-")

_AWS_RUN: Final = re.compile(r"(?:(?<![A-Za-z0-9/+])|(?<=\\[nrt]))[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])")
_AWS_NAME: Final = re.compile(r"aws.?secret|secret.?access.?key|secret.?key")
_AWS_WORDS: Final = ("aws", "akia", "asia", "secret")
_OTHERS: Final = re.compile(r"[0-9/+]")
_NEAR: Final = 60  # code points before a secret in which its name may stand


def find_in_addresses(text: str) -> Iterator[Leak]:
    """Passwords of addresses such as ``postgres://user:…@host/``."""
    for found in _ADDRESS.finditer(text):
        if not is_placeholder(found["secret"]):
            yield Leak("url-password", *found.span("secret"), LeakClass.SECRET)


def find_in_headers(text: str) -> Iterator[Leak]:
    """Credentials of ``Authorization`` headers, and long ones behind the word Bearer alone."""
    for pattern in (_HEADER, _BEARER):
        for found in pattern.finditer(text):
            secret = found["secret"].rstrip(".")
            if not _is_word(secret, alone=pattern is _BEARER) and not is_placeholder(secret):
                start = found.start("secret")
                yield Leak("authorization-header", start, start + len(secret), LeakClass.SECRET)


def _is_word(secret: str, *, alone: bool) -> bool:
    letters = secret.translate(_NO_LETTERS)
    if alone and not any(map(str.isdigit, letters)):
        return True
    return letters.isalpha() and (letters.islower() or letters.isupper() or len(letters) < 16)


def find_aws_secrets(text: str, lowered: str) -> Iterator[Leak]:
    """Secret access keys of AWS: 40 letters of base64 that look like nothing else, but stand near a word of AWS.

    ``lowered`` is ``text`` in lower case, as long as it.
    """
    if not any(word in lowered for word in _AWS_WORDS):
        return
    for found in _AWS_RUN.finditer(text):
        before = lowered[max(0, found.start() - _NEAR) : found.start()]
        if _is_random(found[0], by_name=_AWS_NAME.search(before) is not None) and any(w in before for w in _AWS_WORDS):
            yield Leak("aws-secret-key", found.start(), found.end(), LeakClass.SECRET)


def _is_random(run: str, *, by_name: bool) -> bool:
    """Whether ``run`` is no path, no word and no digest in hexadecimal digits; less is asked where a name says it."""
    uppers, lowers = sum(map(str.isupper, run)), sum(map(str.islower, run))
    if by_name:
        return uppers > 0 and lowers > 0 and any(map(str.isdigit, run))
    # One digit and no sign is how a name in capitals and small letters looks, too: V1ExternalKeys…
    return uppers >= 5 and lowers >= 5 and len(_OTHERS.findall(run)) >= 2
