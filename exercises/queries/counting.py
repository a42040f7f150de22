"""Which hand-in to an exercise of an assignment counts, and for how many points. Pages and the gradebook ask here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from exercises.choices import Counted
from exercises.queries.windows import Window

HUNDREDTH = Decimal("0.01")
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandIn:
    """A judged hand-in: `submission_id`, when it arrived, and the part of the points that it reached, 0 to 1."""

    submission_id: int
    created_at: datetime
    share: Decimal


def share_of(score: Decimal | None, max_score: Decimal | None) -> Decimal:
    """The part of the points that a score is, 0 to 1; nothing where there were none to be had."""
    return score / max_score if score is not None and max_score else NOTHING


def counting(hand_ins: Sequence[HandIn], window: Window, *, counted: str) -> HandIn | None:
    """The one that counts of these, the oldest first: the last, or the best after what being late costs it.

    Of several that are worth the same it is the earliest.
    """
    if not hand_ins:
        return None
    return hand_ins[-1] if counted == Counted.LAST else max(hand_ins, key=lambda found: share_kept(found, window))


def share_kept(hand_in: HandIn, window: Window) -> Decimal:
    """The part of the points that being late leaves of it, 0 to 1."""
    return hand_in.share * window.share_kept(hand_in.created_at)


def rounded(points: Decimal) -> Decimal:
    """Points, or a percentage, to two decimals; a half is rounded up."""
    return points.quantize(HUNDREDTH, rounding=ROUND_HALF_UP)
