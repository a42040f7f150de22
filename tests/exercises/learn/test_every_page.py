"""What holds for all pages: policy, caching, errors, sign-in."""

import gzip
import re

import pytest

from exercises import runner_status
from tests.factories import make_user


def test_pages_have_a_strict_policy_with_a_nonce(client, student):
    response = client.get("/")

    policy = response["Content-Security-Policy"]
    [nonce] = set(re.findall(r"'nonce-([^']+)'", policy))
    assert "unsafe" not in policy
    assert f'nonce="{nonce}"' in response.content.decode()


def test_pages_hold_no_inline_style_or_script(client, student):
    text = client.get("/").content.decode()

    assert "style=" not in text
    assert "<style" not in text
    assert " onclick" not in text
    assert re.findall(r"<script(?![^>]*\bsrc=)", text) == []


def test_pages_come_compressed_to_whoever_takes_that(client, student):
    response = client.get("/", headers={"Accept-Encoding": "gzip"})

    assert response["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in response["Vary"]
    assert b"</html>" in gzip.decompress(response.content)


@pytest.mark.parametrize("path", ["/", "/account/logout/", "/account/password/change/", "/nothing/"])
def test_pages_are_kept_by_no_cache(client, student, path):
    assert "no-store" in client.get(path)["Cache-Control"]


def test_unknown_page_is_ours(client, student):
    response = client.get("/nothing/")

    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


def test_fault_shows_a_page_without_details(client, student, monkeypatch):
    def fail(_user, **_known):
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("exercises.queries.progress", fail)
    client.raise_request_exception = False

    response = client.get("/")

    assert response.status_code == 500
    assert "A fault of ours" in response.content.decode()
    assert "a secret detail" not in response.content.decode()


def test_sign_in_by_password(client, db):
    make_user(username="ada", password="a long password")

    response = client.post("/account/login/", {"login": "ada", "password": "a long password"})

    assert response["Location"] == "/"


def test_wrong_password_is_refused_in_the_form(client, db):
    make_user(username="ada", password="a long password")

    response = client.post("/account/login/", {"login": "ada", "password": "another"})

    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()


@pytest.fixture
def cache(settings):
    """One that is there, unlike the Redis of other tests."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


def test_reduced_isolation_is_named_on_every_page(client, student, cache):
    runner_status.report(host="one", isolation=runner_status.REDUCED, open_layers={"network": "allow user namespaces"})

    text = client.get("/").content.decode()

    assert "Reduced isolation." in text
    assert "network (allow user namespaces)" in text


def test_tight_isolation_needs_no_banner(client, student, cache):
    runner_status.report(host="one", isolation=runner_status.TIGHT)

    assert "Reduced isolation." not in client.get("/").content.decode()
