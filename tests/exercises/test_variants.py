"""Numbers of a student's own: the same each time, others for a classmate, and the same again when regraded."""

import pytest

from exercises.choices import Kind
from exercises.errors import RegradeImpossibleError
from exercises.models import Grading
from exercises.queries import definition_of, response_seed, stated_prompt
from exercises.services import apply_regrade, queue_regrade, submit
from graders.outcomes import Verdict
from tests.factories import make_exercise, make_member, publish_version, right_response

pytestmark = pytest.mark.django_db
VARIANTS = {
    "prompt": "The root of {{ d }}?",
    "parameters": {"d": {"integer": [1, 1000000]}},
    "answer": "{{ sqrt(d) }}",
}


@pytest.fixture
def exercise():
    return make_exercise(kind=Kind.NUMERIC, definition=VARIANTS)


def test_each_student_has_numbers_of_their_own(exercise):
    student, classmate = make_member(exercise.course), make_member(exercise.course)

    assert stated_prompt(student, exercise) == stated_prompt(student, exercise)
    assert stated_prompt(student, exercise) != stated_prompt(classmate, exercise)
    assert "{{" not in stated_prompt(student, exercise)


def test_each_is_judged_by_their_own_numbers(exercise):
    student, classmate = make_member(exercise.course), make_member(exercise.course)
    theirs = right_response(classmate, exercise)

    assert submit(student, exercise, response=right_response(student, exercise)).grading.verdict == Verdict.ACCEPTED
    assert submit(student, exercise, response=theirs).grading.verdict == Verdict.WRONG_ANSWER


def test_regrade_by_a_version_with_other_numbers_asks_the_old_question(exercise):
    student = make_member(exercise.course)
    submission = submit(student, exercise, response=right_response(student, exercise))
    later = publish_version(
        exercise, kind=Kind.NUMERIC, definition={**VARIANTS, "parameters": {"d": {"integer": [2000000, 3000000]}}}
    )

    regrade = queue_regrade(submission, later)

    assert (regrade.verdict, regrade.in_force) == (Verdict.ACCEPTED, False)


def test_regrade_by_a_mended_key_turns_the_verdict(exercise):
    student = make_member(exercise.course)
    wrong = float(definition_of(exercise)["exercise"]["parameters"]["d"]["integer"][0]) / 3
    submission = submit(student, exercise, response=wrong)
    later = publish_version(exercise, kind=Kind.NUMERIC, definition={**VARIANTS, "answer": "{{ 1/3 + 0 * d }}"})

    apply_regrade(queue_regrade(submission, later))

    assert Grading.objects.get(in_force=True).verdict == Verdict.ACCEPTED


def test_response_stays_valid_when_a_version_renames_another_option():
    exercise = make_exercise(kind=Kind.CHOICE)
    student = make_member(exercise.course)
    submission = submit(student, exercise, response=right_response(student, exercise))
    options = [{"text": "Because", "correct": False}, {"text": "By design", "correct": True}]

    regrade = queue_regrade(submission, publish_version(exercise, kind=Kind.CHOICE, definition={"options": options}))

    assert regrade.verdict == Verdict.WRONG_ANSWER


def test_regrade_of_what_a_version_no_longer_has_is_refused_and_leaves_nothing():
    exercise = make_exercise(kind=Kind.CHOICE)
    student = make_member(exercise.course)
    submission = submit(student, exercise, response=right_response(student, exercise))
    options = [{"text": "Therefore", "correct": True}, {"text": "By chance"}]

    with pytest.raises(RegradeImpossibleError, match="Version 2 cannot judge this response"):
        queue_regrade(submission, publish_version(exercise, kind=Kind.CHOICE, definition={"options": options}))

    assert Grading.objects.count() == 1


def test_seed_does_not_tell_the_student_apart_from_another_exercise(exercise):
    student = make_member(exercise.course)

    assert response_seed(student, exercise) != response_seed(student, make_exercise(exercise.course))
