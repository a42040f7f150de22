from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from knox.models import AuthToken

from tests.exercises.api.client import Caller
from tests.factories import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct-horse-battery"


@pytest.fixture
def counting(broker, settings):
    """With a Redis, failures are counted."""
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": broker.url}}


def ask(username, password):
    return Caller().post("token/", {"username": username, "password": password})


def status_from(client, address, password):
    sent = {"username": "student", "password": password}
    return client.post("/api/v1/token/", sent, content_type="application/json", REMOTE_ADDR=address).status_code


def test_token_opens_the_api_until_it_expires():
    make_user(username="student", password=PASSWORD)

    answer = ask("student", PASSWORD)
    header = {"Authorization": f"Token {answer.json()['token']}"}

    assert answer.status_code == 200
    assert Caller().get("courses/", **header).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(days=31), tick=False):
        late = Caller().get("courses/", **header)
    assert (late.status_code, late["WWW-Authenticate"]) == (401, "Token")


def test_token_is_stored_as_a_hash_only():
    make_user(username="student", password=PASSWORD)

    token = ask("student", PASSWORD).json()["token"]

    (row,) = AuthToken.objects.values()
    assert token not in str(row)


@pytest.mark.parametrize(("username", "password"), [("a" * 60_000, PASSWORD), ("student", "a" * 1001), ("", PASSWORD)])
def test_token_name_or_password_of_no_usual_length_is_refused(username, password):
    answer = ask(username, password)

    assert answer.status_code == 400
    assert "1 to 1000 characters" in str(answer.json())


@pytest.mark.parametrize(("username", "password"), [("student", "wrong"), ("nobody", PASSWORD)])
def test_token_wrong_name_or_password_are_told_alike(username, password):
    make_user(username="student", password=PASSWORD)

    answer = ask(username, password)

    assert (answer.status_code, answer.json()) == (400, {"password": ["User name and password do not match."]})
    assert not AuthToken.objects.exists()


def test_token_of_an_inactive_user_is_refused():
    make_user(username="student", password=PASSWORD, is_active=False)

    assert ask("student", PASSWORD).status_code == 400


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "username"),
        ({"username": "student"}, "password"),
        ({"username": 7, "password": PASSWORD}, "username"),
        ({"username": "student", "password": ["x"]}, "password"),
        ({"username": "student", "password": None}, "password"),
        ({"username": "stu\0dent", "password": PASSWORD}, "username"),
        ({"username": "student", "password": "\ud800"}, "password"),
        ({"username": "student", "password": PASSWORD, "is_staff": True}, "is_staff"),
        ([1], "body"),
        ("text", "body"),
        (None, "body"),
    ],
)
def test_token_body_of_the_wrong_form_names_the_field(body, field):
    make_user(username="student", password=PASSWORD)

    answer = Caller().post("token/", body)

    assert (answer.status_code, list(answer.json())) == (400, [field])
    assert not AuthToken.objects.exists()


def test_token_guessing_is_stopped_and_told_when_to_come_back(counting):
    make_user(username="student", password=PASSWORD)

    statuses = [ask("student", f"guess {number}").status_code for number in range(5)]
    locked = ask("student", PASSWORD)

    assert statuses == [400] * 5
    assert (locked.status_code, locked["Retry-After"]) == (429, "60")
    assert ask("another", "guess").status_code == 400


def test_token_success_sets_the_count_of_failures_to_zero(counting):
    make_user(username="student", password=PASSWORD)

    for _ in range(2):
        assert [ask("student", "guess").status_code for _ in range(4)] == [400] * 4
        assert ask("student", PASSWORD).status_code == 200


def test_token_failures_count_for_the_sign_in_page_too(counting, client):
    make_user(username="student", password=PASSWORD)
    for _ in range(5):
        ask("student", "guess")

    page = client.post("/account/login/", {"login": "student", "password": PASSWORD})

    assert page.status_code in (200, 429)
    assert "_auth_user_id" not in client.session


def test_token_guessing_from_elsewhere_does_not_keep_the_owner_out(counting, client):
    make_user(username="student", password=PASSWORD)
    for _ in range(6):
        ask("student", "guess")

    form = {"login": "student", "password": PASSWORD}
    client.post("/account/login/", form, REMOTE_ADDR="192.0.2.7")

    assert "_auth_user_id" in client.session


def test_token_guessing_from_one_network_counts_as_from_one_address(counting, client):
    make_user(username="student", password=PASSWORD)

    statuses = [status_from(client, f"2001:db8::{number}", "guess") for number in range(1, 7)]

    assert statuses == [400] * 5 + [429]


def test_token_guessing_over_a_socket_for_both_kinds_of_addresses_keeps_only_the_guesser_out(counting, client):
    make_user(username="student", password=PASSWORD)

    guesses = [status_from(client, "::ffff:192.0.2.1", "guess") for _ in range(6)]

    assert guesses == [400] * 5 + [429]
    assert status_from(client, "::ffff:192.0.2.7", PASSWORD) == 200


def test_token_can_be_revoked_by_its_bearer():
    caller = Caller(make_user())
    assert caller.delete("token/own/").status_code == 204

    assert caller.get("courses/").status_code == 401


@pytest.mark.parametrize("word", [b"Token", b"Token \xff\xfe", b"Token a b", b"Token " + b"0" * 64, b"Token x-y"])
def test_token_that_cannot_be_one_is_refused(word):
    answer = Caller().get("courses/", Authorization=word.decode("latin-1"))

    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")


def test_no_token_is_answered_with_how_to_authenticate():
    answer = Caller().get("courses/")

    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")


@pytest.mark.django_db(transaction=True)
def test_token_guessing_in_parallel_gets_no_further_than_in_a_row(counting):
    make_user(username="student", password=PASSWORD)

    with ThreadPoolExecutor(12) as threads:
        statuses = sorted(threads.map(guess_in_a_thread, range(24)))

    assert statuses == [400] * 5 + [429] * 19


def guess_in_a_thread(number):
    try:
        return ask("student", f"guess {number}").status_code
    finally:
        connection.close()
