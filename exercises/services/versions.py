"""Versions of an exercise: made of what was read, and put before students or taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.choices import CODE_KINDS, Lane, RegradeState, State
from exercises.models import CaseSet, Exercise, ExerciseVersion, Grading, User
from exercises.queue import enqueue_preparation
from exercises.services.regrade_ends import end_regrade

if TYPE_CHECKING:
    from exercises.content.values import ExerciseFolder


def version_of(exercise: Exercise, folder: ExerciseFolder, *, author: User | None = None) -> ExerciseVersion:
    """The version with this content: the one that there was before, or a new one."""
    version, _ = ExerciseVersion.objects.get_or_create(
        exercise=exercise,
        content_hash=folder.content_hash,
        defaults={
            "number": exercise.versions.count() + 1,
            "grading_hash": folder.grading_hash,
            "kind": folder.kind,
            "title": folder.title,
            "points": folder.points,
            "definition": folder.definition,
            "created_by": author,
        },
    )
    return version


def put_in_place(exercise: Exercise, version: ExerciseVersion) -> None:
    """Let students meet this version from now on, and have its cases drawn before the first of them needs them.

    A scheduled publication is off. Hand-ins that still wait for the verdict of a version that judges differently are
    judged by this one, so that nobody is stuck on what was corrected; and the preview of a regrade by such a version is
    off, too.
    """
    exercise.published, exercise.is_retired = version, False
    exercise.scheduled_version = exercise.scheduled_at = None
    exercise.save(update_fields=["published", "is_retired", "scheduled_version", "scheduled_at"])
    if version.is_code and not _has_cases(version):
        enqueue_preparation(version.pk)
    _move_waiting(exercise, version)
    _cancel_previews(exercise, version)


def take_away(exercise: Exercise) -> None:
    """Let students meet no version any more. What they handed in and wrote stays; what waits is still judged."""
    exercise.published = None
    exercise.scheduled_version = exercise.scheduled_at = None
    exercise.save(update_fields=["published", "scheduled_version", "scheduled_at"])


def _has_cases(version: ExerciseVersion) -> bool:
    return CaseSet.objects.filter(exercise=version.exercise_id, grading_hash=version.grading_hash).exists()


def _cancel_previews(exercise: Exercise, version: ExerciseVersion) -> None:
    previews = exercise.regrades.filter(state=RegradeState.PREVIEW)
    for regrade in previews.exclude(version__grading_hash=version.grading_hash):
        end_regrade(regrade, RegradeState.CANCELLED)


def _move_waiting(exercise: Exercise, version: ExerciseVersion) -> None:
    if not version.is_code:
        return
    waiting = Grading.objects.filter(
        submission__exercise=exercise,
        state=State.QUEUED,
        in_force=True,
        lane__in=(Lane.SUBMISSION, Lane.REPLACED),
        version__kind__in=CODE_KINDS,
    )
    waiting.exclude(version__grading_hash=version.grading_hash).update(version=version, tries=0, retry_at=None)
