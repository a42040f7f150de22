from typing import Any

from django.db.models import Count, F, FloatField, Min, Q, QuerySet
from django.db.models.functions import Cast, NullIf

from exercises.choices import State
from exercises.models import BestScore, Grading, Override
from graders.outcomes import Verdict


def refresh_best_score(student_id: int, exercise_id: int) -> None:
    """Make the best score what the gradings in force say. Looked up afresh, since a regrade may lower the best one.

    It tells what the student can do: hand-ins within assignments are among it, without what being late costs them
    there. Practice is not. Where staff set the score by hand, outside of any assignment, that stands in its place.
    """
    scored = _scored(student_id, exercise_id)
    best = (
        scored.order_by(F("share").desc(nulls_last=True), "submission_id")
        .values("verdict", "score", "max_score", grading_id=F("pk"))
        .first()
    )
    by_hand = Override.objects.filter(
        student=student_id, exercise=exercise_id, assignment=None, withdrawn_at=None
    ).first()
    kept = BestScore.objects.filter(student_id=student_id, exercise_id=exercise_id)
    if best is None and by_hand is None:
        kept.delete()
        return
    facts = scored.aggregate(
        submissions=Count("pk"),
        solved_at=Min("submission__created_at", filter=Q(verdict=Verdict.ACCEPTED)),
    )
    judged = {**(best or {"verdict": Verdict.WRONG_ANSWER, "grading_id": None}), **facts, "override": by_hand}
    whole = judged if by_hand is None else {**judged, **_by_hand(by_hand, judged)}
    BestScore.objects.update_or_create(student_id=student_id, exercise_id=exercise_id, defaults=whole)


def _by_hand(override: Override, judged: dict[str, Any]) -> dict[str, Any]:
    """What a score by hand says in place of what was judged: solved are those with all of the points."""
    score = {"score": override.score, "max_score": override.max_score}
    if override.score >= override.max_score:
        return {**score, "verdict": Verdict.ACCEPTED, "solved_at": judged["solved_at"] or override.at}
    verdict = Verdict.WRONG_ANSWER if judged["verdict"] == Verdict.ACCEPTED else judged["verdict"]
    return {**score, "verdict": verdict, "solved_at": None}


def _scored(student_id: int, exercise_id: int) -> QuerySet[Grading]:
    """The gradings that count, each with its `share` of the points (0 to 1), since versions may differ in theirs."""
    return Grading.objects.filter(
        student_id=student_id,
        # The same student: by this the few of them are found, and not looked for among everybody's to the exercise.
        submission__student_id=student_id,
        submission__exercise_id=exercise_id,
        submission__is_counted=True,
        in_force=True,
        state=State.GRADED,
        score__isnull=False,
    ).annotate(share=Cast("score", FloatField()) / NullIf(Cast("max_score", FloatField()), 0.0))
