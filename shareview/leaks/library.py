"""The rules of detect-secrets whose form alone tells a secret.

Not taken over: its entropy plug-ins; ``KeywordDetector`` and the rules for IBM, Cloudant and SoftLayer, which the rule
for assignments covers with fewer false alarms; its rules for GitHub, OpenAI, npm, PyPI, Stripe and SendGrid, which miss
some of today's tokens or whose time grows with the square of a hostile line; ``IPPublicDetector``: no secret.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from shareview.leaks.edges import begin_with, starts_at
from shareview.leaks.findings import Leak, LeakClass


def _is_mixed(token: str) -> bool:
    return any(c.isdigit() for c in token) and any(c.islower() for c in token) and any(c.isupper() for c in token)


def _any(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: str
    patterns: tuple[re.Pattern[str], ...]
    literals: tuple[str, ...]  # a text with none of them is not searched
    is_secret: Callable[[str], bool] = _any
    around: str = ""  # what the pattern takes with it on either side of the secret
    label: str = ""  # what stands before the secret


def _patterns(plugin: type[RegexBasedDetector]) -> tuple[re.Pattern[str], ...]:
    denylist: tuple[re.Pattern[str], ...] = tuple(plugin.denylist)  # type: ignore[arg-type] # declared as an abstract property, given as a tuple
    return denylist


_RULES: Final = (
    # The second of its patterns takes long on hostile lines; ``credentials`` stands in for it.
    _Rule("aws-access-key", _patterns(AWSKeyDetector)[:1], ("A3T", "ABIA", "ACCA", "AKIA", "ASIA")),
    _Rule("azure-storage-key", _patterns(AzureStorageKeyDetector), ("AccountKey=",), label="AccountKey="),
    # The second of its patterns takes words such as APACHELICENSE.
    _Rule("artifactory-token", _patterns(ArtifactoryDetector)[:1], ("AKC",), _is_mixed, around='=:" \t\r\n'),
    _Rule("discord-token", _patterns(DiscordBotTokenDetector), ("M", "N", "O"), lambda t: _is_mixed(t[-27:])),
    _Rule("gitlab-token", _patterns(GitLabTokenDetector), ("gl", "GR1348941")),
    _Rule("mailchimp-key", _patterns(MailchimpDetector), tuple(f"-us{digit}" for digit in range(1, 10))),
    _Rule("slack-token", _patterns(SlackDetector), ("xox", "hooks.slack.com")),
    _Rule("square-secret", _patterns(SquareOAuthDetector), ("sq0csp-",)),
    _Rule("telegram-token", _patterns(TelegramBotTokenDetector), (":",), lambda t: _is_mixed(t.partition(":")[2])),
    _Rule("twilio-key", _patterns(TwilioKeyDetector), ("AC", "SK")),
)


def find_by_library(text: str) -> Iterator[Leak]:
    """Secrets that detect-secrets' patterns find, where they stand for themselves and are no part of a longer word."""
    for rule in _RULES:
        if not any(literal in text for literal in rule.literals):
            continue
        for pattern in rule.patterns:
            for found in pattern.finditer(text):
                leak = _leak(rule, text, found)
                if leak:
                    yield leak
    yield from _find_jwts(text)


def _leak(rule: _Rule, text: str, found: re.Match[str]) -> Leak | None:
    matched = found[0]
    start = found.start() + len(rule.label) + len(matched) - len(matched.lstrip(rule.around or "\0"))
    end = found.end() - (len(matched) - len(matched.rstrip(rule.around or "\0")))
    follows = text[end : end + 1]
    if not starts_at(text, found.start() if rule.label else start) or (follows.isascii() and follows.isalnum()):
        return None
    return Leak(rule.kind, start, end, LeakClass.SECRET) if rule.is_secret(text[start:end]) else None


# A run with all its dots, taken whole: the pattern of detect-secrets would look for a dot from every "eyJ" on.
_JWT: Final = re.compile(begin_with("eyJ") + r"[A-Za-z0-9_=.-]+")


def _find_jwts(text: str) -> Iterator[Leak]:
    for found in _JWT.finditer(text):
        parts = found[0].split(".", 3)[:3]
        if len(parts) == 3 and _is_jwt(*parts):
            yield Leak("jwt", found.start(), found.start() + len(".".join(parts)), LeakClass.SECRET)


def _is_jwt(header: str, payload: str, signature: str) -> bool:
    if JwtTokenDetector.is_formally_valid(f"{header}.{payload}"):
        return True
    # Cut short or mistyped by hand, it opens no door; yet nobody writes two objects and a signature by chance.
    return payload.startswith("eyJ") and min(len(header), len(payload), len(signature)) >= 10
