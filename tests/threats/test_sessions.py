"""Sessions: whose they are, what they are stored as, and that each change of role has a new one."""

import pytest
from django.conf import settings
from django.contrib.sessions.serializers import JSONSerializer
from django.urls import reverse
from django.utils.module_loading import import_string
from kombu.exceptions import ContentDisallowed
from kombu.serialization import dumps, loads, prepare_accept_content

from exercises.choices import Role
from tests.exercises.sign_in.apps import PASSWORD, code_of, give_password, give_second_factor
from tests.factories import make_course, make_member, make_user
from worker.app import app

pytestmark = pytest.mark.django_db

SIGN_IN = "/account/login/"


def planted_session(client):
    """The id of a session that somebody else made, and gave to this browser."""
    client.get(SIGN_IN)
    session = client.session
    session["planted"] = "by somebody else"
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return session.session_key


def test_sign_in_takes_a_new_session(client):
    user = make_user()
    give_password(user)
    before = planted_session(client)

    client.post(SIGN_IN, {"login": user.username, "password": "wrong"})
    failed = client.session.session_key
    client.post(SIGN_IN, {"login": user.username, "password": PASSWORD})

    assert failed == before
    assert client.session.session_key != before
    assert client.session["_auth_user_id"] == str(user.pk)


def test_second_factor_takes_a_new_session(client):
    user = make_user()
    give_password(user)
    secret = give_second_factor(user)
    client.post(SIGN_IN, {"login": user.username, "password": PASSWORD})
    before = client.session.session_key
    assert "_auth_user_id" not in client.session

    client.post("/account/second-factor/authenticate/", {"code": code_of(secret)})

    assert client.session["_auth_user_id"] == str(user.pk)
    assert client.session.session_key != before


def test_view_as_student_and_the_way_back_take_new_sessions(client):
    course = make_course()
    client.force_login(make_member(course, role=Role.INSTRUCTOR))
    ids = [client.session.session_key]

    for name in ("view-as-student", "leave-view"):
        assert client.post(reverse(f"teach:{name}", args=[course.slug])).status_code == 302
        ids.append(client.session.session_key)

    assert len(set(ids)) == 3
    assert client.get("/").status_code == 200


def test_session_of_who_signed_out_opens_nothing(client):
    client.force_login(make_user())
    before = client.session.session_key
    assert client.get(reverse("learn:account")).status_code == 200

    client.post("/account/logout/")
    client.cookies[settings.SESSION_COOKIE_NAME] = before

    assert client.get(reverse("learn:account")).status_code == 302


def test_session_is_not_taken_from_an_address(client):
    client.force_login(make_user())
    name, key = settings.SESSION_COOKIE_NAME, client.session.session_key
    client.cookies.clear()

    assert client.get(f"{reverse('learn:account')}?{name}={key}").status_code == 302
    client.cookies[name] = key
    assert client.get(reverse("learn:account")).status_code == 200


def test_session_is_stored_as_json():
    assert import_string(settings.SESSION_SERIALIZER) is JSONSerializer


def test_pickled_message_is_refused_and_one_of_json_is_read():
    accepted = prepare_accept_content(app.conf.accept_content)

    with pytest.raises(ContentDisallowed):
        loads(*_packed("pickle"), accept=accepted)
    assert loads(*_packed("json"), accept=accepted) == [1]


def _packed(serializer):
    media_type, encoding, data = dumps([1], serializer=serializer)
    return data, media_type, encoding


@pytest.mark.parametrize("path", [SIGN_IN, "/", "/healthz", "/account/password/change/"])
def test_forged_host_is_refused(client, path):
    assert client.get(path, headers={"Host": "elsewhere.test"}).status_code == 400
    assert client.get(path, headers={"Host": "localhost"}).status_code in {200, 302}
    # Without a proxy that is told of in the settings, its headers say nothing.
    page = client.get(path, headers={"Host": "localhost", "X-Forwarded-Host": "elsewhere.test"})
    assert "elsewhere.test" not in page.content.decode() + page.get("Location", "")


def test_unknown_name_and_wrong_password_are_answered_alike(client):
    user = make_user(username="known")
    give_password(user)

    known, unknown = (
        client.post(SIGN_IN, {"login": name, "password": "wrong-password"}) for name in ("known", "nobody")
    )

    assert known.status_code == unknown.status_code == 200
    assert known.context["form"].errors == unknown.context["form"].errors
    assert known.headers.keys() == unknown.headers.keys()


@pytest.mark.parametrize("where", ["learn:join", "learn:sign-in-link"])
def test_links_that_are_none_are_answered_alike_whatever_they_are(client, where):
    client.force_login(make_user())

    answers = [client.get(reverse(where, args=[token])) for token in ("a", "A" * 43, "zz-_")]

    assert len({answer.status_code for answer in answers}) == 1


@pytest.mark.parametrize(
    "target", ["https://elsewhere.test/", "//elsewhere.test", "javascript:alert(1)", "/\\elsewhere.test"]
)
def test_sign_in_leads_nowhere_else(client, target):
    user = make_user()
    give_password(user)

    led = client.post(SIGN_IN, {"login": user.username, "password": PASSWORD, "next": target})["Location"]
    client.post("/account/logout/")
    within = client.post(SIGN_IN, {"login": user.username, "password": PASSWORD, "next": "/account/tokens/"})[
        "Location"
    ]

    assert (led, within) == ("/", "/account/tokens/")


def test_fault_is_logged_without_what_somebody_wrote(client, monkeypatch, caplog):
    client.force_login(make_user())
    client.raise_request_exception = False
    monkeypatch.setattr("exercises.learn.views.runs.services.start_run", _fail)

    answer = client.post(reverse("learn:playground"), {"source": "canary = 'of a student'"})

    assert answer.status_code == 500
    assert "a fault of ours" in caplog.text
    assert "of a student" not in caplog.text


def _fail(*_args, **_fields):
    raise RuntimeError("a fault of ours")
