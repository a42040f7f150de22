"""Settings are read at import, so each of these starts an interpreter of its own."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.product import ROOT

GOOD = {
    "QUIZSITE_MODE": "production",
    "QUIZSITE_SECRET_KEY": "k" * 50,
    "QUIZSITE_HOSTS": "learn.test",
    "DATABASE_URL": "postgres://quizsite@database.test/quizsite",
    "REDIS_URL": "redis://broker.test:6379/0",
}
OIDC = {
    "QUIZSITE_OIDC_ISSUER": "https://login.test:8443/realm/",
    "QUIZSITE_OIDC_CLIENT_ID": "quizsite",
    "QUIZSITE_OIDC_CLIENT_SECRET": "o" * 20,
}
TELL = """
import json
from quizsite import settings as s
known = ("SECRET_KEY", "REDIS_URL", "DATABASES", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "DEBUG", "OIDC_ISSUER")
known += ("STAFF_SECOND_FACTOR", "SECRET_KEY_FALLBACKS", "FORCE_SCRIPT_NAME", "STATIC_URL", "SESSION_COOKIE_PATH")
known += ("CSRF_COOKIE_PATH", "SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SECURE_REDIRECT_EXEMPT")
told = {name: getattr(s, name) for name in known} | {"hsts": getattr(s, "SECURE_HSTS_SECONDS", 0)}
told["servers"] = s.SPECTACULAR_SETTINGS["SERVERS"]
print(json.dumps(told | {"forms": [str(source) for source in s.CONTENT_SECURITY_POLICY["DIRECTIVES"]["form-action"]]}))
"""


def read_settings(changes, tmp_path):
    environment = {"PATH": os.environ["PATH"], "DATA": str(tmp_path), **GOOD, **changes}
    environment = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run([sys.executable, "-c", TELL], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_secrets_come_from_files(tmp_path):
    for name in ("key", "database", "broker"):
        (tmp_path / name).write_text(f"{name}/secret: {'x' * 40}\n")
    files = {"QUIZSITE_SECRET_KEY": "key", "DATABASE_PASSWORD": "database", "REDIS_PASSWORD": "broker"}

    said = read_settings(
        {"QUIZSITE_SECRET_KEY": None, **{f"{name}_FILE": str(tmp_path / file) for name, file in files.items()}},
        tmp_path,
    )

    settings = json.loads(said.stdout)
    assert settings["SECRET_KEY"] == f"key/secret: {'x' * 40}"
    assert settings["DATABASES"]["default"]["PASSWORD"] == f"database/secret: {'x' * 40}"
    assert settings["REDIS_URL"] == f"redis://:broker%2Fsecret%3A%20{'x' * 40}@broker.test:6379/0"


def test_production_is_for_https_and_without_debugging(tmp_path):
    settings = json.loads(read_settings({}, tmp_path).stdout)

    assert settings["SECURE_SSL_REDIRECT"]
    assert settings["SESSION_COOKIE_SECURE"]
    assert not settings["DEBUG"]


def test_site_has_its_host_to_itself_where_no_path_is_set(tmp_path):
    settings = json.loads(read_settings({}, tmp_path).stdout)

    assert (settings["FORCE_SCRIPT_NAME"], settings["STATIC_URL"], settings["servers"]) == (None, "/static/", [])
    assert (settings["SESSION_COOKIE_NAME"], settings["SESSION_COOKIE_PATH"]) == ("sessionid", "/")
    assert (settings["CSRF_COOKIE_NAME"], settings["CSRF_COOKIE_PATH"]) == ("csrftoken", "/")
    assert settings["hsts"] > 0


def test_below_a_path_the_rest_of_the_host_is_left_alone(tmp_path):
    settings = json.loads(read_settings({"QUIZSITE_SUB_PATH": "/learn/torch/"}, tmp_path).stdout)

    assert (settings["FORCE_SCRIPT_NAME"], settings["STATIC_URL"]) == ("/learn/torch", "/learn/torch/static/")
    assert settings["servers"] == [{"url": "/learn/torch"}]
    assert (settings["SESSION_COOKIE_NAME"], settings["SESSION_COOKIE_PATH"]) == (
        "sessionid_learn_torch",
        "/learn/torch",
    )
    assert (settings["CSRF_COOKIE_NAME"], settings["CSRF_COOKIE_PATH"]) == ("csrftoken_learn_torch", "/learn/torch")
    assert settings["hsts"] == 0
    # Health is asked over plain HTTP, by whoever stands beside the site.
    (exempt,) = settings["SECURE_REDIRECT_EXEMPT"]
    assert re.search(exempt, "learn/torch/healthz")
    assert not re.search(exempt, "learn/torch/courses/healthz")


def test_forms_may_lead_to_the_university_where_one_is_set_and_else_nowhere(tmp_path):
    without = json.loads(read_settings({}, tmp_path).stdout)
    with_one = json.loads(read_settings(OIDC, tmp_path).stdout)

    assert (without["OIDC_ISSUER"], without["forms"]) == ("", ["'self'"])
    assert with_one["forms"] == ["'self'", "https://login.test:8443"]


def test_second_factor_of_staff_and_old_keys_are_set(tmp_path):
    changes = {"QUIZSITE_STAFF_SECOND_FACTOR": "1", "QUIZSITE_OLD_SECRET_KEYS": f"{'a' * 40},{'b' * 40}"}

    settings = json.loads(read_settings(changes, tmp_path).stdout)

    assert settings["STAFF_SECOND_FACTOR"]
    assert settings["SECRET_KEY_FALLBACKS"] == ["a" * 40, "b" * 40]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"QUIZSITE_SECRET_KEY": None}, "QUIZSITE_SECRET_KEY must be set"),
        ({"QUIZSITE_SECRET_KEY": "short"}, "at least 40 characters"),
        ({"QUIZSITE_SECRET_KEY": "django-insecure-" + "k" * 50}, "QUIZSITE_SECRET_KEY is a sample"),
        ({"QUIZSITE_HOSTS": None}, "QUIZSITE_HOSTS must be set"),
        ({"QUIZSITE_SUB_PATH": "learn"}, "QUIZSITE_SUB_PATH must be a path"),
        ({"DATABASE_URL": None}, "DATABASE_URL must be set"),
        ({"DATABASE_URL": "postgres://quizsite:postgres@database.test/quizsite"}, "DATABASE_URL is a sample"),
        ({"DATABASE_PASSWORD": "change-me-please"}, "DATABASE_PASSWORD is a sample"),
        ({"DATABASE_PASSWORD_FILE": "/nowhere"}, "DATABASE_PASSWORD_FILE names a file that cannot be read"),
        ({"QUIZSITE_OIDC_ISSUER": "https://login.test"}, "QUIZSITE_OIDC_CLIENT_ID must be set"),
        (OIDC | {"QUIZSITE_OIDC_CLIENT_SECRET": "changeme"}, "QUIZSITE_OIDC_CLIENT_SECRET is a sample"),
        ({"QUIZSITE_PROXY_USER_HEADER": "X-Remote-User"}, "QUIZSITE_PROXY_SECRET must be set"),
        (
            {"QUIZSITE_PROXY_USER_HEADER": "X-Remote-User", "QUIZSITE_PROXY_SECRET": "short"},
            "QUIZSITE_PROXY_SECRET must be at least 32",
        ),
        ({"REDIS_URL": "redis://:one@broker.test", "REDIS_PASSWORD": "another"}, "has one already"),
    ],
)
def test_production_refuses(tmp_path, changes, words):
    said = read_settings(changes, tmp_path)

    assert said.returncode == 1
    assert words in said.stderr
