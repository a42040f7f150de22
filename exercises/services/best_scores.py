from django.db.models import Count, F, FloatField, Min, Q, QuerySet
from django.db.models.functions import Cast, NullIf

from exercises.choices import State
from exercises.models import BestScore, Grading
from graders.outcomes import Verdict


def refresh_best_score(student_id: int, exercise_id: int) -> None:
    """Make the best score what the gradings in force say. Looked up afresh, since a regrade may lower the best one.

    It tells what the student can do: hand-ins within assignments are among it, without what being late costs them
    there. Practice is not; where nothing else was scored nothing changes.
    """
    scored = _scored(student_id, exercise_id)
    best = (
        scored.order_by(F("share").desc(nulls_last=True), "submission_id")
        .values("verdict", "score", "max_score", grading_id=F("pk"))
        .first()
    )
    if best is None:
        return
    facts = scored.aggregate(
        submissions=Count("pk"),
        solved_at=Min("submission__created_at", filter=Q(verdict=Verdict.ACCEPTED)),
    )
    BestScore.objects.update_or_create(student_id=student_id, exercise_id=exercise_id, defaults={**best, **facts})


def _scored(student_id: int, exercise_id: int) -> QuerySet[Grading]:
    """The gradings that count, each with its `share` of the points (0 to 1), since versions may differ in theirs."""
    return Grading.objects.filter(
        student_id=student_id,
        submission__exercise_id=exercise_id,
        submission__is_counted=True,
        in_force=True,
        state=State.GRADED,
        score__isnull=False,
    ).annotate(share=Cast("score", FloatField()) / NullIf(Cast("max_score", FloatField()), 0.0))
