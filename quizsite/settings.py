"""Settings of the whole product, from the environment.

Embedded (the default): one folder `DATA` holds database, secrets and sockets. Production: `QUIZSITE_MODE=production`,
and every address and secret must be given. What is not understood is refused.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from quizsite.sub_path import read_sub_path

BASE_DIR = Path(__file__).resolve().parent.parent
SAMPLES = {"admin", "example", "password", "postgres", "quizsite", "redis", "secret", "test"}
SAMPLE_MARKS = ("change-me", "changeme", "change_me", "django-insecure")


def _text(name: str, default: str | None = None) -> str:
    value = os.environ.get(name, default)
    if value is None:
        raise ImproperlyConfigured(f"{name} must be set: QUIZSITE_MODE, or another variable, asks for it.")
    return value


def _secret(name: str, default: str | None = None) -> str:
    """The value of a variable, or of the file that `<name>_FILE` names; one that everybody knows is refused."""
    path = os.environ.get(f"{name}_FILE")
    try:
        value = _text(name, default) if path is None else Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE names a file that cannot be read: {error}") from None
    secret = urlsplit(value).password or "" if name.endswith("_URL") else value
    if secret.lower() in SAMPLES or any(mark in secret.lower() for mark in SAMPLE_MARKS):
        raise ImproperlyConfigured(f"{name} is a sample that everybody knows. Make one of your own.")
    return value


def _with_password(url: str, password: str) -> str:
    """The address with the password in it, where there is one to put."""
    if not password:
        return url
    parts = urlsplit(url)
    if parts.password or not parts.hostname:
        raise ImproperlyConfigured("A password was given apart from an address that has one already, or has no host.")
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}:{quote(password, safe='')}@{host}").geturl()


def _number(name: str, default: int) -> int:
    value = os.environ.get(name, str(default))
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def _flag(name: str, default: bool) -> bool:
    value = os.environ.get(name, "1" if default else "0").lower()
    if value not in {"0", "1", "true", "false"}:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return value in {"1", "true"}


def _run_folder(data: Path) -> Path:
    """Where sockets lie: inside DATA or, if its path is too long for a socket or too odd for a URL, outside."""
    inside = data / "run"
    if re.fullmatch(r"[A-Za-z0-9/._-]{1,80}", str(inside)):
        return inside
    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"quizsite-{os.getuid()}-{digest}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


MODE = _text("QUIZSITE_MODE", "embedded")
if MODE not in {"embedded", "production"}:
    raise ImproperlyConfigured(f"QUIZSITE_MODE must be embedded or production, not {MODE!r}.")
IS_EMBEDDED = MODE == "embedded"
DATA = Path(os.environ.get("DATA") or BASE_DIR / "data").resolve()
RUN_FOLDER = _run_folder(DATA)
PORT = _number("PORT", 8000)

DEBUG = False
SECRET_FILE = DATA / "secret_key"


def _secret_key() -> str:
    """In embedded mode the key that `up` made, or one for this process alone where `up` never ran."""
    if not IS_EMBEDDED:
        key = _secret("QUIZSITE_SECRET_KEY")
        if len(key) < 40:
            raise ImproperlyConfigured("QUIZSITE_SECRET_KEY must be at least 40 characters long.")
        return key
    if SECRET_FILE.exists():
        return SECRET_FILE.read_text().strip()
    return get_random_secret_key()


SECRET_KEY = _secret_key()
# Keys of before a change: sessions, and what is stored encrypted, stay readable.
SECRET_KEY_FALLBACKS = [key for key in _secret("QUIZSITE_OLD_SECRET_KEYS", "").split(",") if key]
ALLOWED_HOSTS = _text("QUIZSITE_HOSTS", "localhost,127.0.0.1,[::1]" if IS_EMBEDDED else None).split(",")
# Whether all requests come by a proxy that overwrites what visitors say of themselves.
BEHIND_PROXY = _flag("QUIZSITE_BEHIND_PROXY", default=False) and not IS_EMBEDDED
# Where the site lies on its host; empty for all of it.
SUB_PATH = read_sub_path(_text("QUIZSITE_SUB_PATH", ""))
FORCE_SCRIPT_NAME = SUB_PATH or None
CSRF_TRUSTED_ORIGINS = [origin for origin in _text("QUIZSITE_ORIGINS", "").split(",") if origin]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "knox",
    "rest_framework",
    "exercises",
    "worker",
    "quizsite",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "quizsite.request_log.RequestLog",
    # Static files lie compressed. Of secrets a page holds only the token of its forms, masked anew in each answer.
    "django.middleware.gzip.GZipMiddleware",
    "quizsite.privacy.PrivateAnswers",
    "csp.middleware.CSPMiddleware",
    "quizsite.unstorable.StorableCookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "exercises.sign_in.second_factor.StaffSecondFactor",
    # After the second factor, which is asked of the person, not of the student whom they see pages as.
    "exercises.teach.administration.viewing.ViewAsStudent",
    "django_htmx.middleware.HtmxMiddleware",
    "quizsite.unstorable.StorableText",
]

ROOT_URLCONF = "quizsite.urls"
# The folder of a preview, which `preview` sets; its pages say what is wrong in it.
PREVIEW = _text("QUIZSITE_PREVIEW", "") if IS_EMBEDDED else ""
if PREVIEW:
    MIDDLEWARE.append("quizsite.preview_pages.PreviewPages")

WSGI_APPLICATION = "quizsite.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "quizsite" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    },
]

DATABASES: dict[str, Any] = {
    # Not as a URL: DATA may hold characters that mean something in one.
    "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA / "quizsite.sqlite3")}
    if IS_EMBEDDED and not {"DATABASE_URL", "DATABASE_URL_FILE"} & os.environ.keys()
    else environ.Env.db_url_config(_with_password(_secret("DATABASE_URL"), _secret("DATABASE_PASSWORD", ""))),
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Without immediate transactions and WAL, writers that meet get "database is locked" (docs/adr/0003).
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"]["OPTIONS"] = {"pool": {"min_size": 1, "max_size": _number("QUIZSITE_DB_POOL", 10)}}
    # A pooled connection may have died with the server that it led to.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = _with_password(
    _secret("REDIS_URL", f"unix://{RUN_FOLDER / 'valkey.sock'}" if IS_EMBEDDED else None),
    _secret("REDIS_PASSWORD", ""),
)
CACHES = {
    "default": {
        "BACKEND": "quizsite.cache.ForgivingRedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {
            "serializer": "quizsite.cache.JSONSerializer",
            "socket_timeout": 0.5,
            "socket_connect_timeout": 0.2,
        },
    },
}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://") if REDIS_URL.startswith("unix://") else REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 120,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 0.2,
    "socket_keepalive": True,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_POOL = "worker.pool.Pool"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 2000
# In KiB. Large results leave a process's heap scattered; a new one costs less than a second, and nobody waits for it.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 512 * 1024
# Celery writes its lines as we do, in place of a format of its own.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "worker.scheduler.Scheduler"
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "worker.tasks.sweep", "schedule": 2.0, "options": {"expires": 2}}}

RUNNER_SOCKET = Path(_text("RUNNER_SOCKET", str(RUN_FOLDER / "runner.sock")))

AUTH_USER_MODEL = "exercises.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "learn:home"
ACCOUNT_ADAPTER = "exercises.sign_in.accounts.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "exercises.sign_in.second_factor.SecondFactorAdapter"
STAFF_SECOND_FACTOR = _flag("QUIZSITE_STAFF_SECOND_FACTOR", default=False)

# Sign-in at a university: the address of its OpenID provider, empty for none (docs/operations.md).
OIDC_ISSUER = _text("QUIZSITE_OIDC_ISSUER", "").rstrip("/")
OIDC_NAME = _text("QUIZSITE_OIDC_NAME", "your university")
SOCIALACCOUNT_ADAPTER = "exercises.sign_in.university.UniversityAdapter"
if OIDC_ISSUER:
    SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {
            "OAUTH_PKCE_ENABLED": True,
            "APPS": [
                {
                    "provider_id": "university",
                    "name": OIDC_NAME,
                    "client_id": _text("QUIZSITE_OIDC_CLIENT_ID"),
                    "secret": _secret("QUIZSITE_OIDC_CLIENT_SECRET"),
                    "settings": {"server_url": OIDC_ISSUER, "uid_field": _text("QUIZSITE_OIDC_ID_CLAIM", "sub")},
                }
            ],
        }
    }

# Sign-in by a proxy: the header that names the visitor, empty for none.
PROXY_USER_HEADER = _text("QUIZSITE_PROXY_USER_HEADER", "")
PROXY_SECRET = ""
if PROXY_USER_HEADER:
    PROXY_SECRET = _secret("QUIZSITE_PROXY_SECRET")
    if len(PROXY_SECRET) < 32:
        raise ImproperlyConfigured("QUIZSITE_PROXY_SECRET must be at least 32 characters long.")
    MIDDLEWARE.insert(
        MIDDLEWARE.index("exercises.sign_in.second_factor.StaffSecondFactor"), "exercises.sign_in.proxy.TrustedProxy"
    )
METRICS_TOKEN = _secret("QUIZSITE_METRICS_TOKEN", "")

EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not IS_EMBEDDED
# Browsers keep cookies by host, not by port: two sites on one host must not sign each other out.
_COOKIE_END = SUB_PATH.replace("/", "_") or (f"_{PORT}" if IS_EMBEDDED else "")
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"sessionid{_COOKIE_END}", f"csrftoken{_COOKIE_END}"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = SUB_PATH or "/"
if SUB_PATH:
    # Their cookie would be for all of the host.
    MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
if not IS_EMBEDDED:
    SECURE_SSL_REDIRECT = _flag("QUIZSITE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [rf"^({re.escape(SUB_PATH[1:])}/)?(healthz|servez|readyz|metrics)$"]
    if SUB_PATH:
        # Whether all of a host is reached by HTTPS is for whoever owns the host to say.
        SILENCED_SYSTEM_CHECKS = ["security.W004"]
    else:
        SECURE_HSTS_SECONDS = 31_536_000
        SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    if BEHIND_PROXY:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        # The last word of X-Forwarded-For is the visitor: else a class shares one limit of failed sign-ins.
        ALLAUTH_TRUSTED_PROXY_COUNT = 1
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        # The form that begins a university's sign-in is answered with a redirect to it.
        "form-action": [SELF, *([_origin(OIDC_ISSUER)] if OIDC_ISSUER else [])],
        "frame-ancestors": [NONE],
    },
}

# A submission holds at most 256 KiB of source; JSON may write a byte as six.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "exercises.api.authentication.ApiTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["exercises.api.parsers.StoredJSONParser"],
    # What a call takes stands in the schema.
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "exercises.api.errors.answer",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    # Else the schema takes any `?version=`, and puts it into a header.
    "ALLOWED_VERSIONS": ["1"],
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
REST_KNOX = {"AUTH_HEADER_PREFIX": "Token", "TOKEN_TTL": timedelta(days=30)}
SPECTACULAR_SETTINGS = {
    "TITLE": "quizsite",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVERS": [{"url": SUB_PATH}] if SUB_PATH else [],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "exercises.api.refusals.describe_refusals",
    ],
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = f"{SUB_PATH}/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "quizsite" / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

LOG_FORMAT = _text("QUIZSITE_LOG_FORMAT", "text" if IS_EMBEDDED else "json")
if LOG_FORMAT not in ("text", "json"):
    raise ImproperlyConfigured(f"QUIZSITE_LOG_FORMAT must be text or json, not {LOG_FORMAT!r}.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "quizsite.log_lines.formatter", "form": LOG_FORMAT}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    # Each refusal has the line of its request already.
    "loggers": {"django.request": {"level": "ERROR"}},
    "root": {"handlers": ["console"], "level": _text("QUIZSITE_LOG_LEVEL", "INFO")},
}
