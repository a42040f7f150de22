"""One submission as the staff of its course look into it, found by its receipt number."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery

from exercises.choices import STAFF_ROLES, RunKind, State
from exercises.models import Course, Grading, Question, Run, Submission, User
from graders.outcomes import Verdict

MOST_STAFF_RUNS = 10
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

    `open_reports` is how many questions and reports about its exercise wait for an answer; None where none does.

    Raises:
        Submission.DoesNotExist: there is none in this course.
    """
    about = ("student", "exercise__course", "exercise__published", "version__exercise__course")
    waiting = Question.objects.filter(exercise=OuterRef("exercise"), answered_at=None).order_by()
    reports = waiting.values("exercise").annotate(number=Count("pk")).values("number")
    found = course_submissions(course).select_related(*about, "assignment__course", "attempt")
    found = found.annotate(open_reports=Subquery(reports))
    in_force = Grading.objects.filter(in_force=True).select_related("version", "reviewer")
    return found.prefetch_related(Prefetch("gradings", in_force)).get(pk=submission_id)


def course_submissions(course: Course) -> QuerySet[Submission]:
    """All that was handed in to the course."""
    return Submission.objects.filter(exercise__course=course)


def staff_run_in(course: Course, run_id: int) -> Run:
    """A run of a copy of a submission by staff, for the staff of the course.

    Raises:
        Run.DoesNotExist: there is none in this course.
    """
    found = Run.objects.filter(kind=RunKind.JUDGED, submission__exercise__course=course)
    return found.select_related("version__exercise__course", "submission__exercise", "student").get(pk=run_id)


def staff_runs_of(submission: Submission) -> list[Run]:
    """The last runs of a copy of it by staff, the newest first."""
    return list(submission.staff_runs.select_related("student").defer("result")[:MOST_STAFF_RUNS])


def unedited(runs: Iterable[Run], submission: Submission) -> Run | None:
    """Of these the last of just what was handed in, by the version that judged it: it knows all that came out."""
    for run in runs:
        is_same = run.source == submission.source and run.version_id == submission.grading.version_id
        if is_same and run.state == State.GRADED and run.verdict != Verdict.INTERNAL_ERROR:
            return run
    return None
