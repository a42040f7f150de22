"""Renews a lease while its work goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import connection

from exercises import services
from exercises.services import Claim

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
        while not done.wait(BEAT_SECONDS) and services.renew_lease(claim):
            pass
    finally:
        connection.close()
