"""Renews a lease while its work goes on."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import Error, connection

from exercises import services
from exercises.services import Claim

logger = logging.getLogger(__name__)

BEAT_SECONDS = 4.0


@contextmanager
def renewing(claim: Claim) -> Iterator[None]:
    """Holds the claim for as long as the block runs. Most work is done before the first beat."""
    done = Event()
    beating = Thread(target=_beat, args=(claim, done), name=f"heartbeat of {claim.kind} {claim.id}", daemon=True)
    beating.start()
    try:
        yield
    finally:
        done.set()
        beating.join()


def _beat(claim: Claim, done: Event) -> None:
    try:
        while not done.wait(BEAT_SECONDS) and _may_go_on(claim):
            pass
    finally:
        connection.close()


def _may_go_on(claim: Claim) -> bool:
    """Whether the claim holds, as far as is known: where the database fails, the next beat asks again."""
    try:
        return services.renew_lease(claim)
    except Error:
        logger.warning("the lease of %s %d could not be renewed", claim.kind, claim.id, exc_info=True)
        connection.close_if_unusable_or_obsolete()
        return True
