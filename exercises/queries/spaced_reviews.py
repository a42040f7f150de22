"""What a student is asked again, from memory: exercises that once went wrong and were solved since, or given up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from exercises.choices import ActivityKind, State
from exercises.models import Activity, Assignment, BestScore, Exercise, Grading, ReviewCard, User
from exercises.queries.courses import exercises_shown_to
from exercises.queries.withheld import Dated, own_assignments, withheld_by
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class SpacedReviews:
    """The cards by their dates; `exercise`, its course and version cost no further query."""

    due: tuple[ReviewCard, ...]
    later: tuple[ReviewCard, ...]


def spaced_reviews(student: User, *, at: datetime, assignments: list[Dated] | None = None) -> SpacedReviews:
    """What is due at this moment, the longest waiting first, and what will be. The number of queries is constant.

    Left out is what is no longer solved, what the student does not meet, what an open assignment still asks for,
    and what an assignment does not show the outcome of. `assignments` are `own_assignments`, if they are known already.
    """
    cards = list(_cards(student))
    kept_apart = _kept_apart(student, own_assignments(student) if assignments is None else assignments, at)
    shown = [card for card in cards if card.exercise_id not in kept_apart]
    return SpacedReviews(
        due=tuple(card for card in shown if card.due_at <= at),
        later=tuple(card for card in shown if card.due_at > at),
    )


def review_card(student: User, exercise: Exercise, *, at: datetime) -> ReviewCard:
    """The student's card of the exercise, due or not.

    Raises:
        ReviewCard.DoesNotExist: there is none, or it is left out just now, as in `spaced_reviews`.
    """
    card = _cards(student).get(exercise=exercise)
    if exercise.pk in _kept_apart(student, own_assignments(student), at):
        raise ReviewCard.DoesNotExist(f"exercise {exercise.pk} is kept apart in an assignment")
    return card


def _cards(student: User) -> QuerySet[ReviewCard]:
    shown = exercises_shown_to(student).filter(course__memberships__user=student)
    here = {"student": student, "exercise": OuterRef("exercise")}
    is_solved = Q(Exists(BestScore.objects.filter(**here, solved_at__isnull=False)))
    is_given_up = Q(Exists(Activity.objects.filter(**here, kind=ActivityKind.GAVE_UP)))
    cards = ReviewCard.objects.filter(is_solved | is_given_up, student=student, exercise__in=shown.values("pk"))
    rows = cards.select_related("exercise__course", "exercise__published").defer("exercise__published__definition")
    return rows.order_by("due_at", "pk")


def _kept_apart(student: User, assignments: Iterable[Dated], at: datetime) -> set[int]:
    """The exercises of which a try that counts nowhere would tell what an assignment asks, or does not say yet."""
    found = list(assignments)
    shown = [row for row in found if not row.assignment.is_hidden]
    open_now = [row for row in shown if row.window.has_opened(at) and not row.window.is_over(at)]
    accepted = _accepted(student, [row.assignment for row in open_now])
    asked = {
        exercise_id
        for row in open_now
        for exercise_id in row.exercises
        if (row.assignment.pk, exercise_id) not in accepted
    }
    return asked | withheld_by(found).exercises


def _accepted(student: User, assignments: Iterable[Assignment]) -> set[tuple[int | None, int]]:
    """Assignment and exercise of what the student has handed in there that is accepted: there is no more to gain."""
    rows = Grading.objects.filter(
        student=student,
        in_force=True,
        state=State.GRADED,
        verdict=Verdict.ACCEPTED,
        submission__is_counted=True,
        submission__assignment__in=list(assignments),
    )
    return set(rows.values_list("submission__assignment", "submission__exercise"))
