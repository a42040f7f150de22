from __future__ import annotations

from django.utils import timezone

from exercises.choices import RegradeState
from exercises.models import Regrade
from exercises.services.outcomes import publish_after_commit


def end_regrade(regrade: Regrade, state: RegradeState) -> None:
    """Close the regrade as applied or cancelled. What is cancelled leaves none of its gradings behind.

    One that runs just now loses its row, and with it its lease: its outcome is not taken.
    """
    if state == RegradeState.CANCELLED:
        regrade.gradings.filter(in_force=False).delete()
    regrade.state, regrade.finished_at = state, timezone.now()
    regrade.save()
    publish_after_commit(regrade.topic)
