"""Django's settings. What differs between sites comes from the environment; see ``environment``."""

import os
from datetime import timedelta
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from shareview.environment import PROJECT, read_environment
from shareview.rendering.messages import RenderingOptions

ENVIRONMENT = read_environment(os.environ)

SECRET_KEY = ENVIRONMENT.secret_key
DEBUG = ENVIRONMENT.debug
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
SHAREVIEW_BASE_URL = ENVIRONMENT.base_url
SHAREVIEW_TOKEN_KEY = ENVIRONMENT.token_key
SHAREVIEW_ADMIN_HOST = ENVIRONMENT.admin_host
SHAREVIEW_PROXIES = ENVIRONMENT.proxies
SHAREVIEW_SECOND_FACTOR_REQUIRED = ENVIRONMENT.second_factor_required
SHAREVIEW_PERSONAL_DATA_STOPS = ENVIRONMENT.personal_data_stops
SHAREVIEW_UPLOAD_BYTES = ENVIRONMENT.upload_bytes
SHAREVIEW_METRICS_TOKEN = ENVIRONMENT.metrics_token
SHAREVIEW_METRICS_DIR = ENVIRONMENT.data_dir / "metrics"
if SHAREVIEW_METRICS_TOKEN:
    # Where all processes of a machine leave their figures; prometheus_client looks for it when it is first imported.
    SHAREVIEW_METRICS_DIR.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(SHAREVIEW_METRICS_DIR)
SHAREVIEW_DEMO = "SHAREVIEW_DEMO" in os.environ  # Set by the demo command for the server it starts.
SHAREVIEW_RENDERING = RenderingOptions(
    math=ENVIRONMENT.math, code_colour=ENVIRONMENT.code_colour, raw_html=ENVIRONMENT.raw_html
)

INSTALLED_APPS = [
    "shareview.admins.apps.ShareviewAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "csp",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "shareview.snapshots",
    "shareview.shares",
    "shareview.pages",
    "shareview.admins",
]

MIDDLEWARE = [
    "shareview.pages.headers.AnswerHeadersMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "shareview.admins.hosts.AdminHostMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "shareview.urls"
WSGI_APPLICATION = "shareview.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [PROJECT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES: dict[str, Any] = {"default": dict(ENVIRONMENT.database)}
CACHES = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": ENVIRONMENT.cache_url}
        if ENVIRONMENT.cache_url
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    ),
    # In the process alone: no word of a share is kept where erasing it does not reach, nor longer than this.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "TIMEOUT": 300,
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["annotations"]}}
SHAREVIEW_LLM = ENVIRONMENT.llm

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "shareview.shares.roles.RoleBackend",
]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
# By address alone: by name, anybody could keep the admins out just when a link must end.
AXES_LOCKOUT_PARAMETERS = ["ip_address"]
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "shareview.shares.client_addresses.client_address"
AXES_LOCKOUT_CALLABLE = "shareview.pages.errors.too_many_sign_ins"
AXES_VERBOSE = False
OTP_TOTP_ISSUER = "shareview"
OTP_ADMIN_HIDE_SENSITIVE_DATA = True
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Chinese"))]
LOCALE_PATHS = [PROJECT / "shareview" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = ENVIRONMENT.data_dir / "static"
STATICFILES_DIRS = [PROJECT / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "shareview.pages.script.ScriptFinder",
]
SHAREVIEW_MADE_FILES = ENVIRONMENT.data_dir / "made"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "no-referrer"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # Set by AnswerHeadersMiddleware, which an embed page can leave out.
SECURE_SSL_REDIRECT = ENVIRONMENT.is_https
SECURE_HSTS_SECONDS = 31_536_000 if ENVIRONMENT.is_https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = ENVIRONMENT.is_https
SECURE_HSTS_PRELOAD = ENVIRONMENT.is_https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENVIRONMENT.is_https else None
SESSION_COOKIE_SECURE = ENVIRONMENT.is_https
CSRF_COOKIE_SECURE = ENVIRONMENT.is_https
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_HTTPONLY = True
SILENCED_SYSTEM_CHECKS = [
    # X-Frame-Options is set by AnswerHeadersMiddleware: an embed page must go without it.
    "security.W002",
]

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"redact_secrets": {"()": "shareview.pages.logs.RedactSecrets"}},
    "formatters": {
        "lines": {"()": f"shareview.pages.logs.{'JsonLines' if ENVIRONMENT.logs_json else 'PlainLines'}"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "filters": ["redact_secrets"], "formatter": "lines"},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "shareview.access": {"level": "INFO"},
        # Django logs the path of each 4xx, and with it the token.
        "django.request": {"handlers": ["console"], "level": "ERROR", "propagate": False},
    },
}
