"""Best scores as a student may see them: without what an assignment does not show yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

from django.db.models import QuerySet

from exercises.choices import State
from exercises.models import BestScore, Grading, User
from exercises.queries.withheld import Withheld, touched_gradings, withheld_from
from graders.outcomes import Verdict


def shown_best_scores(
    student: User,
    scores: QuerySet[BestScore],
    *,
    withheld: Withheld | None = None,
    gradings: Iterable[Grading] | None = None,
) -> dict[int, BestScore]:
    """The student's own among the scores, by exercise. Where something is withheld it is the best of all else.

    `withheld` is what `queries.withheld` says for the student, and `gradings` are all that `touched_gradings` has of
    them, if that is known already. The number of queries does not grow with the exercises.
    """
    found = {row.exercise_id: row for row in scores.filter(student=student).select_related("override")}
    withheld = withheld_from(student) if withheld is None else withheld
    touched = withheld.exercises & found.keys()
    if not touched:
        return found
    seen = _seen(touched, withheld, touched_gradings(student, withheld) if gradings is None else gradings)
    rest = {pk: row for pk, row in found.items() if pk not in touched or _is_set_openly(row, withheld)}
    return {**{pk: _best(student, pk, gradings) for pk, gradings in seen.items()}, **rest}


def _seen(exercises: Collection[int], withheld: Withheld, gradings: Iterable[Grading]) -> dict[int, list[Grading]]:
    """What the student sees of the gradings that count, by exercise, the oldest hand-in first."""
    by_exercise: dict[int, list[Grading]] = {}
    for grading in sorted(gradings, key=_hand_in):
        is_scored = grading.state == State.GRADED and grading.score is not None and grading.submission.is_counted
        if is_scored and grading.submission.exercise_id in exercises and not withheld.hides(grading):
            by_exercise.setdefault(grading.submission.exercise_id, []).append(grading)
    return by_exercise


def _hand_in(grading: Grading) -> int:
    return grading.submission_id


def _is_set_openly(best: BestScore, withheld: Withheld) -> bool:
    """Whether staff set the score by hand, and not within an assignment that shows nothing yet."""
    return best.override is not None and best.override.assignment_id not in withheld.assignments


def _best(student: User, exercise_id: int, gradings: list[Grading]) -> BestScore:
    """As `services.best_scores` would have it of these alone; not stored."""
    best = max(gradings, key=_share)
    accepted = [grading.submission.created_at for grading in gradings if grading.verdict == Verdict.ACCEPTED]
    assert best.score is not None
    assert best.max_score is not None
    return BestScore(
        student=student,
        exercise_id=exercise_id,
        grading=best,
        verdict=best.verdict,
        score=best.score,
        max_score=best.max_score,
        submissions=len(gradings),
        solved_at=min(accepted, default=None),
        updated_at=max(grading.finished_at or grading.submission.created_at for grading in gradings),
    )


def _share(grading: Grading) -> Fraction:
    if not grading.max_score or grading.score is None:
        return Fraction(0)
    return Fraction(grading.score) / Fraction(grading.max_score)
