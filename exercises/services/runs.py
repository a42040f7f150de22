from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from exercises.choices import Lane, RunKind, State
from exercises.errors import ExerciseClosedError, InvalidFieldError, TooManyRunsError
from exercises.models import Exercise, ExerciseVersion, Lesson, Run, User
from exercises.queue import enqueue_work
from exercises.services.claims import LEASE
from exercises.services.locks import lock_student
from exercises.services.sources import checked_source

RUNS_AT_ONCE = 2
"""One running and one waiting."""
RETRY_AFTER_SECONDS = 2


def start_run(
    student: User,
    kind: RunKind,
    *,
    source: Any,
    exercise: Exercise | None = None,
    lesson: Lesson | None = None,
    snippet: Any = None,
) -> Run:
    """Queue an ungraded run: a free script, a snippet of a lesson, or the visible cases of an exercise.

    Raises:
        InvalidFieldError: the source has the wrong form, or the lesson has no such snippet.
        ExerciseClosedError: the exercise has no cases that could run.
        TooManyRunsError: the student has one run under way and one waiting.
    """
    run = Run(student=student, kind=kind, lane=Lane.RUN, source=checked_source(source))
    if kind == RunKind.CASES:
        run.version = _version_with_cases(exercise)
    elif kind == RunKind.SNIPPET:
        run.lesson, run.snippet = lesson, _checked_snippet(lesson, snippet)
    return queue_run(run)


def queue_run(run: Run) -> Run:
    """Store the run, for a worker to claim. Raises: TooManyRunsError."""
    with transaction.atomic():
        lock_student(run.student_id)
        if _unfinished(run.student) >= RUNS_AT_ONCE:
            raise TooManyRunsError("Your last runs are not done yet.", retry_after=RETRY_AFTER_SECONDS)
        run.save()
        enqueue_work()
    return run


def _unfinished(student: User) -> int:
    """How many runs wait or run; also those that were cancelled and may still hold a process."""
    now = timezone.now()
    # One that ends later was given before the clock was set back.
    held = Q(state=State.SUPERSEDED, lease_until__gt=now, lease_until__lte=now + LEASE)
    return student.runs.filter(Q(state__in=(State.QUEUED, State.RUNNING)) | held).count()


def _version_with_cases(exercise: Exercise | None) -> ExerciseVersion:
    version = None if exercise is None or exercise.is_retired else exercise.published
    if version is None or not version.is_code:
        raise ExerciseClosedError("This exercise has nothing to run.")
    return version


def _checked_snippet(lesson: Lesson | None, snippet: Any) -> int:
    if lesson is None:
        raise InvalidFieldError("lesson", "A snippet belongs to a lesson.")
    if type(snippet) is not int or not 0 <= snippet < len(lesson.snippets):
        raise InvalidFieldError("snippet", f"The snippets of this lesson are 0 to {len(lesson.snippets) - 1}.")
    return snippet
