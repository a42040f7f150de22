"""What else is known that tells whether it was the student, the exercise, or us."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from exercises.choices import Reason, State
from exercises.models import CaseResult, Grading, Submission
from graders.outcomes import Verdict

MOST_COUNTED: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseCount:
    """Of a case: how many students it was judged for by this version, and how many of them ever got it right."""

    students: int
    right: int


def case_counts(grading: Grading) -> Mapping[int, CaseCount]:
    """How the class does with each case of the version that judged, by the number of the case. One query.

    Of its last 2,000 hand-ins, so that a large class does not hold up who looks for one reason.
    """
    last = Grading.objects.filter(version=grading.version_id, in_force=True, submission__is_counted=True)
    judged = CaseResult.objects.filter(grading__in=last.order_by("-pk").values("pk")[:MOST_COUNTED])
    counted = judged.values("index").annotate(
        students=Count("grading__student", distinct=True),
        right=Count("grading__student", distinct=True, filter=Q(verdict=Verdict.ACCEPTED)),
    )
    return {row["index"]: CaseCount(students=row["students"], right=row["right"]) for row in counted.order_by()}


def gradings_of_student(submission: Submission) -> list[Grading]:
    """Each judging of all that this student handed in to the exercise, the newest hand-in first. One query.

    Those of a regrade of all that does not stand are left out.
    """
    found = Grading.objects.filter(student=submission.student_id, submission__exercise=submission.exercise_id)
    stands = Q(regrade=None) | Q(in_force=True) | ~Q(reason=Reason.DRY_RUN)
    related = found.filter(stands).exclude(state=State.IMPOSSIBLE).select_related("submission", "version", "reviewer")
    heavy = ("feedback", "version__definition", "submission__source", "submission__response")
    return list(related.defer(*heavy).order_by("-submission_id", "-pk"))
