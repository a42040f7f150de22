"""What Python itself prints of student code: warnings, and exceptions that nobody catches.

Their usual form names files of the service and of its libraries; here they name the student's own lines alone.
"""

from __future__ import annotations

import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from worker.sandbox.modules import is_student_file
from worker.sandbox.tracebacks import student_error

_OURS = str(Path(__file__).resolve().parents[1])
_walk_stack = traceback.walk_stack


def install() -> None:
    """Put these forms in the place of the usual ones; called before student code runs."""
    warnings.formatwarning = format_warning
    sys.unraisablehook = _tell_unraisable
    threading.excepthook = _tell_thread
    traceback.walk_stack = walk_stack


def format_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """One line; the place is named where it is in the student's text."""
    place = f"{filename}:{lineno}: " if is_student_file(filename) else ""
    return f"{place}{category.__name__}: {message}\n"


def walk_stack(f: FrameType | None) -> Iterator[tuple[FrameType, int]]:
    """Frames and lines from here on outwards, without those of the service."""
    start = sys._getframe(1) if f is None else f
    frames = _walk_stack(start)
    return ((frame, line) for frame, line in frames if not frame.f_code.co_filename.startswith(_OURS))


def _tell_unraisable(told: sys.UnraisableHookArgs) -> None:
    _tell("Exception ignored", told.exc_value)


def _tell_thread(told: threading.ExceptHookArgs) -> None:
    if told.exc_type is not SystemExit:
        _tell(f"Exception in {told.thread.name if told.thread else 'a thread'}", told.exc_value)


def _tell(head: str, error: BaseException | None) -> None:
    if error is not None:
        sys.stderr.write(f"{head}:\n{student_error(error, '').traceback}")
