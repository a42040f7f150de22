"""Finding the entry of a submission, and calling it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from worker.sandbox.attempts import Attempt
from worker.sandbox.building import build_object
from worker.sandbox.encoding import encode_object
from worker.sandbox.job import StudentError, Value
from worker.sandbox.modules import SOLUTION
from worker.sandbox.tracebacks import has_student_frames, student_error, type_name

ENTRY_ERROR = "EntryError"

# Ways to write a function whose call does not compute anything yet.
_DEFERRED: tuple[tuple[Callable[[object], bool], str], ...] = (
    (inspect.iscoroutinefunction, "asynchronous (`async def`); expected an ordinary function (`def`)"),
    (inspect.isasyncgenfunction, "an asynchronous generator; expected an ordinary function that returns its result"),
    (inspect.isgeneratorfunction, "a generator function (it uses `yield`); expected one that returns its result"),
)


def entry_problem(module: ModuleType, name: str) -> StudentError | None:
    """What is wrong with the entry called `name`, in words that say what was expected; None where nothing is."""
    if name not in module.__dict__:
        text = f"{SOLUTION} does not define `{name}`. Expected: a function or class of this name."
        return StudentError(type=ENTRY_ERROR, message=text)
    entry = module.__dict__[name]
    if not callable(entry):
        text = f"`{name}` is a value of type `{type_name(entry)}`. Expected: a function or class of this name."
        return StudentError(type=ENTRY_ERROR, message=text)
    for is_deferred, words in _DEFERRED:
        if Attempt(is_deferred, entry).value_or(False):
            return StudentError(type=ENTRY_ERROR, message=f"`{name}` is {words}.")
    return None


def call_entry(entry: Any, name: str, *, inputs: dict[str, Any], result_bytes: int) -> Value | StudentError:
    """What the entry returns for fresh objects of these inputs, as a value; or the error that it raised."""
    arguments, options = build_object(inputs["args"]), build_object(inputs["kwargs"])
    function = entry
    if isinstance(entry, type):
        made = _construct(entry, name, init=inputs["init"], state=inputs["state"])
        if isinstance(made, StudentError):
            return made
        (function,) = made
    elif inputs["init"] is not None or inputs["state"] is not None:
        return StudentError(type=ENTRY_ERROR, message=f"`{name}` is no class. Expected: a class of this name.")
    call = Attempt(function, *arguments, **options)
    if call.error is not None:
        return _call_error(call.error, name, arguments=arguments, options=options)
    return encode_object(call.value, result_bytes=result_bytes)


def _construct(entry: type, name: str, *, init: Any, state: Any) -> tuple[Any] | StudentError:
    """An object of the student's class in a tuple, its state loaded; or the error."""
    given = init or {}
    arguments, options = build_object(given.get("args", ())), build_object(given.get("kwargs", {}))
    made = Attempt(entry, *arguments, **options)
    if made.error is not None:
        return _call_error(made.error, name, arguments=arguments, options=options)
    if state is not None:
        loaded = Attempt(_load_state, made.value, build_object(state))
        if loaded.error is not None:
            return student_error(loaded.error, SOLUTION)
    return (made.value,)


def _load_state(made: Any, state: dict[str, Any]) -> None:
    made.load_state_dict(state)


def _call_error(error: BaseException, name: str, *, arguments: Any, options: dict[str, Any]) -> StudentError:
    """The error; where the call itself did not fit the parameters, with how it is called."""
    told = student_error(error, SOLUTION)
    if not isinstance(error, TypeError) or has_student_frames(error):
        return told
    text = f"{told.message}\nExpected: `{name}` can be called with {_call_words(len(arguments), list(options))}."
    return StudentError(type=told.type, message=text, traceback=told.traceback, line=told.line)


def _call_words(positional: int, names: list[str]) -> str:
    words = f"{positional} positional argument{'' if positional == 1 else 's'}"
    return f"{words} and {', '.join(f'`{name}=`' for name in names)}" if names else words
