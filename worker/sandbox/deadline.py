"""A bound on the time that a student's own method may take where we have to call it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, TypeVar

from worker.sandbox.attempts import Attempt

T = TypeVar("T")

_set_timer, _set_handler = signal.setitimer, signal.signal
_thread, _main_thread = threading.current_thread, threading.main_thread


class TooSlowError(BaseException):
    """The time is over. No `Exception`, so that a usual `except` does not swallow it."""


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TooSlowError


def attempt_within(seconds: float, function: Callable[..., T], *arguments: object) -> Attempt[T]:
    """What came of the call, which is interrupted after this many seconds of wall time, again and again.

    Only interrupts Python code, and nothing in other threads than the main one: a convenience, no limit. The student's
    own timer and handler of SIGALRM are put back afterwards, the timer with the time it had left.
    """
    if _thread() is not _main_thread():
        return Attempt(function, *arguments)
    handler = _set_handler(signal.SIGALRM, _interrupt)
    left, interval = _set_timer(signal.ITIMER_REAL, seconds, seconds)
    attempt = Attempt(_and_stop, function, *arguments)
    _set_timer(signal.ITIMER_REAL, left, interval)
    _set_handler(signal.SIGALRM, handler)
    return attempt


def _and_stop(function: Callable[..., T], *arguments: object) -> T:
    try:
        return function(*arguments)
    finally:
        _set_timer(signal.ITIMER_REAL, 0)
