"""Runs of what is not published yet, by its authors: they count nowhere."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max, Q

from exercises.choices import AuditAction, Lane, RunKind
from exercises.content import ContentError, ExerciseFolder
from exercises.errors import ExerciseClosedError, NothingSavedError, NotSoundError
from exercises.models import AuditEntry, Exercise, ExerciseVersion, Run, User
from exercises.queries.working_copies import head_of, read_working_copy
from exercises.services.locks import lock_student
from exercises.services.revisions import lock_exercise
from exercises.services.rights import require_staff
from exercises.services.runs import queue_run
from exercises.services.sources import checked_source
from exercises.services.versions import version_of

PUT_ON_RECORD = (AuditAction.PUBLISHED, AuditAction.SCHEDULED, AuditAction.UNPUBLISHED)


@transaction.atomic
def start_trial(exercise: Exercise, *, source: Any, author: User) -> Run:
    """Queue a run of the visible cases of the head, as a student's would be run once it is published.

    Raises:
        NotAllowedError: the author is not staff of the course.
        NothingSavedError, NotSoundError: there is no head, or it is no exercise yet.
        ExerciseClosedError: it is of a kind that has nothing to run.
        InvalidFieldError: the source has the wrong form.
        TooManyRunsError: the author has one run under way and one waiting.
    """
    require_staff(author, exercise.course)
    text = checked_source(source)
    lock_student(author.pk)
    lock_exercise(exercise)
    folder = _read_head(exercise)
    _forget_trials(exercise, folder.content_hash)
    version = version_of(exercise, folder, author=author)
    if not version.is_code:
        raise ExerciseClosedError("This exercise has nothing to run.")
    return queue_run(Run(student=author, kind=RunKind.CASES, lane=Lane.RUN, source=text, version=version))


def _read_head(exercise: Exercise) -> ExerciseFolder:
    head = head_of(exercise)
    if head is None:
        raise NothingSavedError("There is nothing yet that could be tried.")
    try:
        return read_working_copy(exercise, head.files)
    except ContentError as error:
        raise NotSoundError(f"This is no exercise yet. {error.problems[0]}.") from error


def _forget_trials(exercise: Exercise, content_hash: str) -> None:
    """Delete versions that were only tried, with their cases; so numbers go to what students meet, and room is kept.

    Only the last ones: numbers are given by how many there are.
    """
    last = _kept(exercise).aggregate(last=Max("number"))["last"] or 0
    tried = exercise.versions.filter(number__gt=last)
    if tried.filter(content_hash=content_hash).exists():
        return
    tried.delete()
    remaining = exercise.versions.values("grading_hash")
    exercise.case_sets.exclude(grading_hash__in=remaining).delete()


def _kept(exercise: Exercise) -> Any:
    """The versions that students may have met, or that are on record."""
    entries = AuditEntry.objects.filter(course=exercise.course_id, target=exercise.slug, action__in=PUT_ON_RECORD)
    numbers = [details.get("version", 0) for details in entries.values_list("details", flat=True)]
    in_place = [exercise.published_id, exercise.scheduled_version_id]
    used = Q(submissions__isnull=False) | Q(gradings__isnull=False) | Q(regrades__isnull=False)
    return ExerciseVersion.objects.filter(
        Q(created_by=None) | Q(pk__in=in_place) | Q(number__in=numbers) | used, exercise=exercise
    )
