"""Tokens that say by their first letters who issued them.

The forms are those that the issuers publish for scanners, as GitHub's list of secret scanning partners and the rules of
gitleaks gather them. Lengths are lower bounds: issuers lengthen their tokens, and never shorten them.
"""

import re
from collections.abc import Iterator
from typing import Final

from shareview.leaks.edges import ENDS, begin_with
from shareview.leaks.findings import Leak, LeakClass

_ISSUERS: Final = (
    # kind, prefixes, what follows
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9_]{36,}"),
    ("github-token", "github_pat_", r"[A-Za-z0-9_]{36,}"),
    ("gitlab-token", "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glffct- glimt- glsoat- gloas- glagent-",
     r"[A-Za-z0-9_-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?"),
    ("google-api-key", "AIza", r"[A-Za-z0-9_-]{33,40}(?![A-Za-z0-9_-])"),
    ("google-token", "ya29.", r"[A-Za-z0-9_-]{24,}"),
    ("google-token", "GOCSPX-", r"[A-Za-z0-9_-]{24,}"),
    ("hugging-face-token", "hf_ api_org_", r"[A-Za-z0-9]{30,}"),
    ("slack-token", "xapp-", r"[0-9]-[A-Z0-9]{6,}-[0-9]{6,}-[A-Za-z0-9]{16,}"),
    ("slack-token", "xoxe.xoxb- xoxe.xoxp- xoxe- xoxb- xoxp- xoxa- xoxc- xoxd- xoxs- xoxr-", r"[A-Za-z0-9%-]{20,}"),
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9]{20,}"),
    ("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}(?![A-Za-z0-9_-])"),
    ("shareview-key", "svk_", r"[0-9a-f]{12}_[0-9a-f]{64}"),
    ("npm-token", "npm_", r"[A-Za-z0-9]{30,}"),
    ("pypi-token", "pypi-Ag", r"[A-Za-z0-9_-]{40,}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}"),
    ("docker-token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{24,}"),
    ("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{32,}"),
    ("databricks-token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?"),
    ("vault-token", "hvs. hvb.", r"[A-Za-z0-9_-]{24,}"),
    ("figma-token", "figd_", r"[A-Za-z0-9_-]{36,}"),
    ("linear-key", "lin_api_", r"[A-Za-z0-9]{32,}"),
    ("notion-token", "ntn_", r"[A-Za-z0-9]{40,}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    ("groq-key", "gsk_", r"[A-Za-z0-9]{40,}"),
    ("xai-key", "xai-", r"[A-Za-z0-9]{60,}"),
    ("replicate-token", "r8_", r"[A-Za-z0-9]{37,}"),
    ("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,}"),
    ("tavily-key", "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9]{24,}"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    ("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{40,}"),
    ("supabase-token", "sbp_ sb_secret_", r"[A-Za-z0-9_]{30,}"),
    ("sentry-token", "sntrys_ sntryu_", r"[A-Za-z0-9_+/=]{40,}"),
    ("new-relic-key", "NRAK-", r"[A-Z0-9]{27}"),
    ("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("atlassian-token", "ATATT3 ATCTT3", r"[A-Za-z0-9_=-]{60,}"),
    ("mailgun-key", "key-", r"[0-9a-f]{32}"),
    ("private-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    ("alibaba-cloud-key", "LTAI", r"[A-Za-z0-9]{12,30}"),
    ("tencent-cloud-key", "AKID", r"[A-Za-z0-9]{32,36}"),
    ("baidu-cloud-key", "bce-v3/ALTAK-", r"[A-Za-z0-9]{20,}/[0-9a-f]{40}"),
)  # fmt: skip

_PATTERNS: Final = tuple(
    (kind, prefix, re.compile(rf"{begin_with(prefix)}(?P<body>{body}){ENDS}"))
    for kind, prefixes, body in _ISSUERS
    for prefix in prefixes.split()
)

# One run for all keys that begin so, taken whole: nested beginnings cannot make the search start over.
_MODEL_KEY: Final = re.compile(rf"{begin_with('sk-')}(?P<body>[A-Za-z0-9_-]{{20,}})")
_FILLER: Final = frozenset("xX0*_-.")


def find_issued(text: str) -> Iterator[Leak]:
    """Tokens with the prefix of an issuer, the prefix included; not those filled up with ``x``."""
    for kind, prefix, pattern in _PATTERNS:
        if prefix not in text:
            continue
        for found in pattern.finditer(text):
            if not _is_filler(found["body"]):
                yield Leak(kind, found.start(), found.end(), LeakClass.SECRET)
    for found in _MODEL_KEY.finditer(text):
        model_kind = _model_kind(found["body"])
        if model_kind:
            yield Leak(model_kind, found.start(), found.end(), LeakClass.SECRET)


def _is_filler(body: str) -> bool:
    return _FILLER.issuperset(body) or "xxxxxx" in body.lower()


def _model_kind(body: str) -> str | None:
    """Whose key ``sk-`` and ``body`` are: most vendors of models took over this prefix."""
    if _is_filler(body):
        return None
    if body.startswith("ant-"):
        return "anthropic-key"
    if body.startswith(("proj-", "svcacct-", "admin-", "None-")) or "T3BlbkFJ" in body:
        return "openai-key"
    if body.startswith(("or-v1-", "lf-", "kimi-", "cp-")):
        return "model-key"
    # Names such as sk-estuary-crossing-… are made of words, keys of letters and digits alone.
    plain = body.isalnum() and len(body) >= 32
    return "model-key" if plain and sum(char.isdigit() for char in body) >= 3 else None
