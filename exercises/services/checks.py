"""Checks of what authors wrote: asked for here, made by a worker, kept as a report and, if sound, a certificate."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from exercises.choices import State
from exercises.errors import NothingSavedError
from exercises.models import Check, Exercise, Notice, User
from exercises.queries.soundness import open_check
from exercises.queries.working_copies import head_of
from exercises.queue import enqueue_work
from exercises.services.certificates import store_certificate, withdraw_certificate
from exercises.services.claims import Claim, held, held_check
from exercises.services.outcomes import publish_after_commit
from exercises.services.revisions import lock_exercise
from exercises.services.rights import require_instructor

KEPT = 20
"""Of the checks of an exercise: what older ones found is of no use, and each report is large."""


@transaction.atomic
def start_check(exercise: Exercise, *, author: User) -> Check:
    """Have the head proven: by a new check, or by the one of it that is open. One of an older revision makes way.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        NothingSavedError: there is no head.
    """
    require_instructor(author, exercise.course)
    lock_exercise(exercise)
    head = head_of(exercise)
    if head is None:
        raise NothingSavedError("There is nothing yet that could be checked.")
    earlier = open_check(exercise)
    if earlier is not None and earlier.revision_id == head.pk:
        return earlier
    if earlier is not None:
        _end(earlier, State.SUPERSEDED)
    check = Check.objects.create(exercise=exercise, revision=head, asked_by=author)
    exercise.checks.filter(pk__in=list(exercise.checks.values_list("pk", flat=True)[KEPT:])).delete()
    enqueue_work()
    return check


@transaction.atomic
def cancel_check(exercise: Exercise, *, author: User) -> None:
    """End the open check of the exercise without a report. Raises: NotAllowedError for others than instructors."""
    require_instructor(author, exercise.course)
    lock_exercise(exercise)
    check = open_check(exercise)
    if check is not None:
        _end(check, State.SUPERSEDED)


def record_progress(claim: Claim, progress: dict[str, Any]) -> bool:
    """Write what has been found so far; False if the claim no longer holds, and then the check need not go on."""
    taken = held(Check, claim).update(progress=progress) == 1
    if taken:
        publish_after_commit(f"check:{claim.id}")
    return taken


@transaction.atomic
def record_report(claim: Claim, report: dict[str, Any], *, is_proven: bool, torch_version: str = "") -> bool:
    """Write the report of a claimed check; False, and nothing changed, if the claim no longer holds.

    `is_proven`: nothing stands against publishing, but perhaps the mutation score. Then there is a certificate for the
    grading hash; else one that there was is withdrawn.
    """
    check = held_check(claim)
    if check is None:
        return False
    check.report, check.progress = report, {}
    _end(check, State.FINISHED)
    if is_proven:
        _certify(check, torch_version)
    elif report["grading_hash"]:
        withdraw_certificate(check.exercise, report["grading_hash"])
        _warn(check, report["grading_hash"])
    return True


def _warn(check: Check, grading_hash: str) -> None:
    """Tell who asked where students have this before them: it was published by an earlier check, or by word alone."""
    published = check.exercise.published
    if published is None or published.grading_hash != grading_hash or check.asked_by is None:
        return
    text = f"“{published.title}” is published, and a check has now found it unsound: mend it, or take it back."
    Notice.objects.create(user=check.asked_by, text=text)


def _certify(check: Check, torch_version: str) -> None:
    report: dict[str, Any] = check.report or {}
    mutation = report["mutation"]
    fates = ("killed", "survived", "equivalent", "broken")
    store_certificate(
        check.exercise,
        report["grading_hash"],
        checked_at=timezone.now(),
        mutation_score=None if mutation is None else mutation["score"],
        mutants={} if mutation is None else {fate: mutation[fate] for fate in fates},
        report={name: value for name, value in report.items() if name != "mutation"},
        torch_version=torch_version,
    )


def _end(check: Check, state: State) -> None:
    check.state, check.finished_at = state, timezone.now()
    check.lease, check.lease_until = "", None
    check.save()
    publish_after_commit(check.topic)
