"""Submissions with their gradings in force, in one query."""

from __future__ import annotations

from django.db.models import FilteredRelation, Q, QuerySet

from exercises.models import Submission


def with_gradings(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """The same with the grading in force of each joined, for which `Submission.grading` looks."""
    in_force = FilteredRelation("gradings", condition=Q(gradings__in_force=True))
    # django-stubs knows no filtered relations.
    return submissions.annotate(joined_grading=in_force).select_related("joined_grading")  # type: ignore[misc]


def without_feedback(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Those `with_gradings` without the largest part of these."""
    return submissions.defer("joined_grading__feedback")  # type: ignore[misc]  # as above
