"""Explanations wait for a person: staff who review, or their author in a course without staff."""

from decimal import Decimal

import pytest

from exercises.choices import Kind, Lane, Reason, Role, State
from exercises.errors import InvalidFieldError, RegradeImpossibleError, ReviewNotOpenError
from exercises.models import Attempt, BestScore, Grading
from exercises.queries import feedback_of, queue_place
from exercises.queries.reviewing import answers_to, review_queues
from exercises.services import assess_own, claim_next, queue_regrade, review, submit, sweep
from graders.outcomes import Verdict
from tests.factories import make_course, make_exercise, make_member, make_submission

pytestmark = pytest.mark.django_db
FULL = {"Names the spread": "2", "Names the softmax": 1}
PART = {"Names the spread": "0.5", "Names the softmax": Decimal(1)}


@pytest.fixture
def exercise():
    return make_exercise(kind=Kind.EXPLAIN)


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


@pytest.fixture
def teacher(exercise):
    return make_member(exercise.course, role=Role.ASSISTANT)


@pytest.fixture
def submission(student, exercise):
    return submit(student, exercise, response="The scores spread.")


@pytest.fixture
def own():
    """An explanation in a course without staff."""
    exercise = make_exercise(make_course(self_paced=True), kind=Kind.EXPLAIN)
    return submit(make_member(exercise.course), exercise, response="The scores spread.")


def test_explanation_waits_and_no_worker_claims_it(submission):
    assert (submission.grading.state, submission.grading.lane) == (State.QUEUED, Lane.REVIEW)
    assert claim_next("worker") is None
    assert sweep().freed == 0
    assert queue_place(submission) is None
    assert Attempt.objects.count() == 1


def test_explanation_that_waits_does_not_hold_up_code(student, exercise, submission):
    code = make_submission(student, make_exercise(exercise.course))

    assert queue_place(code) == 1
    assert claim_next("worker").id == code.grading.pk


def test_review_gives_points_and_a_verdict(submission, teacher):
    grading = review(submission, reviewer=teacher, points=PART, comment=" Which scores? ")

    assert (grading.state, grading.verdict) == (State.GRADED, Verdict.WRONG_ANSWER)
    assert (grading.score, grading.max_score, grading.reviewer) == (Decimal("1.50"), Decimal("3.00"), teacher)
    assert BestScore.objects.get().score == Decimal("1.50")
    said = feedback_of(grading, submission.student)
    assert said["feedback"]["hint"] == "Which scores?"
    assert said["feedback"]["details"] == {"self_assessed": False}
    assert [(case["name"], case["points"]) for case in said["cases"]] == [
        ("Names the spread", 0.5),
        ("Names the softmax", 1.0),
    ]


def test_full_points_solve_the_exercise(submission, teacher):
    assert review(submission, reviewer=teacher, points=FULL).verdict == Verdict.ACCEPTED
    assert BestScore.objects.get().solved_at is not None


def test_second_review_takes_the_place_of_the_first_and_both_are_kept(submission, teacher, exercise):
    other = make_member(exercise.course, role=Role.INSTRUCTOR)
    review(submission, reviewer=teacher, points=FULL)

    review(submission, reviewer=other, points=PART)

    kept = list(Grading.objects.values_list("reviewer", "score", "in_force", "reason"))
    assert kept == [
        (teacher.pk, Decimal(3), False, Reason.FIRST),
        (other.pk, Decimal("1.5"), True, Reason.REVIEW),
    ]
    assert BestScore.objects.get().score == Decimal("1.5")


@pytest.mark.parametrize(
    "points",
    [
        {},
        {"Names the spread": 2},
        {**FULL, "Is polite": 1},
        {**FULL, "Names the spread": 3},
        {**FULL, "Names the spread": -1},
        {**FULL, "Names the spread": "0.125"},
        {**FULL, "Names the spread": "much"},
        {**FULL, "Names the spread": ""},
        {**FULL, "Names the spread": None},
    ],
)
def test_points_of_a_wrong_form_are_refused_and_nothing_changes(submission, teacher, points):
    with pytest.raises(InvalidFieldError) as caught:
        review(submission, reviewer=teacher, points=points)

    assert caught.value.field == "points"
    assert Grading.objects.get().state == State.QUEUED


@pytest.mark.parametrize("comment", ["x\0", "x" * 20_001])
def test_comment_of_a_wrong_form_is_refused(submission, teacher, comment):
    with pytest.raises(InvalidFieldError) as caught:
        review(submission, reviewer=teacher, points=FULL, comment=comment)

    assert caught.value.field == "comment"


def test_only_staff_of_the_course_review(submission, student):
    stranger = make_member(make_course(), role=Role.INSTRUCTOR)

    for person in (student, stranger, make_member(submission.exercise.course)):
        with pytest.raises(ReviewNotOpenError):
            review(submission, reviewer=person, points=FULL)


def test_code_is_not_reviewed(exercise, teacher):
    with pytest.raises(ReviewNotOpenError, match="not judged by a person"):
        review(make_submission(exercise=make_exercise(exercise.course)), reviewer=teacher, points=FULL)


@pytest.mark.parametrize("max_attempts", [None, 3])
def test_newer_explanation_replaces_the_one_that_waits(student, exercise, teacher, max_attempts):
    exercise.max_attempts = max_attempts
    exercise.save()
    first = submit(student, exercise, response="One.")
    second = submit(student, exercise, response="Two.")

    assert Grading.objects.get(submission=first).state == State.SUPERSEDED
    assert list(answers_to(exercise, is_read=False)) == [second]
    assert Attempt.objects.filter(given_back_at=None).count() == 1
    with pytest.raises(ReviewNotOpenError, match="newer"):
        review(first, reviewer=teacher, points=FULL)


def test_equal_explanation_takes_the_review_over(student, exercise, submission, teacher):
    review(submission, reviewer=teacher, points=PART)

    again = submit(student, exercise, response="The scores spread.").grading

    assert (again.state, again.score, again.reviewer) == (State.GRADED, Decimal("1.5"), teacher)


def test_student_assesses_their_own_in_a_course_without_staff(own):
    grading = assess_own(own, student=own.student, points=FULL)

    assert (grading.state, grading.verdict, grading.reviewer) == (State.GRADED, Verdict.ACCEPTED, own.student)
    said = feedback_of(grading, own.student)["feedback"]
    assert said["summary"] == "Assessed by its author."
    assert said["details"] == {"self_assessed": True}


def test_own_assessment_is_made_once(own):
    assess_own(own, student=own.student, points=PART)

    with pytest.raises(ReviewNotOpenError, match="assessed already"):
        assess_own(own, student=own.student, points=FULL)


def test_staff_may_still_review_what_was_self_assessed(own):
    assess_own(own, student=own.student, points=FULL)
    teacher = make_member(own.exercise.course, role=Role.INSTRUCTOR)

    assert review(own, reviewer=teacher, points=PART).score == Decimal("1.5")


def test_nobody_assesses_another_student_or_in_a_course_with_staff(own, submission):
    classmate = make_member(own.exercise.course)

    with pytest.raises(ReviewNotOpenError):
        assess_own(own, student=classmate, points=FULL)
    with pytest.raises(ReviewNotOpenError):
        assess_own(submission, student=submission.student, points=FULL)


def test_reviews_waiting_are_those_of_the_course_with_staff(submission, own):
    make_submission(exercise=make_exercise(submission.exercise.course))

    [queue] = review_queues(submission.exercise.course)

    assert (queue.exercise, queue.waiting) == (submission.exercise, 1)
    assert review_queues(own.exercise.course) == []


def test_explanation_is_not_regraded_by_machine(submission):
    with pytest.raises(RegradeImpossibleError, match="review the submission"):
        queue_regrade(submission, submission.version)


@pytest.mark.parametrize("response", ["", "  ", 5, ["text"], "x" * 20_001])
def test_explanation_of_a_wrong_form_is_refused(student, exercise, response):
    with pytest.raises(InvalidFieldError):
        submit(student, exercise, response=response)
