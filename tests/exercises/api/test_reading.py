from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command

from exercises.choices import Kind, Role
from exercises.models import CaseSet
from tests.exercises.api.client import Caller, path_of
from tests.factories import (
    make_assignment,
    make_course,
    make_exercise,
    make_graded,
    make_lesson,
    make_member,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_courses_are_those_of_the_caller():
    mine, _ = make_course(title="Mine", summary="About it"), make_course()
    caller = Caller(make_member(mine, role=Role.ASSISTANT))

    answer = caller.get("courses/")

    assert answer.json() == [{"slug": mine.slug, "title": "Mine", "summary": "About it", "role": "assistant"}]


def test_course_lists_assignments_with_the_callers_own_dates():
    exercise = make_exercise(kind=Kind.NUMERIC, max_attempts=5)
    due = datetime(2090, 1, 1, tzinfo=UTC)
    assignment = make_assignment(exercise, due_at=due, max_attempts=2)
    make_assignment(exercise, is_hidden=True)
    caller = Caller(make_member(exercise.course))
    assignment.extensions.create(student=caller.user, due_at=due + timedelta(days=1))

    said = caller.get(f"courses/{exercise.course.slug}/").json()

    assert said["assignments"] == [
        {
            "slug": assignment.slug,
            "title": assignment.title,
            "is_quiz": False,
            "opens_at": None,
            "due_at": "2090-01-02T00:00:00Z",
            "closes_at": None,
        }
    ]
    assert caller.get(path_of(exercise)).json()["attempts_left"] == 2


def test_course_lists_lessons_and_exercises():
    course = make_course()
    lesson, exercise = make_lesson(course), make_exercise(course, kind=Kind.NUMERIC)
    make_exercise(course, is_retired=True)
    caller = Caller(make_member(course))

    said = caller.get(f"courses/{course.slug}/").json()

    assert [item["slug"] for item in said["lessons"]] == [lesson.slug]
    assert said["exercises"] == [
        {
            "slug": exercise.slug,
            "kind": "numeric",
            "title": exercise.published.title,
            "points": 1.0,
            "best": None,
        }
    ]


@pytest.mark.parametrize("slug", ["nothing", "foreign"])
def test_course_of_others_is_not_found(slug):
    make_course(slug="foreign")

    assert Caller(make_user()).get(f"courses/{slug}/").status_code == 404


@pytest.mark.parametrize("rows", [1, 3])
def test_lists_ask_as_many_queries_for_three_rows_as_for_one(rows, django_assert_num_queries):
    student = make_user()
    for _ in range(rows):
        course = make_course()
        course.memberships.create(user=student, role=Role.STUDENT)
        make_lesson(course)
        make_exercise(course)
    caller = Caller(student)

    with django_assert_num_queries(AUTHENTICATION + 1):
        caller.get("courses/")
    with django_assert_num_queries(AUTHENTICATION + 7):
        caller.get("progress/")


# One for the token, one for expired ones of the same user.
AUTHENTICATION = 2


def test_exercise_tells_what_its_form_needs():
    exercise = make_exercise(
        files={"starter.py": "def double(x): ...\n", "reference.py": "secret"},
        definition={"prompt": "Write **it**.", "tags": ["a"], "difficulty": "easy"},
        max_attempts=3,
    )
    shown = [{"name": "two tokens", "args": [{"dtype": "float32", "shape": [1], "values": [1.0]}], "expected": 2.0}]
    CaseSet.objects.create(
        exercise=exercise, grading_hash=exercise.published.grading_hash, digest="x", blob=b"x", visible=shown
    )

    said = Caller(make_member(exercise.course)).get(path_of(exercise)).json()

    assert said == {
        "slug": exercise.slug,
        "kind": "code",
        "title": exercise.published.title,
        "points": 1.0,
        "best": None,
        "course": exercise.course.slug,
        "version": 1,
        "difficulty": "easy",
        "tags": ["a"],
        "prompt": "Write **it**.",
        "starter": "def double(x): ...\n",
        "entry": "double",
        "limits": None,
        "demands": {
            "inputs_unchanged": False,
            "gradients": [],
            "forbid": {"names": [], "operators": [], "loops": False},
            "properties": [],
            "training": None,
            "words": [],
        },
        "response_schema": said["response_schema"],
        "cases": shown,
        "attempts_left": 3,
        "is_solution_open": False,
    }
    assert said["response_schema"]["required"] == ["source"]


def test_exercise_tells_what_it_asks_for_beside_values():
    asked = {
        "inputs_unchanged": True,
        "gradients": ["x"],
        "forbid": {"names": ["torch.softmax"], "operators": [], "loops": True},
        "properties": [{"property": "sums_to(output, 1, dim=-1)", "points": 2.0}],
        "training": None,
    }
    limits = {"cpu_seconds": 2.0, "memory_mb": 256, "tasks": 64}
    exercise = make_exercise(definition={**asked, "limits": limits})

    said = Caller(make_member(exercise.course)).get(path_of(exercise)).json()

    words = said["demands"].pop("words")
    assert (said["demands"], said["limits"]) == (asked, limits)
    assert words == [
        "A call must leave its arguments as they are.",
        "Gradients for `x` are judged too.",
        "To be solved without `torch.softmax`.",
        "To be solved without loops and comprehensions.",
        "The output sums to 1 along axis -1 (2 points).",
    ]


def test_choice_shows_options_without_what_is_right():
    exercise = make_exercise(kind=Kind.CHOICE)

    said = Caller(make_member(exercise.course)).get(path_of(exercise)).json()

    assert sorted(option["text"] for option in said["options"]) == ["Because", "By chance"]
    assert {tuple(option) for option in said["options"]} == {("id", "text")}
    assert said["multiple"] is False
    assert said["response_schema"]["properties"]["response"]["enum"] == [option["id"] for option in said["options"]]


def test_own_best_score_is_told_and_not_a_classmates():
    exercise = make_exercise()
    student, classmate = make_member(exercise.course), make_member(exercise.course)
    make_graded(student, exercise)

    mine = Caller(student).get(path_of(exercise)).json()["best"]
    theirs = Caller(classmate).get(path_of(exercise)).json()["best"]

    assert (mine["verdict"], mine["score"], mine["max_score"]) == ("accepted", 4.0, 4.0)
    assert theirs is None


def test_progress_tells_what_is_solved():
    course = make_course()
    lesson, exercise = make_lesson(course), make_exercise(course)
    lesson.embedded.create(exercise=exercise, position=0)
    student = make_member(course)
    make_graded(student, exercise)

    (said,) = Caller(student).get("progress/").json()

    assert (said["course"], said["solved"]) == (course.slug, 1)
    assert said["lessons"] == [
        {"slug": lesson.slug, "title": lesson.title, "is_solved": True, "exercises": [exercise.slug]}
    ]
    assert said["exercises"][0]["best"]["verdict"] == "accepted"


def test_schema_describes_every_endpoint_without_a_warning(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_schema_is_served():
    answer = Caller(make_user()).get("schema/", Accept="application/json")

    assert answer.status_code == 200
    assert "/api/v1/runs/{id}/" in answer.json()["paths"]


@pytest.mark.parametrize("version", ["%0a", "%0d%0aX-Sent:yes", "2"])
def test_schema_puts_no_sent_version_into_a_header(version):
    answer = Caller().get(f"schema/?version={version}", Accept="application/json")

    assert answer.status_code == 200
    assert answer["Content-Disposition"] == 'inline; filename="quizsite.json"'


def test_other_addresses_are_answered_with_json():
    answer = Caller().get("nothing/here/")

    assert (answer.status_code, answer.json()) == (404, {"detail": "Not found."})


@pytest.mark.parametrize(
    ("method", "path"), [("post", "courses/"), ("post", "progress/"), ("delete", "runs/"), ("get", "token/")]
)
def test_other_methods_are_not_allowed(method, path):
    caller = Caller(make_user())

    answer = caller.post(path, {}) if method == "post" else getattr(caller, method)(path)

    assert answer.status_code == 405
