"""Settings from the environment: typed, checked once, a wrong one named with what it takes."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

PROJECT: Final = Path(__file__).resolve().parent.parent
_SHORTEST_TOKEN: Final = 20
_TRUE: Final = frozenset({"1", "on", "true", "yes"})
_FALSE: Final = frozenset({"", "0", "off", "false", "no"})


@dataclass(frozen=True)
class ModelSettings:
    """The models that make and judge citations, behind one OpenAI-compatible endpoint; and what an answer may cost."""

    base_url: str
    api_key: str = field(repr=False)
    model: str
    judge_model: str
    output: str
    tokens: int
    seconds: int


@dataclass(frozen=True)
class Environment:
    """What the site is told from outside; ``demo_defaults`` are variables that production must set and that are not."""

    secret_key: str
    token_key: str
    debug: bool
    allowed_hosts: tuple[str, ...]
    base_url: str
    admin_host: str
    proxies: int
    second_factor_required: bool
    personal_data_stops: bool
    upload_bytes: int
    data_dir: Path
    database: Mapping[str, Any]
    cache_url: str
    math: bool
    code_colour: bool
    raw_html: bool
    llm: ModelSettings | None
    logs_json: bool
    metrics_token: str = field(repr=False)
    demo_defaults: tuple[str, ...]

    @property
    def is_https(self) -> bool:
        """Whether links begin with https; TLS settings follow."""
        return self.base_url.startswith("https://")


def read_environment(variables: Mapping[str, str]) -> Environment:
    """The environment in ``variables``. Raises ImproperlyConfigured with a sentence for whoever runs the site."""
    data_dir = Path(variables.get("SHAREVIEW_DATA_DIR") or PROJECT / "var")
    base_url = _base_url(variables)
    admin_host = _admin_host(variables, base_url)
    secret_key = variables.get("SECRET_KEY", "")
    needed = ("SECRET_KEY", "ALLOWED_HOSTS", "SHAREVIEW_BASE_URL")
    secret_key = secret_key or _own_secret_key(data_dir)
    return Environment(
        secret_key=secret_key,
        token_key=variables.get("SHAREVIEW_TOKEN_KEY") or secret_key,
        debug=_switch(variables, "DEBUG", default=False),
        allowed_hosts=_hosts(variables, base_url, admin_host),
        base_url=base_url,
        admin_host=admin_host,
        proxies=_count(variables, "SHAREVIEW_PROXIES", default=int(base_url.startswith("https://")), least=0),
        second_factor_required=_choice(variables, "SHAREVIEW_SECOND_FACTOR", ("optional", "required")) == "required",
        personal_data_stops=_choice(variables, "SHAREVIEW_PII", ("list", "stop")) == "stop",
        upload_bytes=_count(variables, "SHAREVIEW_UPLOAD_MB", default=256) * 1_000_000,
        data_dir=data_dir,
        database=_database(variables, data_dir),
        cache_url=_cache_url(variables),
        math=_switch(variables, "SHAREVIEW_MATH", default=False),
        code_colour=_switch(variables, "SHAREVIEW_CODE_COLOUR", default=True),
        raw_html=_choice(variables, "SHAREVIEW_RAW_HTML", ("sanitize", "escape")) == "sanitize",
        llm=_llm(variables),
        logs_json=_choice(variables, "SHAREVIEW_LOG", ("text", "json")) == "json",
        metrics_token=_metrics_token(variables),
        demo_defaults=tuple(name for name in needed if not variables.get(name)),
    )


def require_production(environment: Environment) -> None:
    """Raises ImproperlyConfigured where the site would be served on what suits a demo only."""
    if environment.demo_defaults:
        names = ", ".join(environment.demo_defaults)
        raise ImproperlyConfigured(
            f"{names} must be set to serve the site: SECRET_KEY takes at least 50 random characters, ALLOWED_HOSTS "
            "host names with commas between, SHAREVIEW_BASE_URL the address that links begin with, such as "
            "https://share.example.org. To try the site out, run: python manage.py demo"
        )


def _metrics_token(variables: Mapping[str, str]) -> str:
    token = variables.get("SHAREVIEW_METRICS_TOKEN", "")
    if token and (len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token):
        raise ImproperlyConfigured(
            f"SHAREVIEW_METRICS_TOKEN takes at least {_SHORTEST_TOKEN} letters and digits, or nothing for no metrics"
        )
    return token


def _own_secret_key(data_dir: Path) -> str:
    """A random key kept beside the embedded database, so that links outlive the process that made them."""
    path = data_dir / "secret_key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(48) + "\n", encoding="ascii")
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass  # Another process was first: its key counts.
        finally:
            fresh.unlink()
    return path.read_text(encoding="ascii").strip()


def _switch(variables: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = variables.get(name)
    if value is None:
        return default
    if value.lower() in _TRUE | _FALSE:
        return value.lower() in _TRUE
    raise ImproperlyConfigured(f'{name} takes on or off, not "{value}"')


def _choice(variables: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = variables.get(name) or choices[0]
    if value not in choices:
        raise ImproperlyConfigured(f'{name} takes {", ".join(choices[:-1])} or {choices[-1]}, not "{value}"')
    return value


def _llm(variables: Mapping[str, str]) -> ModelSettings | None:
    base_url, model = (variables.get(f"SHAREVIEW_LLM_{name}", "") for name in ("BASE_URL", "MODEL"))
    if not base_url and not model:
        return None
    if not _is_endpoint(base_url):
        raise ImproperlyConfigured(
            "SHAREVIEW_LLM_BASE_URL takes the address of an OpenAI-compatible endpoint, such as "
            f'https://api.deepseek.com/v1, not "{base_url}"'
        )
    if not model:
        raise ImproperlyConfigured(
            "SHAREVIEW_LLM_MODEL must be set with SHAREVIEW_LLM_BASE_URL: the model's name there"
        )
    return ModelSettings(
        base_url=base_url,
        api_key=variables.get("SHAREVIEW_LLM_API_KEY", ""),
        model=model,
        judge_model=variables.get("SHAREVIEW_LLM_JUDGE_MODEL") or model,
        output=_choice(variables, "SHAREVIEW_LLM_OUTPUT", ("json_schema", "json_object", "text")),
        tokens=_count(variables, "SHAREVIEW_LLM_TOKENS", default=120_000),
        seconds=_count(variables, "SHAREVIEW_LLM_SECONDS", default=120),
    )


def _is_endpoint(address: str) -> bool:
    try:
        parts = urlsplit(address)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and is_whole and not any(char.isspace() for char in address)


def _count(variables: Mapping[str, str], name: str, *, default: int, least: int = 1) -> int:
    value = variables.get(name) or str(default)
    if not (value.isascii() and value.isdecimal() and least <= int(value) < 10**9):
        raise ImproperlyConfigured(f'{name} takes a whole number from {least}, not "{value}"')
    return int(value)


def _base_url(variables: Mapping[str, str]) -> str:
    value = variables.get("SHAREVIEW_BASE_URL") or "http://127.0.0.1:8000"
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise ImproperlyConfigured(
            f'SHAREVIEW_BASE_URL takes http:// or https://, a host and perhaps a port, not "{value}"'
        )
    return f"{parts.scheme}://{parts.netloc}"


def _admin_host(variables: Mapping[str, str], base_url: str) -> str:
    value = variables.get("ADMIN_HOST", "").strip().lower()
    if "/" in value or "," in value:
        raise ImproperlyConfigured(f'ADMIN_HOST takes one host name, without http:// or a path, not "{value}"')
    if value and value == urlsplit(base_url).netloc.lower():
        raise ImproperlyConfigured(f'ADMIN_HOST takes another host than that of SHAREVIEW_BASE_URL, not "{value}"')
    return value


def _hosts(variables: Mapping[str, str], base_url: str, admin_host: str) -> tuple[str, ...]:
    named = tuple(host.strip() for host in variables.get("ALLOWED_HOSTS", "").split(",") if host.strip())
    if any("/" in host for host in named):
        raise ImproperlyConfigured("ALLOWED_HOSTS takes host names with commas between, without http:// or paths")
    found = named or (urlsplit(base_url).hostname or "", "127.0.0.1", "localhost")
    return (*found, admin_host.partition(":")[0]) if admin_host else found


def _database(variables: Mapping[str, str], data_dir: Path) -> dict[str, Any]:
    url = variables.get("DATABASE_URL") or f"sqlite:///{data_dir / 'shareview.sqlite3'}"
    try:
        database: dict[str, Any] = dict(dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True))
    except (dj_database_url.ParseError, dj_database_url.UnknownSchemeError, ValueError):
        raise ImproperlyConfigured(_DATABASE_FORMS) from None
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # IMMEDIATE, or writers that meet give up at once; recursive triggers, or INSERT OR REPLACE passes ours.
        pragmas = "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA recursive_triggers=ON;"
        database["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": pragmas}
    elif database["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured(_DATABASE_FORMS)
    return database


_DATABASE_FORMS: Final = "DATABASE_URL takes sqlite:///FILE or postgres://USER:PASSWORD@HOST:PORT/NAME"


def _cache_url(variables: Mapping[str, str]) -> str:
    url = variables.get("CACHE_URL", "")
    if url and not url.startswith(("redis://", "rediss://")):
        raise ImproperlyConfigured("CACHE_URL takes redis://HOST:PORT/NUMBER, or nothing for a cache in the process")
    return url
