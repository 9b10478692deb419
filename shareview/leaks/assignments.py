"""Values given to names that speak of secrets: in code, .env lines, YAML, JSON and JSON inside JSON, tables, prose.

After detect-secrets' ``KeywordDetector``, which takes every quoted value behind such a name. Here the value has to look
like a secret too, and the time grows with the text, not with its square.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shareview.leaks.findings import Leak, LeakClass
from shareview.leaks.placeholders import is_code, is_field_name, is_placeholder

_KEY_OF = (
    "api|access|secret|private|auth|encryption|signing|master|account|service|client|app|storage|shared|session|db"
)
_NAME = (
    rf"(?P<name>passphrase|passwords?|passwd|passcode|pwd|(?<![a-z0-9])pass|(?:{_KEY_OF})[ _-]?key|secret|token"
    r"|credentials?|密码|口令|密钥|秘钥|令牌)(?:[_-]?(?:key|value|prod|production|dev|test|live|main|[0-9]{1,2}))?"
)
_CLOSE = r"(?P<close>\\{0,7}[\"'`*]{0,3}(?:\[[0-9]{0,4}\]|\])?)[ \t]{0,8}"
_SIGN = (
    r"(?P<sign>:[ ]?[a-z_][a-z_.\[\]| ]{0,30}=(?!=)|:=|=>|={1,3}|[:：,|>]|是|为|is(?=[ \t])|(?<=[ \t]))"
    r"(?:\*\*)?[ \t]{0,8}"
)
_QUOTED = r"(?P<quote>[\"'`])(?P<quoted>(?:\\[^\n]|(?!(?P=quote))[^\\\n]){4,512})(?P=quote)"
_ESCAPED = r"(?P<escape>\\{1,7}[\"'])(?P<escaped>(?:(?!(?P=escape))[^\n\"]){4,512})(?P=escape)"
_BARE = r"(?P<bare>[!#-&(-;=?-_a-~]{4,512})"  # ASCII that is seen, without quotes and angle brackets
_ASSIGNMENT: Final = re.compile(rf"{_NAME}{_CLOSE}{_SIGN}@?(?:{_QUOTED}|{_ESCAPED}|{_BARE})")

_MARKER = r"\[\^[0-9]{1,6}\^\]"
_CUTS: Final = {
    "quoted": re.compile(rf"{_MARKER}|\\n$"),
    "escaped": re.compile(rf"{_MARKER}|\\{{1,7}}n$"),
    "bare": re.compile(rf"{_MARKER}|\\+(?:[nrt]|$)|&[\w-]+=|[,;](?:$|[\w-]+=)|\*\*|\|"),
}
_BLANK: Final = re.compile(r"\s")
_SCHEME: Final = re.compile(r"(?:bearer|basic|token) +", re.IGNORECASE)
_OPTION: Final = re.compile(r"(?:^|[\s\"'`])--[a-z-]{0,24}$")
_ENV_LINE: Final = re.compile(r"(?:^|\n|\\n)[ \t]*(?:export )?[A-Z0-9_]*$")
# Tokens that open nothing for others, by what stands before the word.
_HARMLESS: Final = re.compile(r"(?:page|next|continuation|sync|csrf|xsrf|cursor|cache|max|eos|bos|pad|resume)[_ -]?$")
_PASSWORDS: Final = ("pass", "pwd", "密码", "口令")
_ALGORITHM: Final = re.compile(r"base\d\d|sha\d|md5|utf|oauth|x509|hmac|bcrypt|argon2|pbkdf2|[hre]s\d{3}|aes|ed25519")


@dataclass(frozen=True, slots=True)
class _Assignment:
    name: str
    close: str
    sign: str
    part: str  # how the value is written: quoted, escaped, bare
    value: str
    before: str  # what leads to the name, as it is written
    after: str

    @property
    def is_password(self) -> bool:
        return self.name.startswith(_PASSWORDS)

    @property
    def is_bare(self) -> bool:
        return self.part == "bare"


def find_assigned(text: str, lowered: str) -> Iterator[Leak]:
    """Values of passwords, secrets, keys and tokens in ``text``; ``lowered`` is it in lower case, as long as it."""
    at = 0
    while found := _ASSIGNMENT.search(lowered, at):
        part = next(name for name in _CUTS if found[name] is not None)
        start = found.start(part)
        value = _trimmed(text[start : found.end(part)], part)
        # A refused value in quotes may hold an assignment itself; a bare one was cut before the next.
        at = start + len(value) if part == "bare" else start
        scheme = _SCHEME.match(value)
        if scheme:
            start, value = start + scheme.end(), value[scheme.end() :]
        if len(value) >= _SHORTEST and _is_leak(_assignment(text, found, part, value)):
            at = start + len(value)
            kind = "password" if found["name"].startswith(_PASSWORDS) else "secret-value"
            yield Leak(kind, start, at, LeakClass.SECRET)


_SHORTEST: Final = 6


def _trimmed(value: str, part: str) -> str:
    """``value`` without what belongs to the text around it."""
    cut = _CUTS[part].search(value)
    value = value[: cut.start()] if cut else value
    return value.rstrip(".,;:)]}*") if part == "bare" else value


def _assignment(text: str, found: re.Match[str], part: str, value: str) -> _Assignment:
    before, after = text[max(0, found.start() - 64) : found.start()], text[found.end(part) : found.end(part) + 8]
    return _Assignment(found["name"], found["close"], found["sign"], part, value, before, after)


def _is_leak(given: _Assignment) -> bool:
    if given.is_bare and given.value.islower() and given.value.isalpha() and given.sign != "=":
        return False
    if not _is_written_so(given) or _BLANK.search(given.value) or given.value.startswith("-----BEGIN"):
        return False
    if is_placeholder(given.value) or (given.is_bare and is_code(given.value)):
        return False
    if given.is_password:
        return _is_password(given)
    return _is_random(given.value) and not _HARMLESS.search(given.before.lower())


def _is_written_so(given: _Assignment) -> bool:
    """Whether name, sign and value stand as one of the languages has them that this rule reads."""
    match given.sign:
        case "":
            return _OPTION.search(given.before.lower()) is not None
        case ",":
            return not given.is_bare and given.close != ""
        case ">":
            return given.is_bare and given.after.startswith("</")
        case "|":
            return given.after.lstrip(" `*").startswith("|") or given.after == ""
        case _:
            return True


def _is_password(given: _Assignment) -> bool:
    """Whether people would choose it: letters alone may be a word of the text, save in a line of an .env file."""
    value = given.value
    if _ALGORITHM.match(value.lower()) or is_field_name(value):
        return False
    if any(map(str.isdigit, value)) or any(not char.isalnum() and char not in "-_.:?/=" for char in value):
        return True
    if not given.is_bare:
        return value.count("-") >= 3
    return given.sign == "=" and len(value) >= 8 and _ENV_LINE.search(given.before) is not None


def _is_random(value: str) -> bool:
    """Whether ``value`` seems to be generated: a long part with letters and digits mixed, or with symbols as well."""
    if len(value) >= 8 and any(not char.isalnum() and char not in "-_.:/=,;()[]" for char in value):
        return any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return len(value) >= 12 and any(map(_is_mixed, re.split(r"[^A-Za-z0-9+]+", value)))


def _is_mixed(part: str) -> bool:
    digits = sum(map(str.isdigit, part))
    return len(part) >= 8 and 2 <= digits < len(part)
