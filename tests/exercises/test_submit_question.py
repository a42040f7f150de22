"""Every kind that is judged at once: right, wrong, of a wrong form."""

import pytest

from exercises.choices import CODE_KINDS, REVIEWED_KINDS, Kind, State
from exercises.errors import InvalidFieldError
from exercises.models import Grading, Submission
from exercises.queries import response_form, response_seed
from exercises.services import submit
from graders.outcomes import Verdict
from graders.questions import kinds
from tests.factories import QUESTIONS, make_exercise, make_member, right_response

pytestmark = pytest.mark.django_db
JUDGED_AT_ONCE = [kind for kind in Kind if kind not in (*CODE_KINDS, *REVIEWED_KINDS)]
WRONG = {
    Kind.NUMERIC: "6",
    Kind.TEXT: "sigmoid",
    Kind.TENSOR: [1, 2],
    Kind.BLANKS: {"root": "d", "number": 64},
}


def wrong_response(student, exercise):
    kind, form = exercise.published.kind, response_form(student, exercise)
    if kind == Kind.CHOICE:
        right = right_response(student, exercise)
        return next(option["id"] for option in form["options"] if option["id"] != right)
    if kind == Kind.ORDERING:
        return [[form["lines"][0]["id"], 3]]
    if kind == Kind.MATCHING:
        return {left["id"]: form["right"][0]["id"] for left in form["left"]}
    return WRONG[kind]


@pytest.fixture(params=JUDGED_AT_ONCE)
def question(request):
    return make_exercise(kind=request.param)


@pytest.fixture
def student(question):
    return make_member(question.course)


def test_kinds_are_those_of_the_graders():
    assert set(QUESTIONS) == set(Kind)
    assert {*JUDGED_AT_ONCE, *REVIEWED_KINDS} == set(kinds.KINDS)
    assert set(REVIEWED_KINDS) == {kind for kind in kinds.KINDS if kinds.awaits_review({"kind": kind})}


def test_right_response_is_accepted_at_once(student, question):
    grading = submit(student, question, response=right_response(student, question)).grading

    assert (grading.state, grading.verdict, grading.score) == (State.GRADED, Verdict.ACCEPTED, grading.max_score)


def test_wrong_response_is_not_accepted(student, question):
    grading = submit(student, question, response=wrong_response(student, question)).grading

    assert grading.state == State.GRADED
    assert grading.verdict in (Verdict.WRONG_ANSWER, Verdict.INVALID_OUTPUT)
    assert grading.score < grading.max_score


@pytest.mark.parametrize(
    "response", [None, True, {}, ["", 5], "", {"a": "b"}, [["a", 0]], "x\0", [{"x\0": 1}], "\ud800"]
)
def test_response_of_a_wrong_form_is_named_and_not_stored(student, question, response):
    with pytest.raises(InvalidFieldError) as caught:
        submit(student, question, response=response)

    assert caught.value.field == "response"
    assert not Submission.objects.exists()


def test_seed_of_the_variant_is_kept(student, question):
    submission = submit(student, question, response=right_response(student, question))

    assert submission.seed == response_seed(student, question)


def test_code_has_no_variant():
    exercise = make_exercise(kind=Kind.CODE)

    assert submit(make_member(exercise.course), exercise, source="x = 1").seed == ""


def test_part_of_the_pairs_gives_part_of_the_points():
    exercise = make_exercise(kind=Kind.MATCHING)
    student = make_member(exercise.course)
    right = right_response(student, exercise)
    first, *_others = right
    wrong = next(item["id"] for item in response_form(student, exercise)["right"] if item["id"] not in right.values())

    grading = submit(student, exercise, response={**right, first: wrong}).grading

    assert (float(grading.score), float(grading.max_score)) == (0.67, 1)


def test_waiting_question_is_never_left_for_a_worker(student, question):
    submit(student, question, response=right_response(student, question))

    assert not Grading.objects.filter(state=State.QUEUED).exists()
