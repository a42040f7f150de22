"""What an exercise declares about how outputs are compared."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from graders.arrays import DTYPES, Array, nearest_float
from graders.errors import DefinitionError
from graders.tolerances import default_tolerance

_POLICIES: Final = ("exact", "kind", "any")
ORIGINS: Final = frozenset({"numpy", "scalars"})
"""What may stand for a tensor, where it is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How an output is compared: |actual − expected| ≤ atol + rtol·|expected|, element by element.

    `rtol` and `atol` stand together or not at all; without them the defaults of the expected dtype hold. `dtypes` is
    `exact`, `kind` (bool, integer, float, complex), `any`, or the names of those allowed beside the expected one.
    `allow` may name `numpy` (an array where a tensor is expected, or the reverse) and `scalars` (a Python number where
    a 0-d tensor is expected, or the reverse). `widening` multiplies both tolerances.
    """

    rtol: float | None = None
    atol: float | None = None
    dtypes: str | tuple[str, ...] = "exact"
    allow: frozenset[str] = frozenset()
    equal_nan: bool = False
    signed_zero: bool = False
    widening: float = 1.0

    @classmethod
    def from_definition(cls, definition: Mapping[str, Any] | None) -> Comparison:
        """The comparison that `compare` of exercise.yaml declares; the defaults where it is empty.

        Raises:
            DefinitionError: a field is unknown, of a wrong type, or cannot be meant.
        """
        fields = dict(definition or {})
        unknown = sorted(set(fields) - {"rtol", "atol", "dtypes", "allow", "equal_nan", "signed_zero"})
        if unknown:
            raise DefinitionError(f"compare.{unknown[0]}", "is not a field of compare")
        rtol, atol = _tolerances(fields.get("rtol"), fields.get("atol"))
        return cls(
            rtol=rtol,
            atol=atol,
            dtypes=_dtypes(fields.get("dtypes", "exact")),
            allow=_allow(fields.get("allow") or []),
            equal_nan=_flag(fields, "equal_nan"),
            signed_zero=_flag(fields, "signed_zero"),
        )

    def widened(self, factor: float) -> Comparison:
        """The same with tolerances `factor` times as wide."""
        return replace(self, widening=self.widening * factor)

    def tolerance(self, actual: Array, expected: Array) -> tuple[float, float]:
        """`(rtol, atol)` for this pair.

        They follow the reference and not the solution, or a cast to half precision would buy a looser judgement; but
        a dtype that the exercise names, and a number in place of a 0-d tensor, are judged by what they can hold.
        """
        if self.rtol is not None and self.atol is not None:
            rtol, atol = self.rtol, self.atol
        elif self._names(actual) or "python" in (actual.origin, expected.origin):
            rtol, atol = default_tolerance(actual.dtype, expected.dtype)
        else:
            rtol, atol = default_tolerance(expected.dtype)
        return rtol * self.widening, atol * self.widening

    def allows_dtype(self, actual: Array, expected: Array) -> bool:
        """Whether the dtype returned may stand for the expected one. A Python number has a kind only."""
        if self.dtypes == "any" or actual.dtype == expected.dtype:
            return True
        if "python" in (actual.origin, expected.origin):
            whole = actual.origin == "python" and (actual.kind, expected.kind) == ("integer", "float")
            return whole or actual.kind == expected.kind
        if self.dtypes == "kind":
            return actual.kind == expected.kind
        return self._names(actual)

    def allows_origin(self, actual: Array, expected: Array) -> bool:
        """Whether the type of object returned (tensor, array, number) may stand for the expected one."""
        origins = {actual.origin, expected.origin}
        if len(origins) == 1:
            return True
        if origins == {"torch", "numpy"}:
            return "numpy" in self.allow
        if origins == {"numpy", "python"} and actual.shape == expected.shape == () and "numpy" in self.allow:
            return True
        return "scalars" in self.allow

    def _names(self, actual: Array) -> bool:
        return isinstance(self.dtypes, tuple) and actual.dtype in self.dtypes


def _tolerances(rtol: object, atol: object) -> tuple[float | None, float | None]:
    if rtol is None and atol is None:
        return None, None
    for name, value in (("rtol", rtol), ("atol", atol)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise DefinitionError(f"compare.{name}", f"expected a number beside the other tolerance, found {value!r}")
        # An integer may be finite and yet too large for a float.
        if not 0 <= nearest_float(value) < math.inf:
            raise DefinitionError(f"compare.{name}", f"expected a number from 0 up, found {value!r}")
    assert isinstance(rtol, int | float)
    assert isinstance(atol, int | float)
    if rtol >= 1:
        raise DefinitionError("compare.rtol", f"{rtol!r} would accept zero for every value; it must be below 1")
    return float(rtol), float(atol)


def _dtypes(value: object) -> str | tuple[str, ...]:
    if isinstance(value, str) and value in _POLICIES:
        return value
    if isinstance(value, list | tuple) and value and all(isinstance(name, str) and name in DTYPES for name in value):
        return tuple(value)
    raise DefinitionError("compare.dtypes", f"expected exact, kind, any or a list of dtypes, found {value!r}")


def _allow(value: object) -> frozenset[str]:
    if isinstance(value, list | tuple) and all(isinstance(name, str) and name in ORIGINS for name in value):
        return frozenset(value)
    raise DefinitionError("compare.allow", f"expected a list of numpy and scalars, found {value!r}")


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise DefinitionError(f"compare.{name}", f"expected true or false, found {value!r}")
    return value
