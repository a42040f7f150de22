import pytest

from exercises.models import User
from exercises.services import Identity, person_of
from tests.exercises.sign_in.apps import code_of, give_second_factor

pytestmark = pytest.mark.django_db
SECRET = "s" * 32


@pytest.fixture(autouse=True)
def behind_a_proxy(settings):
    settings.PROXY_USER_HEADER = "X-Remote-User"
    settings.PROXY_SECRET = SECRET
    middleware = list(settings.MIDDLEWARE)
    middleware.insert(
        middleware.index("exercises.sign_in.second_factor.StaffSecondFactor"), "exercises.sign_in.proxy.TrustedProxy"
    )
    settings.MIDDLEWARE = middleware


def visit(client, **headers):
    return client.get("/", headers=headers)


def signed_in(client):
    return User.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()


def test_visitor_whom_the_proxy_names_is_signed_in(client):
    named = {"X-Remote-User": "m-4711", "X-Remote-Given-Name": "Zoë".encode().decode("latin-1")}

    page = visit(client, **named, **{"X-Proxy-Secret": SECRET})

    assert page.status_code == 200
    assert (signed_in(client).external_id, signed_in(client).first_name) == ("m-4711", "Zoë")


@pytest.mark.parametrize(
    "proof", [{}, {"X-Proxy-Secret": ""}, {"X-Proxy-Secret": "s" * 31}, {"X-Proxy-Secret": "ß" * 32}]
)
def test_header_past_the_proxy_signs_nobody_in(client, proof):
    visit(client, **{"X-Remote-User": "m-4711"}, **proof)

    assert signed_in(client) is None
    assert not User.objects.exists()


def test_another_name_is_another_session_and_none_signs_out(client):
    proof = {"X-Proxy-Secret": SECRET}
    visit(client, **{"X-Remote-User": "first"}, **proof)
    visit(client, **{"X-Remote-User": "second"}, **proof)
    assert signed_in(client).external_id == "second"

    visit(client, **proof)

    assert signed_in(client) is None


def test_session_by_password_stays_where_the_proxy_names_nobody(client, people):
    client.force_login(people["owner"])

    visit(client, **{"X-Proxy-Secret": SECRET})

    assert signed_in(client) == people["owner"]


def test_closed_account_is_told_so(client):
    person = person_of(Identity("proxy", "m-4711"))
    person.is_active = False
    person.save()

    assert visit(client, **{"X-Remote-User": "m-4711", "X-Proxy-Secret": SECRET}).status_code == 403
    assert signed_in(client) is None


def test_who_has_a_second_factor_is_asked_for_it(client):
    person = person_of(Identity("proxy", "m-4711"))
    secret = give_second_factor(person)
    headers = {"X-Remote-User": "m-4711", "X-Proxy-Secret": SECRET}

    led = [client.get(page, headers=headers)["Location"] for page in ("/", "/progress/")]
    call = client.get("/api/v1/courses/", headers=headers)
    part = client.get("/", headers={**headers, "HX-Request": "true"})

    assert set(led) == {"/account/second-factor/authenticate/"}
    assert (call.status_code, part.status_code, signed_in(client)) == (401, 401, None)
    client.get(led[0], headers=headers)
    answer = client.post(led[0], {"code": code_of(secret)}, headers=headers)
    assert (answer["Location"], signed_in(client)) == ("/progress/", person)
    assert client.get("/", headers=headers).status_code == 200
