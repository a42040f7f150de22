"""Explanations, judged along their rubric: by staff, or by their author in a course without staff."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import Lane, Reason, State
from exercises.errors import InvalidFieldError, ReviewNotOpenError
from exercises.models import Course, Grading, Submission, User
from exercises.queries.courses import is_staff_of
from exercises.queries.withheld import withheld_from
from exercises.services.locks import lock_student
from exercises.services.notices import tell
from exercises.services.outcomes import NO_FACTS, publish_after_commit, write_outcome
from graders.errors import ResponseError
from graders.outcomes import Outcome
from graders.questions import explain
from graders.questions.numbers import read_number

LONGEST_COMMENT = 20_000


@transaction.atomic
def review(submission: Submission, *, reviewer: User, points: Mapping[str, Any], comment: str = "") -> Grading:
    """Judge an explanation; `points` for each criterion by name. A later review takes the place of an earlier one.

    Both are kept, each with who made it and when.

    Raises:
        ReviewNotOpenError: the reviewer is not staff of the course, no person judges this kind, or a newer hand-in
            took its place.
        InvalidFieldError: points or comment have the wrong form; nothing is stored.
    """
    require_reviewer(reviewer, submission.exercise.course)
    outcome = outcome_of_points(submission, points, comment=comment)
    grading = open_grading(submission)
    if grading.state == State.GRADED:
        grading.in_force = False
        grading.save(update_fields=["in_force"])
        grading = further_review(grading, in_force=True)
    return give_review(grading, outcome, reviewer, comment=comment)


@transaction.atomic
def assess_own(submission: Submission, *, student: User, points: Mapping[str, Any]) -> Grading:
    """Judge one's own explanation, once; the outcome is marked as self-assessed.

    Raises:
        ReviewNotOpenError: it is another's, the course has staff, it is judged already, or see `review`.
        InvalidFieldError: points have the wrong form; nothing is stored.
    """
    if student.pk != submission.student_id or not submission.exercise.course.self_paced:
        raise ReviewNotOpenError("One assesses one's own explanations only, in courses without staff.")
    outcome = outcome_of_points(submission, points, self_assessed=True)
    grading = open_grading(submission)
    if grading.state == State.GRADED:
        raise ReviewNotOpenError("This explanation is assessed already. Hand in another one to assess it anew.")
    return write_review(grading, outcome, student)


def require_reviewer(reviewer: User, course: Course) -> None:
    """Raises: ReviewNotOpenError where the reviewer is not staff of the course."""
    if not is_staff_of(reviewer, course):
        raise ReviewNotOpenError("Only the staff of a course review what is handed in.")


def outcome_of_points(
    submission: Submission, points: Mapping[str, Any], *, comment: str = "", self_assessed: bool = False
) -> Outcome:
    """The outcome of a review. Raises: as `review`."""
    said = _checked_comment(comment)
    if not submission.version.is_reviewed:
        raise ReviewNotOpenError("This kind of exercise is not judged by a person.")
    question = explain.from_definition(submission.version.definition["exercise"])
    try:
        given = {name: _points(value) for name, value in points.items()}
        return explain.outcome_of_review(question, given, comment=said, self_assessed=self_assessed)
    except ResponseError as error:
        raise InvalidFieldError("points", str(error)) from error


def _points(value: Any) -> Decimal:
    number = read_number(str(value) if isinstance(value, Decimal) else value)
    if (number * 100).denominator != 1:
        raise ResponseError("expected points with at most two decimals")
    return Decimal(number.numerator) / number.denominator


def _checked_comment(comment: str) -> str:
    if "\0" in comment or len(comment) > LONGEST_COMMENT:
        raise InvalidFieldError("comment", f"The comment must be a text of at most {LONGEST_COMMENT} characters.")
    return comment.strip()


def open_grading(submission: Submission) -> Grading:
    """The grading in force, its student locked.

    Raises:
        ReviewNotOpenError: a newer hand-in took its place, or its student had the account erased.
    """
    lock_student(submission.student_id)
    grading = submission.gradings.select_related("submission__exercise", "submission__version").get(in_force=True)
    if grading.submission.is_erased:
        raise ReviewNotOpenError("The account of who wrote this was erased, and with it what was written.")
    if grading.state == State.SUPERSEDED:
        raise ReviewNotOpenError("A newer hand-in took the place of this one.")
    return grading


def further_review(grading: Grading, *, in_force: bool) -> Grading:
    """A new grading of the same submission, for another review of it; `in_force` in place of this one."""
    return Grading.objects.create(
        student=grading.student,
        submission=grading.submission,
        version=grading.version,
        lane=Lane.REVIEW,
        reason=Reason.REVIEW,
        in_force=in_force,
        instead_of=grading if in_force else None,
        queued_at=timezone.now(),
    )


def give_review(grading: Grading, outcome: Outcome, reviewer: User, *, comment: str) -> Grading:
    """The grading with what the reviewer says of it; the student is told."""
    judged = write_review(grading, outcome, reviewer)
    tell_of_review(judged.submission, judged, has_comment=bool(comment.strip()))
    return judged


def write_review(grading: Grading, outcome: Outcome, reviewer: User) -> Grading:
    """The grading with what the reviewer says of it."""
    grading.reviewer = reviewer
    write_outcome(grading, outcome, facts=NO_FACTS)
    publish_after_commit(grading.topic)
    return grading


def tell_of_review(submission: Submission, grading: Grading, *, has_comment: bool) -> None:
    """Tell the student that somebody has read what they wrote."""
    assert grading.score is not None
    assert grading.max_score is not None
    points = f"{grading.score.normalize():f} of {grading.max_score.normalize():f} points"
    told = f": {points}{', with a comment' if has_comment else ''}"
    # What an assignment does not show yet, the inbox does not tell either.
    is_hidden = withheld_from(submission.student).hides(grading)
    text = f"“{submission.version.title}” was judged by hand{'' if is_hidden else told}."
    tell(submission.student_id, text, url=reverse("learn:submission", args=(submission.pk,)))
