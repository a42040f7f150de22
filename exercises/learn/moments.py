"""Times as pages show them: where the reader is, and by the clock of the course, which is named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import formats


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """`there` is what the course's clock shows, `zone` the name of that clock; a script shows the reader's own."""

    at: datetime
    there: str
    zone: str


def moment_of(at: datetime | None, zone: ZoneInfo) -> Moment | None:
    """The moment for a page; None where there is none."""
    if at is None:
        return None
    return Moment(at=at, there=formats.date_format(at.astimezone(zone), "D j N Y, H:i"), zone=zone.key)
