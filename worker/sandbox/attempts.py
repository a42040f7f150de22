"""The one place where whatever a student's object raises is caught."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

# Frames that our own code needs; student code may set the limit lower.
_OWN_DEPTH = 1000
_limit_depth, _depth_limit = sys.setrecursionlimit, sys.getrecursionlimit


class Attempt(Generic[T]):
    """What came of calling student code: a value, or what it raised."""

    __slots__ = ("_values", "error")

    def __init__(self, function: Callable[..., T], *arguments: object, **named: object) -> None:
        self._values: tuple[T, ...] = ()
        self.error: BaseException | None = None
        try:
            self._values = (function(*arguments, **named),)
        # A student may raise anything, also SystemExit and KeyboardInterrupt, and the run goes on.
        except BaseException as error:  # noqa: BLE001
            self.error = error
        if _depth_limit() < _OWN_DEPTH:
            _limit_depth(_OWN_DEPTH)

    @property
    def value(self) -> T:
        """What the call returned; only asked for where nothing was raised."""
        return self._values[0]

    def value_or(self, default: T) -> T:
        """What the call returned, or `default` where it raised."""
        return self._values[0] if self._values else default
