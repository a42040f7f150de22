"""What a person reads and judges: by question, with who has read it so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from exercises.choices import REVIEWED_KINDS, Lane, Role, State
from exercises.models import Course, Exercise, Grading, Membership, Submission
from exercises.queries.courses import preview_students

MOST = 1200
"""More answers than that are read in turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQueue:
    """An exercise whose answers a person judges: how many wait, and how many were read."""

    exercise: Exercise
    waiting: int
    read: int


def review_queues(course: Course) -> list[ReviewQueue]:
    """The exercises of the course that a person judges, in its order; where students assess themselves there is none.

    Two queries.
    """
    if course.self_paced:
        return []
    ever_read = course.exercises.filter(versions__kind__in=REVIEWED_KINDS).values("pk")
    judged = Grading.objects.filter(
        submission__exercise__in=ever_read, lane=Lane.REVIEW, in_force=True, submission__is_counted=True
    ).exclude(student__in=preview_students(course))
    counts = judged.values("submission__exercise").annotate(
        waiting=Count("pk", filter=Q(state=State.QUEUED)), read=Count("pk", filter=Q(state=State.GRADED))
    )
    found = {row["submission__exercise"]: (row["waiting"], row["read"]) for row in counts.order_by()}
    is_judged_so = Q(published__kind__in=REVIEWED_KINDS) | Q(pk__in=found)
    exercises = course.exercises.filter(is_judged_so).select_related("published").defer("published__definition")
    numbers = ((exercise, *found.get(exercise.pk, (0, 0))) for exercise in exercises)
    return [ReviewQueue(exercise=exercise, waiting=waiting, read=read) for exercise, waiting, read in numbers]


def answers_to(exercise: Exercise, *, is_read: bool) -> QuerySet[Submission]:
    """The answers that wait, or that were read: the oldest first, each with its `gradings` and their reviewers.

    Those of the preview student and of erased accounts are left out.
    """
    state = State.GRADED if is_read else State.QUEUED
    found = Submission.objects.filter(
        exercise=exercise, gradings__in_force=True, gradings__lane=Lane.REVIEW, gradings__state=state
    )
    previews = Membership.objects.filter(course=exercise.course_id, user=OuterRef("student"), role=Role.PREVIEW)
    return with_reviews(found.exclude(body_hash="").exclude(Exists(previews))).order_by("pk")


def texts_of(exercise: Exercise) -> list[tuple[int, str]]:
    """Id and text of the first answers that a person reads or has read, the oldest first: the same ones for long."""
    found = Submission.objects.filter(
        exercise=exercise,
        gradings__in_force=True,
        gradings__lane=Lane.REVIEW,
        gradings__state__in=(State.QUEUED, State.GRADED),
    ).exclude(body_hash="")
    rows = found.order_by("pk").values_list("pk", "response")[:MOST]
    return [(pk, str(response)) for pk, response in rows]


def with_reviews(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """The same with all their reviews as `gradings`, and who gave them."""
    reviews = Grading.objects.filter(lane=Lane.REVIEW).select_related("reviewer").defer("feedback").order_by("pk")
    shown = submissions.select_related("student", "version").defer("source")
    return shown.prefetch_related(Prefetch("gradings", reviews))


def marks_of(submission: Submission) -> list[Grading]:
    """What each reader gave last, in the order of reading; their gradings must have been fetched."""
    judged = [row for row in submission.gradings.all() if row.state == State.GRADED and row.reviewer_id]
    last = {row.reviewer_id: row for row in judged}
    in_force = [row for row in judged if row.in_force]
    return sorted({*last.values(), *in_force}, key=_id_of)


def is_disputed(marks: Sequence[Grading]) -> bool:
    """Whether readers gave different scores."""
    scores: set[Decimal | None] = {mark.score for mark in marks}
    return len(scores) > 1


def _id_of(grading: Grading) -> int:
    return grading.pk
