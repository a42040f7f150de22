"""One submission as the staff of its course look into it, found by its receipt number."""

from __future__ import annotations

import re

from django.db.models import Prefetch, QuerySet

from exercises.choices import STAFF_ROLES, RunKind, State
from exercises.models import Course, Grading, Run, Submission, User
from graders.outcomes import Verdict

_HALF = 4
_NO_LETTERS = re.compile(r"[^0-9A-Z]")


def receipt_of(text: str) -> str:
    """A receipt number as it is stored, from one as it is typed: in any case, with or without its dash."""
    letters = _NO_LETTERS.sub("", text.upper())[: 2 * _HALF]
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


def submission_by_receipt(viewer: User, text: str) -> Submission:
    """The submission of this receipt number, in a course where the viewer is staff.

    Raises:
        Submission.DoesNotExist: there is none, or not for this viewer.
    """
    as_staff = {"exercise__course__memberships__user": viewer, "exercise__course__memberships__role__in": STAFF_ROLES}
    return Submission.objects.select_related("exercise__course").get(receipt=receipt_of(text), **as_staff)


def submission_in(course: Course, submission_id: int) -> Submission:
    """A submission to the course with all that its page tells; its `grading` costs no further query.

    Raises:
        Submission.DoesNotExist: there is none in this course.
    """
    found = course_submissions(course).select_related(
        "student",
        "exercise__course",
        "exercise__published",
        "version__exercise__course",
        "assignment__course",
        "attempt",
    )
    in_force = Grading.objects.filter(in_force=True).select_related("version", "reviewer")
    return found.prefetch_related(Prefetch("gradings", in_force)).get(pk=submission_id)


def course_submissions(course: Course) -> QuerySet[Submission]:
    """All that was handed in to the course."""
    return Submission.objects.filter(exercise__course=course)


def gradings_of(submission: Submission) -> QuerySet[Grading]:
    """Each judging of the submission, the newest first; those that are part of a regrade of all are marked by it."""
    found = Grading.objects.filter(submission=submission).select_related("version", "reviewer")
    return found.defer("feedback", "version__definition").order_by("-pk")


def comparable_submissions(submission: Submission) -> QuerySet[Submission]:
    """What the same student handed in to the same exercise, the newest first."""
    same = Submission.objects.filter(student=submission.student_id, exercise=submission.exercise_id)
    in_force = Grading.objects.filter(in_force=True).defer("feedback")
    return same.defer("source", "response").prefetch_related(Prefetch("gradings", in_force))


def staff_run_in(course: Course, run_id: int) -> Run:
    """A run of a copy of a submission by staff, for the staff of the course.

    Raises:
        Run.DoesNotExist: there is none in this course.
    """
    found = Run.objects.filter(kind=RunKind.JUDGED, submission__exercise__course=course)
    return found.select_related("version__exercise__course", "submission__exercise", "student").get(pk=run_id)


def unedited_staff_run(submission: Submission) -> Run | None:
    """The last run by staff of just what was handed in, by the version that judged it; it knows all that came out."""
    same = submission.staff_runs.filter(
        source=submission.source, version=submission.grading.version_id, state=State.GRADED
    )
    return same.exclude(verdict=Verdict.INTERNAL_ERROR).order_by("-pk").first()
