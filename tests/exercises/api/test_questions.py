"""Every kind of question over the API: what its form needs, a response, and what is never told."""

import json

import pytest

from exercises.choices import CODE_KINDS, Kind, Role
from exercises.services import review
from tests.exercises.api.client import Caller, path_of
from tests.factories import make_exercise, make_member, right_response

pytestmark = pytest.mark.django_db
QUESTIONS = [kind for kind in Kind if kind not in CODE_KINDS]
FORMS = {
    Kind.CHOICE: {"options", "multiple"},
    Kind.NUMERIC: set(),
    Kind.TEXT: set(),
    Kind.TENSOR: set(),
    Kind.BLANKS: {"pieces", "gaps"},
    Kind.ORDERING: {"lines", "indent"},
    Kind.MATCHING: {"left", "right"},
    Kind.EXPLAIN: {"rubric"},
}
POINTS = {"Names the spread": 2, "Names the softmax": 1}


@pytest.fixture(params=QUESTIONS)
def exercise(request):
    return make_exercise(kind=request.param)


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


def hand_in(student, exercise, response):
    return Caller(student).post(f"{path_of(exercise)}submissions/", {"response": response})


def test_exercise_tells_what_its_form_needs(student, exercise):
    said = Caller(student).get(path_of(exercise)).json()

    assert set.union(*FORMS.values()) & set(said) == FORMS[exercise.published.kind]
    assert said["response_schema"]["required"] == ["response"]


def test_exercise_does_not_tell_its_key(student, exercise):
    said = json.dumps(Caller(student).get(path_of(exercise)).json())

    for secret in ("accept", "softmax", "answer", "correct", "distractors", "It grows with", "model_answer"):
        assert f'"{secret}' not in said


@pytest.mark.parametrize("kind", [kind for kind in QUESTIONS if kind != Kind.EXPLAIN])
def test_right_response_is_created_and_graded(kind):
    exercise = make_exercise(kind=kind)
    student = make_member(exercise.course)

    answer = hand_in(student, exercise, right_response(student, exercise))

    assert answer.status_code == 201
    said = answer.json()
    assert (said["state"], said["verdict"], said["awaiting"], said["score"]) == ("graded", "accepted", None, 1.0)


def test_explanation_awaits_review_and_then_has_points():
    exercise = make_exercise(kind=Kind.EXPLAIN)
    student, teacher = make_member(exercise.course), make_member(exercise.course, role=Role.INSTRUCTOR)

    answer = hand_in(student, exercise, "They spread.")

    said = answer.json()
    assert (answer.status_code, said["state"], said["awaiting"], said["score"]) == (202, "queued", "review", None)
    review(student.submissions.get(), reviewer=teacher, points=POINTS)
    said = Caller(student).get(f"submissions/{said['id']}/").json()
    assert (said["state"], said["verdict"], said["awaiting"], said["score"]) == ("graded", "accepted", None, 3.0)
    assert [case["name"] for case in said["cases"]] == list(POINTS)


def test_ids_are_others_for_a_classmate():
    exercise = make_exercise(kind=Kind.MATCHING)
    one, other = (Caller(make_member(exercise.course)).get(path_of(exercise)).json() for _ in range(2))

    for side in ("left", "right"):
        assert {item["text"] for item in one[side]} == {item["text"] for item in other[side]}
        assert not {item["id"] for item in one[side]} & {item["id"] for item in other[side]}


def test_prompt_holds_the_students_own_numbers():
    variants = {"prompt": "Width {{ d }}?", "parameters": {"d": {"choices": [64]}}, "answer": "{{ sqrt(d) }}"}
    exercise = make_exercise(kind=Kind.NUMERIC, definition=variants)

    said = Caller(make_member(exercise.course)).get(path_of(exercise)).json()

    assert said["prompt"] == "Width 64?"
    assert "parameters" not in said


@pytest.mark.parametrize("response", [{"no": "such id"}, [["no such id", 0]], [[""]], {}])
def test_response_of_a_wrong_form_is_named(student, exercise, response):
    answer = hand_in(student, exercise, response)

    assert (answer.status_code, list(answer.json())) == (400, ["response"])
