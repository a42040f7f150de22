"""NUL can be stored in no text of PostgreSQL, nor looked for: what holds it is refused in a sentence, not a fault."""

import pytest
from django.test import RequestFactory
from django.urls import reverse

from exercises.choices import Kind, Role
from exercises.models import Draft, Submission, User
from quizsite.unstorable import StorableCookies
from tests.factories import make_course, make_exercise, make_member

pytestmark = pytest.mark.django_db

SENTENCE = "holds the character NUL"


@pytest.fixture
def course():
    return make_course(slug="course")


@pytest.fixture
def teacher(course):
    return make_member(course, role=Role.INSTRUCTOR)


@pytest.fixture
def exercise(course):
    return make_exercise(course, slug="exercise", kind=Kind.TEXT)


@pytest.fixture(autouse=True)
def signed_in(client, teacher):
    client.force_login(teacher)


def address(name, *arguments):
    return reverse(name, args=arguments)


def is_refused(answer):
    return answer.status_code == 400 and SENTENCE in answer.content.decode()


@pytest.mark.parametrize("query", ["section=%00", "role=a%00b", "q=%00", "page=1%00", "a%00b=1"])
@pytest.mark.parametrize("name", ["teach:roster", "teach:gradebook", "teach:class", "learn:course"])
def test_query_with_nul_is_refused(client, course, name, query):
    assert is_refused(client.get(f"{address(name, course.slug)}?{query}"))


def test_refusal_names_the_field_without_its_nul(client):
    text = client.get("/search/?q%00=x").content.decode()

    assert "“q” holds the character NUL" in text
    assert "\0" not in text


@pytest.mark.parametrize(
    "path", ["/courses/course/assets/a%00.png", "/join/a%00b/", "/sign-in/%00/", "/playground/shared/%00/"]
)
def test_path_with_nul_is_refused(client, path):
    assert is_refused(client.get(path))


@pytest.mark.parametrize(
    "path", ["/your-data/research/", "/account/tokens/make/", "/inbox/read/", "/courses/course/enrol/"]
)
def test_form_with_nul_is_refused(client, path):
    assert is_refused(client.post(path, {"name": "a\0b", "course": "\0"}))


def test_upload_with_nul_in_a_field_is_refused(client, course, tmp_path):
    (tmp_path / "a.csv").write_text("username\nada\n")

    with (tmp_path / "a.csv").open("rb") as file:
        answer = client.post(address("teach:roster", course.slug), {"file": file, "section": "\0"})

    assert is_refused(answer)
    assert not User.objects.filter(username="ada").exists()


def test_hand_in_with_nul_is_shown_again(client, exercise):
    where = address("learn:submit", "course", exercise.slug)

    answer = client.post(where, {"response": "what I wrote\0"})
    fragment = client.post(where, {"response": "what I wrote\0"}, headers={"HX-Request": "true"})

    assert is_refused(answer)
    assert "what I wrote" in answer.content.decode()
    assert is_refused(fragment)
    assert "What you wrote is still in the page." in fragment.content.decode()
    assert not Submission.objects.exists()


def test_draft_with_nul_is_refused(client, exercise):
    assert is_refused(client.post(address("learn:draft", "course", exercise.slug), {"response": "\0", "revision": "0"}))
    assert not Draft.objects.exists()


def test_stranger_is_told_the_same(client):
    client.logout()

    assert is_refused(client.get("/join/a%00b/"))
    assert is_refused(client.post(address("account_login"), {"login": "a\0", "password": "x"}))


@pytest.mark.parametrize("path", ["/api/v1/courses/?q=%00", "/api/v1/courses/course/?%00=1"])
def test_api_reads_no_query(client, path):
    assert client.get(path).status_code == 200


def test_api_refuses_an_address_in_json(client):
    answer = client.get("/api/v1/a%00b/")

    assert answer.status_code == 400
    assert SENTENCE in answer.json()["detail"]


def test_body_of_the_api_is_refused_by_its_parser(client, exercise):
    answer = client.post(
        "/api/v1/exercises/course/exercise/submissions/", {"response": "\0"}, content_type="application/json"
    )

    assert (answer.status_code, answer.json()) == (400, {"response": ["Text may not hold the character NUL."]})


def test_cookie_with_nul_counts_as_not_sent():
    seen = []
    request = RequestFactory().get("/", headers={"Cookie": r'sessionid="\000abcdefgh"; csrftoken=sound'})
    assert "\0" in request.COOKIES["sessionid"]

    StorableCookies(lambda received: seen.append(received.COOKIES))(request)

    assert seen == [{"csrftoken": "sound"}]


def test_other_odd_characters_are_let_through(client):
    assert client.get("/search/?q=%01%0a%7f%F0%9F%98%80").status_code == 200
