from urllib.parse import parse_qs, urlsplit

import pytest

from exercises.models import User
from exercises.services import Identity, person_of
from tests.exercises.sign_in.provider import CLIENT, Provider

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.exercises.sign_in.urls_with_university")]
LOGIN = "/account/oidc/university/login/"
ADA = {"sub": "m-4711", "preferred_username": "ada", "given_name": "Ada", "email": "ada@login.test"}


@pytest.fixture
def provider(settings):
    with Provider(ADA) as provider:
        settings.OIDC_ISSUER = provider.issuer
        app = {"provider_id": "university", "name": "Test University", "client_id": CLIENT, "secret": "kept"}
        app["settings"] = {"server_url": provider.issuer, "uid_field": "sub"}
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
        yield provider


def begin(client, **fields):
    """Where the site sends the visitor, and what it asks the provider there."""
    sent = client.post(LOGIN, fields)
    address = urlsplit(sent["Location"])
    return address, {name: values[0] for name, values in parse_qs(address.query).items()}


def come_back(client, **answer):
    return client.get(f"{LOGIN}callback/", answer)


def signed_in(client):
    return User.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()


def test_sign_in_page_offers_it(client, provider):
    assert "Sign in with Test University" in client.get("/account/login/").content.decode()


def test_person_signs_in_and_is_known_the_next_time(client, provider):
    address, asked = begin(client)
    come_back(client, code="1", state=asked["state"])
    first = signed_in(client)
    client.post("/account/logout/")
    come_back(client, code="2", state=begin(client)[1]["state"])

    assert f"{address.scheme}://{address.netloc}" == provider.issuer
    assert (asked["client_id"], asked["code_challenge_method"]) == (CLIENT, "S256")
    assert all(body["code_verifier"] for body in provider.asked)
    assert (first.username, first.issuer, first.external_id) == ("ada", provider.issuer, "m-4711")
    assert signed_in(client) == first
    assert User.objects.count() == 1


def test_address_of_a_member_gives_nobody_their_account(client, provider, people):
    member = people["owner"]
    member.email, member.username = ADA["email"], ADA["preferred_username"]
    member.save()

    come_back(client, code="1", state=begin(client)[1]["state"])

    assert signed_in(client) not in (None, member)


@pytest.mark.parametrize("answer", [{"code": "1", "state": "made-up"}, {"code": "1"}, {"error": "access_denied"}])
def test_answer_that_nobody_asked_for_signs_nobody_in(client, provider, answer):
    begin(client)

    come_back(client, **answer)

    assert signed_in(client) is None
    assert not provider.asked


def test_code_that_the_provider_refuses_leads_back_with_a_sentence(client, provider):
    answer = come_back(client, code="refused", state=begin(client)[1]["state"])

    assert answer["Location"] == "/account/login/"
    assert "did not go through" in client.get("/account/login/").content.decode()
    assert signed_in(client) is None


def test_identity_is_never_tied_to_whoever_is_signed_in(client, provider, people):
    client.force_login(people["owner"])

    come_back(client, code="1", state=begin(client, process="connect")[1]["state"])

    assert signed_in(client) == people["owner"]
    assert not people["owner"].socialaccount_set.exists()


def test_closed_account_is_told_so(client, provider):
    person = person_of(Identity(provider.issuer, ADA["sub"]))
    person.is_active = False
    person.save()

    come_back(client, code="1", state=begin(client)[1]["state"])

    assert signed_in(client) is None
    assert "This account is closed." in client.get("/account/login/").content.decode()
