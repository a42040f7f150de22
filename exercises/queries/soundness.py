"""Whether an exercise is proven sound."""

from __future__ import annotations

from exercises.choices import State
from exercises.models import Certificate, Check, Exercise, ExerciseVersion
from exercises.queries.working_copies import head_of


def certificate_for(proven: Exercise | ExerciseVersion) -> Certificate | None:
    """The certificate of a version or, for an exercise, of its head; None where it was not proven."""
    if isinstance(proven, ExerciseVersion):
        return certificate_of(proven.exercise_id, proven.grading_hash)
    head = head_of(proven)
    return None if head is None else certificate_of(proven.pk, head.grading_hash)


def certificate_of(exercise_id: int, grading_hash: str) -> Certificate | None:
    """The certificate for one grading hash of an exercise; an empty hash has none."""
    return Certificate.objects.filter(exercise=exercise_id, grading_hash=grading_hash).exclude(grading_hash="").first()


def open_check(exercise: Exercise) -> Check | None:
    """The check of the exercise that waits or runs."""
    return exercise.checks.filter(state__in=(State.QUEUED, State.RUNNING)).first()


def latest_check(exercise: Exercise) -> Check | None:
    """The newest check of the exercise that no newer one replaced, under way or done."""
    return exercise.checks.exclude(state=State.SUPERSEDED).select_related("revision").defer("revision__files").first()
