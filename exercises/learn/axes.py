"""Names of axes, as the starting code of an exercise notes them: `query: (..., n, d)   returns: (..., n, v)`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

RETURNS = "returns"
LONGEST_NAME = 20
_NOTE = re.compile(r"([A-Za-z_]\w*(?:,[ ]*[A-Za-z_]\w*)*)[ ]*:[ ]*\(([^()\n]*)\)")

Axes = Mapping[str, tuple[str, ...]]


def axes_in(starter: str) -> dict[str, tuple[str, ...]]:
    """For each argument, and for `returns`, the names of its last axes; what comes before `...` may be of any rank."""
    return {
        name.strip(): tuple(part.strip() for part in inside.split(",") if part.strip())
        for names, inside in _NOTE.findall(starter)
        for name in names.split(",")
    }


def axis_names(axes: Axes, name: str, rank: int) -> tuple[str, ...]:
    """A name for each axis of a tensor of this rank; empty where nothing is known, or the note is of another rank."""
    noted = axes.get(name, ())
    is_open = "..." in noted
    last = noted[noted.index("...") + 1 :] if is_open else noted
    if len(last) > rank or (len(last) < rank and not is_open):
        return ("",) * rank
    return ("",) * (rank - len(last)) + tuple(_named(part) for part in last)


def plane_axes(names: Sequence[str]) -> tuple[str, str]:
    """The names of the last two axes; of a vector, which is drawn as one row, the second alone."""
    last = ("", "", *names)[-2:]
    return last[0], last[1]


def _named(part: str) -> str:
    """A number says how long an axis is, which the picture shows, and not what it is."""
    return "" if part.isdecimal() else part[:LONGEST_NAME]
