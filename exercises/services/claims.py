from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Literal, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from exercises import live
from exercises.choices import Lane, State
from exercises.models import Check, Grading, Run
from exercises.models.work import Leased

LEASE = timedelta(seconds=15)
"""How long the work of a worker that died lies idle. Those that live renew theirs every few seconds."""

_W = TypeVar("_W", Run, Grading)
_L = TypeVar("_L", bound=Leased)
Kind = Literal["run", "grading", "check"]
MODELS: dict[Kind, type[Leased]] = {"run": Run, "grading": Grading, "check": Check}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The right to write the result of one run, grading or check, for as long as its lease is held."""

    kind: Kind
    id: int
    lease: str


def claim_next(owner: str) -> Claim | None:
    """The next piece of work, now marked as running and leased to `owner`; None if nothing may be claimed.

    Runs come before submissions, submissions before checks and checks before regrades; then the oldest. Who has
    something running waits, so that one student never holds two slots; and who is served stands at the end of the
    queue with all else, so that others wait for one piece of it at most, however much was handed in.
    """
    return (
        _claim_first(Run, owner)
        or _claim_first(Grading, owner, before=Lane.REGRADE)
        or _claim_check(owner)
        or _claim_first(Grading, owner)
    )


def renew_lease(claim: Claim) -> bool:
    """Hold the claim a while longer; False if it is lost, and then its result will not be taken."""
    return held(MODELS[claim.kind], claim).update(lease_until=timezone.now() + LEASE) == 1


def held_run(claim: Claim) -> Run | None:
    """The claimed run, locked with its student; None if the claim is lost."""
    return lock_with_student(held(Run, claim)).first()


def held_grading(claim: Claim) -> Grading | None:
    """The claimed grading, locked with its student; None if the claim is lost."""
    return lock_with_student(held(Grading, claim)).first()


def held_check(claim: Claim) -> Check | None:
    """The claimed check, locked; None if the claim is lost."""
    return held(Check, claim).select_for_update(no_key=True).first()


def held(model: type[_L], claim: Claim) -> QuerySet[_L]:
    """The claimed row, as long as the claim holds."""
    return model._default_manager.filter(pk=claim.id, lease=claim.lease, state=State.RUNNING)


def waiting(model: type[_W], *, before: Lane = Lane.REVIEW) -> QuerySet[_W]:
    """What a worker may claim now of the lanes `before` that one, first things first."""
    running = Q(student=OuterRef("student"), state=State.RUNNING)
    return (
        model._default_manager.filter(_is_due(), state=State.QUEUED, lane__lt=before)
        .exclude(Exists(Run.objects.filter(running)))
        .exclude(Exists(Grading.objects.filter(running)))
        .order_by("lane", "queued_at", "pk")
    )


def waiting_checks() -> QuerySet[Check]:
    """Checks that a worker may claim now, the oldest first."""
    return Check.objects.filter(_is_due(), state=State.QUEUED).order_by("queued_at", "pk")


def lock_with_student(rows: QuerySet[_W], *, skip_locked: bool = False) -> QuerySet[_W]:
    """The same rows, locked with their students until the transaction ends: as everywhere the student first.

    PostgreSQL locks the tables of each row in the order that is given, and looks at the row again where it waited.
    """
    return rows.select_related("student").select_for_update(
        of=("student", "self"), no_key=True, skip_locked=skip_locked
    )


@transaction.atomic
def _claim_first(model: type[_W], owner: str, *, before: Lane = Lane.REVIEW) -> Claim | None:
    # Where workers look at the same time, the student of a candidate may get busy between the two statements. The
    # second one looks again under the lock and then takes nothing; the next candidate is another student's.
    while (work := lock_with_student(waiting(model, before=before), skip_locked=True).first()) is not None:
        lease = _lease(owner)
        if waiting(model).order_by().filter(pk=work.pk).update(**lease):
            if isinstance(work, Grading) and work.lane < Lane.REGRADE:
                _send_to_the_end(work)
            transaction.on_commit(partial(live.publish_changed, work.topic), robust=True)
            return Claim(kind="run" if isinstance(work, Run) else "grading", id=work.pk, lease=lease["lease"])
    return None


def _send_to_the_end(served: Grading) -> None:
    """Let what else of this student waits in the lane stand behind all others, in the order of its arrival.

    The student is locked, so nothing of it is claimed or handed in meanwhile. Of runs one waits at most.
    """
    others = Grading.objects.filter(student=served.student_id, state=State.QUEUED, lane=served.lane)
    others.update(queued_at=timezone.now())


def _claim_check(owner: str) -> Claim | None:
    """The oldest check, unless this host makes one: it takes long, and students' work must find a free process."""
    host = owner.partition(":")[0][:100]
    if Check.objects.filter(state=State.RUNNING, host=host).exists():
        return None
    try:
        with transaction.atomic():
            check = waiting_checks().select_for_update(no_key=True, skip_locked=True).first()
            lease = _lease(owner)
            if check is None or not waiting_checks().order_by().filter(pk=check.pk).update(**lease, host=host):
                return None
            transaction.on_commit(partial(live.publish_changed, check.topic), robust=True)
            return Claim(kind="check", id=check.pk, lease=lease["lease"])
    except IntegrityError:
        # Another process of this host was quicker.
        return None


def _lease(owner: str) -> dict[str, Any]:
    """What is written into a row that is claimed."""
    now = timezone.now()
    return {
        "state": State.RUNNING,
        "tries": F("tries") + 1,
        "claimed_by": owner[:100],
        "lease": secrets.token_hex(16),
        "lease_until": now + LEASE,
        "started_at": now,
    }


def _is_due() -> Q:
    return Q(retry_at=None) | Q(retry_at__lte=timezone.now())
