"""How numbers become steps of colour: cividis for values, blue over white to orange for differences."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

STEPS = 17
"""An odd number, so that nothing has a step of its own in the middle of differences."""
_DARK_VALUES = range(8)
_DARK_DIFFERENCES = (0, 1, 2, 3, 15, 16)
_NOT_FINITE = {"nan", "inf", "-inf", "NaN"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """From `low` to `high`, both finite. Looks are names of classes: `v0` to `v16` of values, `w0` to `w16` signed."""

    kind: Literal["values", "signed"]
    low: float
    high: float

    def step(self, value: float) -> int:
        """The step of a finite number, 0 to 16; one outside of the limits gets the last step on its side."""
        half = self.high / 2 - self.low / 2
        share = (min(max(value, self.low), self.high) / 2 - self.low / 2) / half if half > 0 else 0.5
        return round(share * (STEPS - 1)) if self.kind == "signed" else min(int(share * STEPS), STEPS - 1)

    def look(self, step: int) -> str:
        """The class of the step's colour."""
        return f"{'w' if self.kind == 'signed' else 'v'}{step}"

    def is_dark(self, step: int) -> bool:
        """Whether text on the step's colour must be white."""
        return step in (_DARK_DIFFERENCES if self.kind == "signed" else _DARK_VALUES)


def is_drawable(value: Any) -> bool:
    """Whether a value can stand in a picture: a number, a truth value, NaN or an infinity; not a complex number."""
    return isinstance(value, bool | int | float) or value is None or value in _NOT_FINITE


def finite(value: Any) -> float | None:
    """The value as a number; None for NaN, infinities and what is too large to be drawn."""
    if not isinstance(value, bool | int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def scale_of_values(values: Iterable[Any]) -> Scale:
    """From the least to the largest of the numbers that are finite."""
    numbers = [number for value in values if (number := finite(value)) is not None]
    return Scale(kind="values", low=min(numbers, default=0.0), high=max(numbers, default=0.0))


def scale_of_differences(limit: float) -> Scale:
    """The same limit on both sides of zero."""
    return Scale(kind="signed", low=-limit, high=limit)


def ramp_looks(scale: Scale) -> list[str]:
    """The colours of the scale, from its low end on."""
    return [scale.look(step) for step in range(STEPS)]
