"""A page elsewhere that lets a visitor's browser send something here: with the cookie, and without our token."""

import itertools

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.access import World, routes, table

pytestmark = pytest.mark.django_db

ELSEWHERE = {"Origin": "https://elsewhere.test"}
# It makes a token of a name and a password in JSON and looks at no cookie; what is not there does nothing.
WITHOUT_COOKIES = {"api:token", "api:not-found"}
# What a form elsewhere can send without asking, and JSON, for which browsers ask first.
ENCODINGS = {
    "application/x-www-form-urlencoded": "source=x",
    "multipart/form-data; boundary=b": '--b\r\nContent-Disposition: form-data; name="source"\r\n\r\nx\r\n--b--\r\n',
    "text/plain": '{"source": "x", "a": "=b"}',
    "application/json": '{"source": "x"}',
}
READS_BODIES = (
    "learn:submit",
    "api:runs",
    "api:submissions",
    "account_logout",
    "authoring:regrade",
    "authoring:upload",
)
WRITES = [
    (route, method)
    for route, rows in table().items()
    for method in ("POST", "PUT", "DELETE")
    if (method, "home") in rows or (method, "-") in rows
    if route not in WITHOUT_COOKIES
]


class Visitor:
    """An instructor's browser, which checks tokens as in earnest."""

    def __init__(self, world, role="instructor"):
        self._client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        self._client.force_login(world.people[role])

    def send(self, method, address, *, body="{}", media_type="application/json", headers=ELSEWHERE):
        call = getattr(self._client, method.lower())
        return call(address, data=body, content_type=media_type, headers=headers)

    def own_token(self):
        """The token that our own pages send."""
        self._client.get(reverse("learn:playground"))
        return {"X-CSRFToken": self._client.cookies[settings.CSRF_COOKIE_NAME].value}


def address_of(world, route):
    values = world.home.arguments(route)
    return reverse(route, kwargs={name: values[name] for name in dict(routes())[route]})


def test_no_address_takes_what_comes_without_the_token():
    world = World()
    visitor = Visitor(world)

    answers = {(route, method): visitor.send(method, address_of(world, route)).status_code for route, method in WRITES}
    taken = {sent: status for sent, status in answers.items() if status != 403}

    assert taken == {}
    assert len(WRITES) > 100


def test_no_encoding_is_taken_without_the_token():
    world = World()
    visitor = Visitor(world)

    for route, media_type in itertools.product(READS_BODIES, ENCODINGS):
        for headers in (ELSEWHERE, {"Origin": "null"}, {}):
            answer = visitor.send(
                "POST", address_of(world, route), body=ENCODINGS[media_type], media_type=media_type, headers=headers
            )
            # The API may first say that it reads no such thing.
            assert answer.status_code in {403, 415}, (route, media_type, headers)


@pytest.mark.parametrize(
    ("route", "media_type", "status"),
    [
        ("learn:submit", "application/x-www-form-urlencoded", 302),
        ("learn:submit", "multipart/form-data; boundary=b", 302),
        ("api:runs", "application/json", 202),
        ("account_logout", "application/x-www-form-urlencoded", 302),
    ],
)
def test_same_request_with_the_token_is_taken(media_type, route, status):
    world = World()
    visitor = Visitor(world, role="student")

    answer = visitor.send(
        "POST",
        address_of(world, route),
        body=ENCODINGS[media_type],
        media_type=media_type,
        headers=visitor.own_token(),
    )

    assert answer.status_code == status


def test_cookies_are_sent_to_no_page_elsewhere_and_the_session_is_read_by_no_script():
    assert settings.SESSION_COOKIE_SAMESITE == settings.CSRF_COOKIE_SAMESITE == "Lax"
    assert settings.SESSION_COOKIE_HTTPONLY


def test_sign_in_by_a_form_elsewhere_is_refused():
    answer = Client(enforce_csrf_checks=True).post(
        "/account/login/", {"login": "a", "password": "b"}, headers=ELSEWHERE
    )

    assert answer.status_code == 403
