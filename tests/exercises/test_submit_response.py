from decimal import Decimal

import pytest

from exercises.choices import Kind, State
from exercises.errors import InvalidFieldError
from exercises.models import Attempt, BestScore, Submission
from exercises.queries import feedback_of, response_form
from exercises.services import submit
from graders.outcomes import Verdict
from tests.factories import make_exercise, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def number():
    return make_exercise(kind=Kind.NUMERIC)


@pytest.fixture
def student(number):
    return make_member(number.course)


@pytest.mark.parametrize("response", [5, 5.0, "5"])
def test_right_number_is_accepted_at_once(student, number, response):
    grading = submit(student, number, response=response).grading

    assert (grading.state, grading.verdict) == (State.GRADED, Verdict.ACCEPTED)
    assert grading.score == grading.max_score
    assert BestScore.objects.get().solved_at is not None


def test_wrong_number_is_judged_at_once(student, number):
    grading = submit(student, number, response="6").grading

    assert grading.verdict == Verdict.WRONG_ANSWER
    assert feedback_of(grading, student)["feedback"]["summary"]


def test_equal_response_costs_no_second_attempt(student, number):
    submit(student, number, response="6")
    submit(student, number, response="6")
    submit(student, number, response="7")

    assert Attempt.objects.filter(given_back_at=None).count() == 2


def test_one_option_of_a_choice_is_right():
    exercise = make_exercise(kind=Kind.CHOICE)
    student = make_member(exercise.course)

    verdicts = {
        option["text"]: submit(student, exercise, response=option["id"]).grading.verdict
        for option in response_form(student, exercise)["options"]
    }

    assert verdicts == {"Because": Verdict.ACCEPTED, "By chance": Verdict.WRONG_ANSWER}


def test_options_have_other_ids_for_a_classmate():
    exercise = make_exercise(kind=Kind.CHOICE)
    student, classmate = make_member(exercise.course), make_member(exercise.course)
    theirs = response_form(classmate, exercise)["options"][0]["id"]

    with pytest.raises(InvalidFieldError) as caught:
        submit(student, exercise, response=theirs)

    assert caught.value.field == "response"


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "response"),
        ({"response": "many"}, "response"),
        ({"response": [5]}, "response"),
        ({"response": {"number": 5}}, "response"),
        ({"response": "5", "source": "x"}, "source"),
    ],
)
def test_a_field_of_the_wrong_form_is_named_and_nothing_stored(student, number, fields, named):
    with pytest.raises(InvalidFieldError) as caught:
        submit(student, number, **fields)

    assert caught.value.field == named
    assert Submission.objects.count() == 0


def test_question_is_worth_its_share_of_the_points():
    exercise = make_exercise(kind=Kind.NUMERIC, version={"points": 3})

    submit(make_member(exercise.course), exercise, response="5")

    assert BestScore.objects.get().share == Decimal(1)
