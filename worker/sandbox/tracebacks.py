"""Exceptions of student code as values: their own frames and lines, no path of the service, every text capped."""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Iterator
from types import FrameType, TracebackType

from worker.sandbox.attempts import Attempt
from worker.sandbox.deadline import attempt_within
from worker.sandbox.job import StudentError
from worker.sandbox.modules import is_student_file
from worker.sandbox.results import MESSAGE_LENGTH, TRACEBACK_LENGTH, TYPE_LENGTH
from worker.sandbox.substitutes import is_promised, words_for_missing
from worker.sandbox.texts import clean_text, without_paths

_MAX_FRAMES = 40
_MAX_CHAIN = 3
# What an exception may take to say what it is; one that never ends has no message.
_TEXT_SECONDS = 0.25
_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"

# Bound now: student code may put its own over these, also over `__traceback__` of its class.
_str = str
_type_name = type.__dict__["__name__"].__get__
_traceback_of = BaseException.__dict__["__traceback__"].__get__
_cause_of = BaseException.__dict__["__cause__"].__get__
_context_of = BaseException.__dict__["__context__"].__get__
_suppresses_context = BaseException.__dict__["__suppress_context__"].__get__
_walk = traceback.walk_tb
_extract = traceback.StackSummary.extract
_format_syntax_error = traceback.format_exception_only


def student_error(error: BaseException, file: str) -> StudentError:
    """What to tell of an exception; `file` is the student's, whose last line in the traceback is named.

    Never raises, whatever the exception's own methods do.
    """
    kind = clean_text(type_name(error), TYPE_LENGTH)
    message = _message(error)
    return StudentError(
        type=kind,
        message=_shorten(message, MESSAGE_LENGTH),
        traceback=_shorten(Attempt(_chain_text, error, message).value_or(""), TRACEBACK_LENGTH),
        line=_line(error, file),
    )


def has_student_frames(error: BaseException) -> bool:
    """Whether the exception passed through code of the student."""
    return any(True for _ in _student_frames(error))


def type_name(value: object) -> str:
    """The name of a value's class, whatever its metaclass says."""
    return _str(Attempt(_type_name, type(value)).value_or("object"))


def _message(error: BaseException) -> str:
    if _is_own_syntax_error(error):
        return _str(Attempt(getattr, error, "msg").value_or("invalid syntax"))
    if isinstance(error, ModuleNotFoundError):
        return _missing_package(error)
    text = attempt_within(_TEXT_SECONDS, _str, error).value_or("(the exception has no readable message)")
    if isinstance(error, SystemExit):
        return f"the code ended itself with exit code {text or 'None'}"
    return text


def _missing_package(error: ModuleNotFoundError) -> str:
    text, name = attempt_within(_TEXT_SECONDS, _str, error).value_or(""), Attempt(getattr, error, "name").value_or(None)
    if not isinstance(name, str) or is_promised(name):
        return text
    return f"{text}. {words_for_missing(name)}"


def _shorten(text: str, length: int) -> str:
    """At most `length` readable characters: the beginning, and as much of the end, which says most."""
    if len(text) > length:
        text = f"{text[: length // 3]}\n…\n{text[-(length // 2) :]}"
    return clean_text(without_paths(text), length)


def _student_frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    trace: TracebackType | None = _traceback_of(error)
    return ((frame, line) for frame, line in _walk(trace) if is_student_file(frame.f_code.co_filename))


def _line(error: BaseException, file: str) -> int | None:
    if _is_own_syntax_error(error):
        told = Attempt(getattr, error, "filename").value_or(None), Attempt(getattr, error, "lineno").value_or(None)
        return told[1] if told[0] == file and type(told[1]) is int and told[1] >= 0 else None
    lines = deque((line for frame, line in _student_frames(error) if frame.f_code.co_filename == file), maxlen=1)
    return lines[0] if lines else None


def _is_own_syntax_error(error: BaseException) -> bool:
    """Whether the student's text did not compile (and no other text that it compiles itself)."""
    if not isinstance(error, SyntaxError) or has_student_frames(error):
        return False
    file = Attempt(getattr, error, "filename").value_or(None)
    return isinstance(file, str) and is_student_file(file)


def _chain_text(error: BaseException, message: str) -> str:
    """The traceback as Python prints it, with what caused the exception before it."""
    blocks = [_block(error, message)]
    for _ in range(_MAX_CHAIN):
        cause = _cause_of(error)
        earlier = cause if cause is not None or _suppresses_context(error) else _context_of(error)
        if earlier is None:
            break
        blocks += [_CONTEXT if cause is None else _CAUSE, _block(earlier, _message(earlier))]
        error = earlier
    return "".join(reversed(blocks))


def _block(error: BaseException, message: str) -> str:
    if _is_own_syntax_error(error):
        return "".join(_format_syntax_error(SyntaxError, error))
    frames = deque(_student_frames(error), maxlen=_MAX_FRAMES)
    lines = _extract(iter(frames), lookup_lines=True).format()
    head = ["Traceback (most recent call last):\n", *lines] if lines else []
    return "".join([*head, f"{type_name(error)}: {_shorten(message, MESSAGE_LENGTH)}\n"])
