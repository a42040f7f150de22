from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

WEEKS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSize:
    """How large a made class is. The same seed and `until` make the same class, but for the keys of its rows.

    `until` is the moment up to which the class has worked: in the middle of its last week.
    """

    slug: str
    until: datetime
    students: int = 1100
    exercises: int = 60
    submissions: int = 300_000
    seed: int = 1

    @property
    def begins_at(self) -> datetime:
        """When the first week opens."""
        return self.until - timedelta(weeks=WEEKS) + timedelta(days=4)

    def week_of(self, place: int) -> int:
        """The week, from 0 on, in which the exercise at this place is worked at."""
        return place * WEEKS // self.exercises

    def opens_at(self, week: int) -> datetime:
        return self.begins_at + timedelta(weeks=week)
