import pytest

from exercises.choices import Role
from exercises.models import SignInLink
from exercises.services import create_join_link, create_sign_in_link


def test_sign_in_link_asks_before_it_is_used_up(client, people):
    token = create_sign_in_link(people["owner"])

    response = client.get(f"/sign-in/{token}/")

    assert response.status_code == 200
    assert SignInLink.objects.get().used_at is None
    assert "_auth_user_id" not in client.session


def test_sign_in_link_signs_in_once(client, people):
    people["owner"].set_password("a password of theirs")
    people["owner"].save()
    token = create_sign_in_link(people["owner"])

    first = client.post(f"/sign-in/{token}/")

    assert first["Location"] == "/"
    assert client.session["_auth_user_id"] == str(people["owner"].pk)
    client.logout()
    second = client.post(f"/sign-in/{token}/")
    assert second.status_code == 404
    assert "_auth_user_id" not in client.session


def test_who_has_no_password_yet_sets_one_behind_the_link(client, people):
    answer = client.post(f"/sign-in/{create_sign_in_link(people['owner'])}/", follow=True)

    assert answer.redirect_chain == [("/account/password/set/", 302)]
    assert answer.status_code == 200


def test_sign_in_link_gives_a_new_session(client, people):
    client.force_login(people["classmate"])
    before = client.session.session_key

    client.post(f"/sign-in/{create_sign_in_link(people['owner'])}/")

    assert client.session.session_key != before


def test_unknown_sign_in_link_says_only_that_it_does_not_work(client, db):
    response = client.post("/sign-in/nothing/")

    assert response.status_code == 404
    assert "This link does not work" in response.content.decode()


def test_join_link_makes_a_member(client, people, course):
    client.force_login(people["outsider"])
    token = create_join_link(course, Role.STUDENT, created_by=people["teacher"])

    asked = client.get(f"/join/{token}/")
    assert asked.status_code == 200
    assert f"Join “{course.title}”" in asked.content.decode()
    assert "Your role there: student." in asked.content.decode()
    assert not course.members.filter(pk=people["outsider"].pk).exists()

    joined = client.post(f"/join/{token}/")
    assert joined["Location"] == f"/courses/{course.slug}/"
    assert course.members.filter(pk=people["outsider"].pk).exists()


def test_join_link_says_what_one_will_be(client, people, course):
    client.force_login(people["outsider"])
    token = create_join_link(course, Role.ASSISTANT, created_by=people["teacher"])

    assert "Your role there: assistant." in client.get(f"/join/{token}/").content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_join_link_does_nothing(client, people, method):
    client.force_login(people["outsider"])

    response = getattr(client, method)("/join/nothing/")

    assert response.status_code == 404
    assert "This link does not work" in response.content.decode()


def test_join_link_asks_a_visitor_to_sign_in_first(client, db):
    assert client.get("/join/some-token/")["Location"] == "/account/login/?next=/join/some-token/"
