"""Long lists that grow while they are read, a stretch at a time: each goes on from the last row of the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from exercises.learn.forms import read_number

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch(Generic[Row]):
    """Some rows of a list; `next` is what `before` must be in the address of those that follow, if there are any."""

    rows: list[Row]
    is_first: bool
    next: int | None


def stretch_of(
    request: HttpRequest, found: QuerySet[Row, Any], *, size: int, oldest_first: bool = False
) -> Stretch[Row]:
    """The rows that the address asks for by `before`, the newest first; `oldest_first` turns the list round."""
    before = read_number(request.GET.get("before"))
    ordered = found.order_by("pk" if oldest_first else "-pk")
    if isinstance(before, int):
        ordered = ordered.filter(**{"pk__gt" if oldest_first else "pk__lt": before})
    rows = list(ordered[: size + 1])
    shown = rows[:size]
    return Stretch(rows=shown, is_first=not isinstance(before, int), next=shown[-1].pk if len(rows) > size else None)
