"""Verdicts of cases while a grading goes on, for whoever watches: at most every 200 ms, and never the truth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from exercises import live
from exercises.models import Grading
from graders.outcomes import CaseOutcome

PAUSE_SECONDS: Final = 0.2


@dataclass(slots=True, kw_only=True)
class PartialVerdicts:
    """Tells of the cases judged so far. A grading that is done within the first pause costs nothing here."""

    grading: Grading
    told_at: float = field(default_factory=time.monotonic)

    def tell(self, outcomes: Sequence[CaseOutcome]) -> None:
        now = time.monotonic()
        if now - self.told_at < PAUSE_SECONDS:
            return
        self.told_at = now
        live.store_partial(self.grading.pk, [_seen(outcome) for outcome in outcomes])
        live.publish_changed(self.grading.topic)


def _seen(outcome: CaseOutcome) -> dict[str, Any]:
    """Without feedback: that is made of all cases, at the end."""
    return {
        "name": outcome.name,
        "visible": outcome.visible,
        "verdict": outcome.verdict.value,
        "points": float(outcome.points),
        "max_points": float(outcome.max_points),
    }
