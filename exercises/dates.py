"""Which dates people may set. Beyond them calendars end: a minute more, or another time zone, cannot be worked out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from django.utils.translation import gettext_lazy as _

# A day wider than what is said, since these years begin and end at another moment in each time zone.
EARLIEST: Final = datetime(1999, 12, 31, tzinfo=UTC)
LATEST: Final = datetime(2100, 1, 2, tzinfo=UTC)
OUT_OF_BOUNDS: Final = _("Dates go from the year 2000 to the year 2099.")


def is_within_bounds(at: datetime) -> bool:
    """Whether it is a moment that may be set; it must know its time zone."""
    return EARLIEST <= at < LATEST
