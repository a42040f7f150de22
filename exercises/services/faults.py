from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from exercises.choices import Reason, State
from exercises.models import Check, Grading, Run
from exercises.models.work import Leased
from exercises.queue import enqueue_work
from exercises.services.attempts import give_back_attempt
from exercises.services.claims import (
    LEASE,
    Claim,
    held_check,
    held_grading,
    held_run,
    lock_with_student,
    waiting,
    waiting_checks,
)
from exercises.services.outcomes import finish, publish_after_commit
from graders.outcomes import Verdict

logger = logging.getLogger(__name__)

MAX_TRIES = 3
PAUSE = timedelta(seconds=2)
"""Before the second try; four times that before the third. A runner that died is back within a few seconds."""
LONGEST_PAUSE = PAUSE * MAX_TRIES**2

_W = TypeVar("_W", Run, Grading)
_C = TypeVar("_C", Run, Grading, Check)
Claimed = Run | Grading | Check


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """How much work the sweeper took from workers that died: freed for another try, or given up."""

    freed: int = 0
    given_up: int = 0


@contextmanager
def going_on(doing: str) -> Iterator[None]:
    """What fails in it is logged as a fault of ours, and all else of the sweeper goes on."""
    try:
        yield
    # Whatever it is must not hold up the whole site; the next sweep tries again.
    except Exception:
        logger.exception("%s failed", doing)


@transaction.atomic
def release(claim: Claim, fault: str, *, is_try: bool = True) -> None:
    """Give claimed work back after a fault of ours; after three tries it ends as `internal_error`, at no one's cost.

    A check ends as failed, without a report.

    `is_try=False` where the work was not begun, such as when no runner answers: that may last as long as it takes.
    """
    work = _held(claim)
    if work is None:
        return
    work.retry_at = timezone.now() + PAUSE * work.tries**2
    if not is_try:
        work.tries -= 1
    _free_or_give_up(work, fault)


def sweep() -> Swept:
    """Take work from workers that died, and wake one that lives if any waits.

    What a clock that was set back since has put too far ahead is brought near first.
    """
    for model in (Run, Grading, Check):
        _bring_near(model)
    works: list[Claimed] = [*_free_expired(Run), *_free_expired(Grading), *_free_expired_checks()]
    if waiting(Run).exists() or waiting(Grading).exists() or waiting_checks().exists():
        enqueue_work()
    freed = sum(work.state == State.QUEUED for work in works)
    return Swept(freed=freed, given_up=len(works) - freed)


def _bring_near(model: type[Leased]) -> None:
    """Let no lease end, no pause end and no place in the queue lie later than one that is given now could.

    Who lives renews the lease in time; a worker that died would else hold it until the clock has caught up.
    """
    now, rows = timezone.now(), model._default_manager
    for found, field, latest in (
        (rows.filter(state=State.RUNNING), "lease_until", now + LEASE),
        (rows.filter(state=State.QUEUED), "retry_at", now + LONGEST_PAUSE),
        (rows.filter(state=State.QUEUED), "queued_at", now),
    ):
        ahead = found.filter(**{f"{field}__gt": latest})
        # A write would have the others wait, and hardly ever is there anything.
        if ahead.exists():
            ahead.update(**{field: latest})


@transaction.atomic
def _free_expired(model: type[_W]) -> list[_W]:
    expired = model._default_manager.filter(state=State.RUNNING, lease_until__lt=timezone.now())
    return _freed(list(lock_with_student(expired, skip_locked=True)))


@transaction.atomic
def _free_expired_checks() -> list[Check]:
    expired = Check.objects.filter(state=State.RUNNING, lease_until__lt=timezone.now())
    return _freed(list(expired.select_for_update(no_key=True, skip_locked=True)))


def _freed(works: list[_C]) -> list[_C]:
    for work in works:
        _free_or_give_up(work, f"{work.claimed_by} did not renew its lease")
    return works


def _held(claim: Claim) -> Claimed | None:
    if claim.kind == "check":
        return held_check(claim)
    return held_run(claim) if claim.kind == "run" else held_grading(claim)


def _free_or_give_up(work: Claimed, fault: str) -> None:
    work.fault = fault
    work.lease, work.lease_until = "", None
    if work.tries < MAX_TRIES:
        work.state = State.QUEUED
        logger.warning("%s goes back to the queue after %d tries: %s", work, work.tries, _kind_of(fault))
    else:
        _give_up(work)
    work.save()
    publish_after_commit(work.topic)


def _give_up(work: Claimed) -> None:
    if isinstance(work, Check):
        work.state, work.finished_at = State.FAILED, timezone.now()
    else:
        finish(work, Verdict.INTERNAL_ERROR)
    if isinstance(work, Grading) and work.reason == Reason.FIRST:
        give_back_attempt(work.submission_id, because="a fault of ours")
    logger.error("%s was given up after %d tries, staff must look: %s", work, work.tries, _kind_of(work.fault))


def _kind_of(fault: str) -> str:
    """What a line of the log may say of a fault: what follows may be words of an exception, which quote people."""
    return fault.partition(": ")[0]
