"""When beat sends what: kept in memory alone, and not held up where the machine's clock is set back."""

from __future__ import annotations

import time
from typing import Any

from celery import beat


class Scheduler(beat.Scheduler):
    """Celery's, which counts from the time of day at which it sent an entry last.

    Once that lies ahead the sweeper would rest until the clock has caught up. Instead the schedule begins anew.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._seen_at = time.time()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; the seconds until the next tick."""
        now = time.time()
        if now < self._seen_at:
            self._begin_anew()
        self._seen_at = now
        seconds: float = super().tick(*args, **kwargs)
        return seconds

    def _begin_anew(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now()
        # It holds the moments of before.
        self._heap = None
