import pytest

from exercises.models import Asset
from tests.exercises.learn.people import expecting
from tests.factories import make_course, make_exercise, make_graded, make_lesson


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_course_is_for_members(client, people, course, who, status):
    client.force_login(people[who])

    assert client.get(f"/courses/{course.slug}/").status_code == status


def test_course_lists_lessons_with_their_exercises_and_the_rest(client, student, course):
    inside, outside = make_exercise(course), make_exercise(course)
    make_lesson(course, title="Scores").embedded.create(exercise=inside, position=0)
    make_graded(student, inside)

    parts = client.get(f"/courses/{course.slug}/").context["parts"]

    assert [part.title for part in parts] == ["Scores", "More exercises"]
    assert [row.slug for part in parts for row in part.rows] == [inside.slug, outside.slug]
    assert parts[0].rows[0].mark.word == "Accepted"


def test_course_takes_as_many_queries_for_three_lessons(client, student, course, queries_of):
    address = f"/courses/{course.slug}/"
    make_lesson(course).embedded.create(exercise=make_exercise(course), position=0)
    queries_of(address)
    one = queries_of(address)
    for _ in range(2):
        make_lesson(course).embedded.create(exercise=make_exercise(course), position=0)

    assert queries_of(address) == one


@pytest.fixture
def picture(course):
    return Asset.objects.create(course=course, path="a/b.png", media_type="image/png", digest="x", content=b"png")


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_asset_is_for_members(client, people, course, picture, who, status):
    client.force_login(people[who])

    response = client.get(f"/courses/{course.slug}/assets/a/b.png")

    assert response.status_code == status


def test_asset_is_served_as_it_is(client, student, course, picture):
    response = client.get(f"/courses/{course.slug}/assets/a/b.png")

    assert response.content == b"png"
    assert response["Content-Type"] == "image/png"


def test_asset_is_kept_by_the_browser_and_asked_for_again_each_time(client, people, course, picture):
    address = f"/courses/{course.slug}/assets/a/b.png"
    client.force_login(people["owner"])
    first = client.get(address)
    again = {"If-None-Match": first["ETag"]}

    same = client.get(address, headers=again)
    Asset.objects.update(digest="y", content=b"new")
    changed = client.get(address, headers=again)

    assert set(first["Cache-Control"].split(", ")) == {"private", "no-cache"}
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", first["ETag"])
    assert (changed.status_code, changed.content) == (200, b"new")


def test_asset_that_was_kept_is_not_confirmed_to_who_may_not_see_it(client, people, course, picture):
    address = f"/courses/{course.slug}/assets/a/b.png"
    client.force_login(people["owner"])
    again = {"If-None-Match": client.get(address)["ETag"]}
    client.logout()

    signed_out = client.get(address, headers=again)
    client.force_login(people["stranger"])
    stranger = client.get(address, headers=again)

    assert (signed_out.status_code, stranger.status_code) == (302, 404)
    assert "no-store" in signed_out["Cache-Control"]


def test_pages_are_not_kept_by_browsers(client, student, course):
    assert "no-store" in client.get(f"/courses/{course.slug}/")["Cache-Control"]


def test_asset_that_could_run_is_saved_instead_of_shown(client, student, course):
    Asset.objects.create(course=course, path="x.svg", media_type="image/svg+xml", digest="x", content=b"<svg/>")

    response = client.get(f"/courses/{course.slug}/assets/x.svg")

    assert response["Content-Disposition"] == "attachment"
    assert response["Content-Security-Policy"].endswith("sandbox")


def test_open_course_is_joined_by_a_button(client, people):
    client.force_login(people["outsider"])
    course = make_course(self_paced=True)

    response = client.post(f"/courses/{course.slug}/enrol/")

    assert response["Location"] == f"/courses/{course.slug}/"
    assert course.members.filter(pk=people["outsider"].pk).exists()


@pytest.mark.parametrize("slug", ["closed", "nothing"])
def test_closed_or_unknown_course_is_not_joined(client, people, slug):
    make_course(slug="closed")
    client.force_login(people["outsider"])

    assert client.post(f"/courses/{slug}/enrol/").status_code == 404
