from datetime import timedelta

import pytest
from knox.models import AuthToken

from tests.exercises.api.client import Caller

PASSWORD = "correct-horse-battery"


def test_token_is_shown_once_and_opens_the_api(client, student):
    made = client.post("/account/tokens/make/")
    word = made.context["new_token"]
    later = client.get("/account/")

    assert made.status_code == 201
    assert word in made.content.decode()
    assert word not in later.content.decode()
    assert Caller().get("courses/", Authorization=f"Token {word}").status_code == 200


def test_revoked_token_opens_nothing(client, student):
    word = client.post("/account/tokens/make/").context["new_token"]

    client.post("/account/tokens/revoke/", {"token": AuthToken.objects.get().digest})

    assert Caller().get("courses/", Authorization=f"Token {word}").status_code == 401


def test_nobody_revokes_the_token_of_another(client, people):
    theirs, _word = AuthToken.objects.create(user=people["classmate"])
    client.force_login(people["owner"])

    client.post("/account/tokens/revoke/", {"token": theirs.digest})

    assert AuthToken.objects.filter(pk=theirs.pk).exists()


def test_programs_that_sign_in_again_and_again_are_never_locked_out(student):
    student.set_password(PASSWORD)
    student.save()
    sent = {"username": student.username, "password": PASSWORD}

    assert {Caller().post("token/", sent).status_code for _ in range(60)} == {200}


def test_page_shows_living_tokens_alone(client, student):
    AuthToken.objects.create(user=student, expiry=timedelta(days=-1))
    living, _word = AuthToken.objects.create(user=student)

    assert list(client.get("/account/").context["page"]) == [living]


@pytest.mark.parametrize("page", ["password/reset/", "email/", "confirm-email/"])
def test_there_is_no_page_that_would_write_to_an_address(client, student, page):
    assert client.get(f"/account/{page}").status_code == 404
