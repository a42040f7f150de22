from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Literal, TypeVar

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from exercises import live
from exercises.choices import Lane, State
from exercises.models import Grading, Run

LEASE = timedelta(seconds=15)
"""How long the work of a worker that died lies idle. Those that live renew theirs every few seconds."""

_W = TypeVar("_W", Run, Grading)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The right to write the result of one run or grading, for as long as its lease is held."""

    kind: Literal["run", "grading"]
    id: int
    lease: str


def claim_next(owner: str) -> Claim | None:
    """The next piece of work, now marked as running and leased to `owner`; None if nothing may be claimed.

    Runs come before submissions and submissions before regrades; then the oldest. Who has something running waits, so
    that one student never holds two slots.
    """
    return _claim_first(Run, owner) or _claim_first(Grading, owner)


def renew_lease(claim: Claim) -> bool:
    """Hold the claim a while longer; False if it is lost, and then its result will not be taken."""
    held = _held(Run, claim) if claim.kind == "run" else _held(Grading, claim)
    return held.update(lease_until=timezone.now() + LEASE) == 1


def held_run(claim: Claim) -> Run | None:
    """The claimed run, locked with its student; None if the claim is lost."""
    return lock_with_student(_held(Run, claim)).first()


def held_grading(claim: Claim) -> Grading | None:
    """The claimed grading, locked with its student; None if the claim is lost."""
    return lock_with_student(_held(Grading, claim)).first()


def waiting(model: type[_W]) -> QuerySet[_W]:
    """What a worker may claim now, first things first."""
    is_due = Q(retry_at=None) | Q(retry_at__lte=timezone.now())
    running = Q(student=OuterRef("student"), state=State.RUNNING)
    return (
        model._default_manager.filter(is_due, state=State.QUEUED, lane__lt=Lane.REVIEW)
        .exclude(Exists(Run.objects.filter(running)))
        .exclude(Exists(Grading.objects.filter(running)))
        .order_by("lane", "queued_at", "pk")
    )


def lock_with_student(rows: QuerySet[_W], *, skip_locked: bool = False) -> QuerySet[_W]:
    """The same rows, locked with their students until the transaction ends."""
    return rows.select_related("student").select_for_update(
        of=("self", "student"), no_key=True, skip_locked=skip_locked
    )


@transaction.atomic
def _claim_first(model: type[_W], owner: str) -> Claim | None:
    # Where workers look at the same time, the student of a candidate may get busy between the two statements. The
    # second one looks again under the lock and then takes nothing; the next candidate is another student's.
    while (work := lock_with_student(waiting(model), skip_locked=True).first()) is not None:
        lease = secrets.token_hex(16)
        now = timezone.now()
        taken = (
            waiting(model)
            .order_by()
            .filter(pk=work.pk)
            .update(
                state=State.RUNNING,
                tries=F("tries") + 1,
                claimed_by=owner[:100],
                lease=lease,
                lease_until=now + LEASE,
                started_at=now,
            )
        )
        if taken:
            transaction.on_commit(partial(live.publish_changed, work.topic), robust=True)
            return Claim(kind="run" if isinstance(work, Run) else "grading", id=work.pk, lease=lease)
    return None


def _held(model: type[_W], claim: Claim) -> QuerySet[_W]:
    return model._default_manager.filter(pk=claim.id, lease=claim.lease, state=State.RUNNING)
