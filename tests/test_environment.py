"""A wrong variable is named with what it takes, and production does not start on what suits a demo."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from shareview.environment import Environment, read_environment, require_production

PROJECT = Path(__file__).resolve().parent.parent


def read(tmp_path: Path, **variables: str) -> Environment:
    return read_environment({"SHAREVIEW_DATA_DIR": str(tmp_path), **variables})


@pytest.mark.parametrize(
    ("name", "value", "takes"),
    [
        ("DEBUG", "maybe", "on or off"),
        ("SHAREVIEW_MATH", "2", "on or off"),
        ("SHAREVIEW_CODE_COLOUR", "red", "on or off"),
        ("SHAREVIEW_RAW_HTML", "trust", "sanitize or escape"),
        ("SHAREVIEW_BASE_URL", "share.example.org", "http:// or https://"),
        ("SHAREVIEW_BASE_URL", "https://share.example.org/path", "http:// or https://"),
        ("ALLOWED_HOSTS", "https://share.example.org", "host names"),
        ("DATABASE_URL", "mysql://localhost/x", "sqlite:///FILE or postgres://"),
        ("DATABASE_URL", "nonsense", "sqlite:///FILE or postgres://"),
        ("ADMIN_HOST", "https://admin.example.org", "one host name"),
        ("ADMIN_HOST", "127.0.0.1:8000", "another host"),
        ("ADMIN_HOST", "a.example.org,b.example.org", "one host name"),
        ("SHAREVIEW_PROXIES", "-1", "a whole number from 0"),
        ("SHAREVIEW_SECOND_FACTOR", "always", "optional or required"),
        ("SHAREVIEW_PII", "hide", "list or stop"),
        ("SHAREVIEW_UPLOAD_MB", "big", "a whole number from 1"),
        ("CACHE_URL", "memcached://localhost", "redis://"),
        ("SHAREVIEW_LLM_BASE_URL", "api.example/v1", "the address of an OpenAI-compatible endpoint"),
        ("SHAREVIEW_LLM_BASE_URL", "http://[::1", "the address of an OpenAI-compatible endpoint"),
        ("SHAREVIEW_LLM_BASE_URL", "http://host:port/v1", "the address of an OpenAI-compatible endpoint"),
        ("SHAREVIEW_LLM_BASE_URL", "http://a b/v1", "the address of an OpenAI-compatible endpoint"),
    ],
)
def test_a_wrong_variable_is_named_with_what_it_takes(tmp_path: Path, name: str, value: str, takes: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{name} takes .*{takes}"):
        read(tmp_path, **{name: value})


MODEL = {"SHAREVIEW_LLM_BASE_URL": "https://api.example/v1", "SHAREVIEW_LLM_MODEL": "small"}


@pytest.mark.parametrize(
    ("name", "value", "takes"),
    [
        ("SHAREVIEW_LLM_OUTPUT", "xml", "json_schema, json_object or text"),
        ("SHAREVIEW_LLM_TOKENS", "many", "a whole number"),
        ("SHAREVIEW_LLM_SECONDS", "0", "a whole number"),
    ],
)
def test_a_wrong_variable_of_a_model_is_named_too(tmp_path: Path, name: str, value: str, takes: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"^{name} takes {takes}"):
        read(tmp_path, **MODEL, **{name: value})


def test_a_model_judges_what_it_made_unless_another_one_is_named(tmp_path: Path) -> None:
    assert read(tmp_path).llm is None
    llm = read(tmp_path, **MODEL).llm
    assert llm is not None
    assert (llm.model, llm.judge_model, llm.output) == ("small", "small", "json_schema")
    other = read(tmp_path, **MODEL, SHAREVIEW_LLM_JUDGE_MODEL="large", SHAREVIEW_LLM_API_KEY="sk-secret").llm
    assert other is not None
    assert other.judge_model == "large"
    assert "sk-secret" not in repr(other)


def test_an_endpoint_without_a_models_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^SHAREVIEW_LLM_MODEL must be set"):
        read(tmp_path, SHAREVIEW_LLM_BASE_URL="https://api.example/v1")


def test_without_a_variable_the_site_works_on_a_key_and_a_database_of_its_own(tmp_path: Path) -> None:
    environment = read(tmp_path)
    assert environment.database["NAME"] == str(tmp_path / "shareview.sqlite3")
    assert len(environment.secret_key) >= 50
    assert read(tmp_path).secret_key == environment.secret_key
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_production_is_refused_on_demo_defaults_by_naming_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^SECRET_KEY, ALLOWED_HOSTS, SHAREVIEW_BASE_URL must"):
        require_production(read(tmp_path))
    require_production(
        read(tmp_path, SECRET_KEY="k" * 60, ALLOWED_HOSTS="a.example", SHAREVIEW_BASE_URL="https://a.example/")
    )


def test_the_server_does_not_start_on_demo_defaults(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import shareview.wsgi"], cwd=PROJECT, capture_output=True, text=True, check=False,
        env={"SHAREVIEW_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "shareview.settings"},
    )  # fmt: skip
    assert done.returncode == 1
    assert "SECRET_KEY, ALLOWED_HOSTS, SHAREVIEW_BASE_URL must be set" in done.stderr


def test_a_command_says_in_one_line_which_variable_is_wrong(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "shares"], cwd=PROJECT, capture_output=True, text=True, check=False,
        env={"SHAREVIEW_DATA_DIR": str(tmp_path), "DEBUG": "maybe"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, 'manage.py: DEBUG takes on or off, not "maybe"\n')


def test_a_database_that_was_never_migrated_is_told_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "shares"], cwd=PROJECT, capture_output=True, text=True, check=False,
        env={"SHAREVIEW_DATA_DIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "manage.py: the database refused (no such table: shares_share); has it been migrated?\n"


def test_links_that_begin_with_https_turn_tls_settings_on(tmp_path: Path) -> None:
    assert read(tmp_path, SHAREVIEW_BASE_URL="https://a.example").is_https
    assert not read(tmp_path, SHAREVIEW_BASE_URL="http://a.example").is_https


def test_the_host_of_the_admin_is_an_allowed_one(tmp_path: Path) -> None:
    found = read(tmp_path, ALLOWED_HOSTS="share.example.org", ADMIN_HOST="Admin.example.org:8443")
    assert found.admin_host == "admin.example.org:8443"
    assert found.allowed_hosts == ("share.example.org", "admin.example.org")


@pytest.mark.parametrize(("base_url", "proxies"), [("https://share.example.org", 1), ("http://127.0.0.1:8000", 0)])
def test_whoever_ends_tls_is_a_proxy(tmp_path: Path, base_url: str, proxies: int) -> None:
    assert read(tmp_path, SHAREVIEW_BASE_URL=base_url).proxies == proxies
