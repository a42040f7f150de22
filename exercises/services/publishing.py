"""Putting what authors wrote before students: only what is proven sound, and on record."""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from exercises.choices import AuditAction
from exercises.content import ContentError, ExerciseFolder
from exercises.dates import OUT_OF_BOUNDS, is_within_bounds
from exercises.errors import InvalidFieldError, NothingSavedError, NotSoundError
from exercises.models import Certificate, Exercise, ExerciseVersion, Notice, User
from exercises.queries.soundness import certificate_of
from exercises.queries.working_copies import head_of, read_working_copy
from exercises.services.audit import record_action
from exercises.services.faults import going_on
from exercises.services.revisions import lock_exercise
from exercises.services.rights import require_instructor
from exercises.services.versions import put_in_place, take_away, version_of

logger = logging.getLogger(__name__)


@transaction.atomic
def publish(exercise: Exercise, *, author: User, reason: str = "") -> ExerciseVersion:
    """Put the head before students, as a new version or as the one that it once was.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        NothingSavedError: there is no head.
        NotSoundError: it has no certificate; or the mutation score is lower, and no reason is given.
    """
    version, details = _proven_version(exercise, author, reason)
    put_in_place(exercise, version)
    record_action(exercise.course, AuditAction.PUBLISHED, actor=author, target=exercise.slug, details=details)
    return version


@transaction.atomic
def schedule(exercise: Exercise, *, at: datetime, author: User, reason: str = "") -> ExerciseVersion:
    """Have the head, as it is now, put before students at a later time; whatever was scheduled before is off.

    Raises:
        InvalidFieldError: the time has passed, or is further ahead than dates go.
        NotAllowedError, NothingSavedError, NotSoundError: see `publish`.
    """
    if at <= timezone.now():
        raise InvalidFieldError("at", "The time of publication must lie ahead.")
    if not is_within_bounds(at):
        raise InvalidFieldError("at", str(OUT_OF_BOUNDS))
    version, details = _proven_version(exercise, author, reason)
    exercise.scheduled_version, exercise.scheduled_at = version, at
    exercise.save(update_fields=["scheduled_version", "scheduled_at"])
    details["at"] = at.isoformat()
    record_action(exercise.course, AuditAction.SCHEDULED, actor=author, target=exercise.slug, details=details)
    return version


@transaction.atomic
def cancel_schedule(exercise: Exercise, *, author: User) -> None:
    """Publish nothing by the clock. Raises: NotAllowedError where the author is no instructor of the course."""
    require_instructor(author, exercise.course)
    _lock_and_reread(exercise)
    if exercise.scheduled_version is None:
        return
    details = {"version": exercise.scheduled_version.number}
    exercise.scheduled_version = exercise.scheduled_at = None
    exercise.save(update_fields=["scheduled_version", "scheduled_at"])
    record_action(exercise.course, AuditAction.SCHEDULE_CANCELLED, actor=author, target=exercise.slug, details=details)


@transaction.atomic
def unpublish(exercise: Exercise, *, author: User) -> None:
    """Let students meet the exercise no longer.

    Raises: NotAllowedError where the author is no instructor of the course.
    """
    require_instructor(author, exercise.course)
    _lock_and_reread(exercise)
    if exercise.published is None:
        return
    details = {"version": exercise.published.number}
    take_away(exercise)
    record_action(exercise.course, AuditAction.UNPUBLISHED, actor=author, target=exercise.slug, details=details)


def publish_due() -> list[Exercise]:
    """Put every scheduled version before students whose time has come; the exercises concerned."""
    published = []
    for exercise in Exercise.objects.filter(scheduled_at__lte=timezone.now()).order_by("scheduled_at", "pk"):
        with going_on(f"publishing {exercise} as scheduled"):
            if _publish_scheduled(exercise):
                published.append(exercise)
    return published


@transaction.atomic
def _publish_scheduled(exercise: Exercise) -> bool:
    _lock_and_reread(exercise)
    version = exercise.scheduled_version
    # Another sweeper was here, or its author has thought better of it.
    if version is None or exercise.scheduled_at is None or exercise.scheduled_at > timezone.now():
        return False
    details = {"version": version.number, "scheduled_at": exercise.scheduled_at.isoformat()}
    if certificate_of(exercise.pk, version.grading_hash) is None:
        _call_off(exercise, version, details)
        return False
    put_in_place(exercise, version)
    record_action(exercise.course, AuditAction.PUBLISHED, actor=None, target=exercise.slug, details=details)
    logger.info("published as scheduled: %s", version)
    return True


def _call_off(exercise: Exercise, version: ExerciseVersion, details: dict[str, object]) -> None:
    """Publish nothing that a later check has found unsound, and tell its author."""
    exercise.scheduled_version = exercise.scheduled_at = None
    exercise.save(update_fields=["scheduled_version", "scheduled_at"])
    details["reason"] = "a later check found it unsound"
    record_action(exercise.course, AuditAction.SCHEDULE_CANCELLED, actor=None, target=exercise.slug, details=details)
    if version.created_by is not None:
        text = f"“{version.title}” was not published at its time: a later check found it unsound."
        Notice.objects.create(user=version.created_by, text=text)


def _proven_version(exercise: Exercise, author: User, reason: str) -> tuple[ExerciseVersion, dict[str, object]]:
    """The head as a version, and what is kept on record of its publication; the exercise is locked."""
    require_instructor(author, exercise.course)
    _lock_and_reread(exercise)
    folder = _read_head(exercise)
    certificate = certificate_of(exercise.pk, folder.grading_hash)
    if certificate is None:
        raise NotSoundError("Check this exercise first: only what is proven sound can be published.")
    details: dict[str, object] = {"mutation_score": certificate.mutation_score}
    if falls_short(certificate, folder, exercise.course.required_score):
        details |= _exemption(exercise, certificate, reason)
    version = version_of(exercise, folder, author=author)
    return version, {"version": version.number, "grading_hash": version.grading_hash, **details}


def falls_short(certificate: Certificate, folder: ExerciseFolder, required: float) -> bool:
    """Whether the mutation score is lower than asked. Much may be changed in a training that still does its work."""
    score, is_training = certificate.mutation_score, bool(folder.definition["exercise"].get("training"))
    return score is not None and score < required and not is_training


def _exemption(exercise: Exercise, certificate: Certificate, reason: str) -> dict[str, object]:
    required = exercise.course.required_score
    found = f"the mutation score is {certificate.mutation_score:.2f}, and the course asks for {required:g}"
    if not reason.strip():
        raise NotSoundError(f"Give a reason, or add cases: {found}.")
    return {"required_score": required, "reason": reason.strip()}


def _read_head(exercise: Exercise) -> ExerciseFolder:
    head = head_of(exercise)
    if head is None:
        raise NothingSavedError("There is nothing yet that could be published.")
    try:
        return read_working_copy(exercise, head.files)
    except ContentError as error:
        raise NotSoundError(f"This is no exercise yet. {error.problems[0]}.") from error


def _lock_and_reread(exercise: Exercise) -> None:
    lock_exercise(exercise)
    exercise.refresh_from_db(fields=["published", "scheduled_version", "scheduled_at", "is_retired", "position"])
