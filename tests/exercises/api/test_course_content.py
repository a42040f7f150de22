import io
import json

import pytest

from exercises.choices import AuditAction, Role
from exercises.content import read_course_files, read_exercise_files
from exercises.content.zips import read_zip, write_zip
from exercises.models import AuditEntry, Course, Exercise, Membership
from exercises.services import enrol, load_course
from tests.exercises.api.client import BASE, Caller
from tests.exercises.content.folders import CHOICE, COURSE, LESSON, NUMERIC
from tests.factories import make_course, make_member, make_user

pytestmark = pytest.mark.django_db

PLAIN = {
    "course.yaml": COURSE.encode(),
    "lessons/first.md": LESSON.encode(),
    "exercises/which-one/exercise.yaml": CHOICE.encode(),
}
BARE = "it has no certificate (check_exercise --write-certificates)"


def proven(files, slug="which-one", **fields):
    """The files with a certificate for one exercise."""
    start = f"exercises/{slug}/"
    own = {path.removeprefix(start): content for path, content in files.items() if path.startswith(start)}
    read = read_exercise_files(slug, own)
    written = {"grading_hash": read.grading_hash, "checked_at": "2026-11-29T12:00:00Z", **fields}
    return {**files, f"{start}certificate.json": json.dumps(written).encode()}


def push(user, files, slug="a-course", **headers):
    caller = Caller(user)
    body = files if isinstance(files, bytes) else write_zip(files)
    return caller._client.put(
        f"{BASE}courses/{slug}/content/", body, content_type="application/zip", headers={**caller._headers, **headers}
    )


def pull(user, slug="a-course", **headers):
    return Caller(user).get(f"courses/{slug}/content/", **headers)


@pytest.fixture
def course():
    return load_course(read_course_files("a-course", PLAIN)).course


@pytest.fixture
def instructor(course):
    return make_member(course, role=Role.INSTRUCTOR)


def test_what_is_proven_is_published(instructor):
    answer = push(
        instructor, proven(PLAIN | {"exercises/which-one/exercise.yaml": CHOICE.replace("Choose", "Take").encode()})
    )

    assert answer.status_code == 200
    assert answer.json() == {
        "course": "a-course",
        "lessons": [{"slug": "first", "change": "unchanged"}],
        "exercises": [{"slug": "which-one", "change": "changed", "message": ""}],
    }
    published = Exercise.objects.get().published
    assert (published.number, published.definition["exercise"]["prompt"]) == (2, "Take.")
    assert published.created_by == instructor


def test_what_is_not_proven_is_saved_only(instructor):
    other = {"exercises/which-one/exercise.yaml": CHOICE.replace("text: that", "text: those").encode()}

    answer = push(instructor, PLAIN | other | {"exercises/new-one/exercise.yaml": NUMERIC.encode()})

    assert answer.json()["exercises"] == [
        {"slug": "which-one", "change": "saved", "message": BARE},
        {"slug": "new-one", "change": "saved", "message": BARE},
    ]
    which, new = Exercise.objects.order_by("-slug")
    assert (which.published.number, new.published) == (1, None)
    head = which.revisions.first()
    assert ("those" in head.files["exercise.yaml"], head.saved_by) == (True, instructor)


def test_what_stands_already_is_unchanged(instructor):
    answer = push(instructor, PLAIN)

    assert answer.json()["exercises"] == [{"slug": "which-one", "change": "unchanged", "message": BARE}]
    assert Exercise.objects.get().published.number == 1


def test_too_low_a_score_is_not_published(instructor):
    files = proven(PLAIN | {"exercises/new-one/exercise.yaml": NUMERIC.encode()}, "new-one", mutation_score=0.5)

    (_, new) = push(instructor, files).json()["exercises"]

    message = "its mutation score is 0.50, and the course asks for 0.9"
    assert new == {"slug": "new-one", "change": "saved", "message": message}


def test_exercise_that_left_is_retired(instructor):
    push(instructor, proven(PLAIN | {"exercises/gone/exercise.yaml": NUMERIC.encode()}, "gone"))

    answer = push(instructor, PLAIN)

    assert {"slug": "gone", "change": "retired", "message": ""} in answer.json()["exercises"]
    back = push(instructor, PLAIN | {"exercises/gone/exercise.yaml": NUMERIC.replace("5", "6").encode()})
    assert {"slug": "gone", "change": "saved", "message": BARE} in back.json()["exercises"]
    assert (Exercise.objects.get(slug="gone").published, Exercise.objects.get(slug="gone").is_retired) == (None, False)


def test_any_problem_refuses_the_whole(instructor):
    files = PLAIN | {
        "course.yaml": b"title: Other\nlessons: [first]\n",
        "exercises/which-one/exercise.yaml": b"kind: choice\n",
    }

    answer = push(instructor, files)

    assert answer.status_code == 400
    first = answer.json()["problems"][0]
    assert first == {
        "file": "exercises/which-one/exercise.yaml",
        "line": 1,
        "field": "format",
        "message": "expected this field, found none",
    }
    assert Course.objects.get().title == "A course"
    assert not AuditEntry.objects.exclude(actor=None).exists()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "expected a zip file as the body, found nothing"),
        (b"no zip", "expected a zip file, found something else"),
        (write_zip({"../a.txt": b"x"}), "expected the path of a file within the course, found something else"),
    ],
)
def test_body_that_is_no_zip_of_a_course_is_refused(instructor, body, message):
    answer = push(instructor, body)

    assert (answer.status_code, answer.json()["problems"][0]["message"]) == (400, message)


def test_body_of_another_type_is_refused(instructor):
    caller = Caller(instructor)
    answer = caller._client.put(
        f"{BASE}courses/a-course/content/", "{}", content_type="application/json", headers=caller._headers
    )

    assert answer.status_code == 415


def test_too_large_a_body_is_refused(instructor, monkeypatch):
    monkeypatch.setattr("exercises.api.parsers.LARGEST_ZIP_BYTES", 100)

    assert push(instructor, PLAIN).status_code == 413


@pytest.mark.parametrize(
    ("role", "status"), [(Role.STUDENT, 404), (Role.ASSISTANT, 403), (Role.INSTRUCTOR, 200), (None, 404)]
)
def test_only_an_instructor_of_the_course_may_push(course, role, status):
    user = make_user() if role is None else make_member(course, role=role)
    # Teaching another course gives no right to this one.
    enrol(user, make_course(), role=Role.INSTRUCTOR)

    assert push(user, PLAIN).status_code == status


def test_whoever_may_make_courses_makes_one():
    user = make_member(make_course(slug="other"), role=Role.INSTRUCTOR)

    answer = push(user, proven(PLAIN))

    assert answer.status_code == 201
    assert answer.json()["exercises"] == [{"slug": "which-one", "change": "added", "message": ""}]
    made = Course.objects.get(slug="a-course")
    assert Membership.objects.get(course=made).user == user
    actions = AuditEntry.objects.filter(course=made, actor=user).values_list("action", flat=True)
    assert set(actions) == {AuditAction.COURSE_CREATED, AuditAction.COURSE_LOADED}
    assert push(user, proven(PLAIN)).status_code == 200


def test_whoever_may_not_make_courses_hears_of_none():
    answer = push(make_user(), PLAIN)

    assert answer.status_code == 404
    assert not Course.objects.exists()


def test_new_course_with_a_problem_is_not_made():
    user = make_member(make_course(slug="other"), role=Role.INSTRUCTOR)

    assert push(user, {"course.yaml": b"title: A\n"}).status_code == 400
    assert not Course.objects.filter(slug="a-course").exists()


def test_slug_that_is_none_is_a_problem():
    user = make_member(make_course(slug="other"), role=Role.INSTRUCTOR)

    answer = push(user, PLAIN, slug="A_course")

    assert (answer.status_code, answer.json()["problems"][0]["field"]) == (400, "slug")


def test_what_was_pushed_is_pulled(course, instructor):
    for user in (instructor, make_member(course, role=Role.ASSISTANT)):
        answer = pull(user, Accept="application/zip")

        assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
        assert answer["Content-Disposition"] == 'attachment; filename="a-course.zip"'
        assert read_zip(io.BytesIO(answer.content)) == PLAIN
    assert push(instructor, answer.content).json()["exercises"][0]["change"] == "unchanged"


@pytest.mark.parametrize("role", [Role.STUDENT, None])
def test_students_and_strangers_pull_nothing(course, role):
    user = make_user() if role is None else make_member(course, role=role)

    assert pull(user).status_code == 404
    assert Caller().get("courses/a-course/content/").status_code == 401
