"""The call that a command asks for, bound to fresh objects: what is called, and with what."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from worker.sandbox.attempts import Attempt
from worker.sandbox.building import build_object
from worker.sandbox.job import StudentError
from worker.sandbox.modules import SOLUTION
from worker.sandbox.tracebacks import has_student_frames, student_error

ENTRY_ERROR = "EntryError"

_Module = torch.nn.Module
_signature = inspect.signature


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A function, or an object that can be called, with the arguments of one call, all of them made for it.

    With `driver`, that makes the call: it is given the entry and the whole case.
    """

    function: Any
    arguments: list[Any]
    options: dict[str, Any]
    driver: Callable[[Any, dict[str, Any]], Any] | None = None
    built: dict[str, Any] = field(default_factory=dict)

    def call(self) -> Any:
        """What the call returns. Raises whatever it raises."""
        if self.driver is not None:
            return self.driver(self.function, {"args": self.arguments, "kwargs": self.options, **self.built})
        return self.function(*self.arguments, **self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a submission is called by; `drive` is an author's function that makes the calls, if there is one."""

    function: Any
    name: str
    drive: Callable[[Any, dict[str, Any]], Any] | None = None


def bind_call(entry: Entry, *, inputs: dict[str, Any]) -> Bound | StudentError:
    """The call of an entry with fresh objects of these inputs; a class is built first, which may raise.

    A driver builds objects itself, of `init` and `state`.
    """
    function, built = entry.function, {}
    if entry.drive is not None:
        built = {name: build_object(inputs[name]) for name in ("init", "state")}
    elif isinstance(function, type):
        made = _construct(function, entry.name, init=inputs["init"], state=inputs["state"])
        if isinstance(made, StudentError):
            return made
        (function,) = made
    elif inputs["init"] is not None or inputs["state"] is not None:
        return StudentError(type=ENTRY_ERROR, message=f"`{entry.name}` is no class. Expected: a class of this name.")
    return Bound(
        function=function,
        arguments=list(build_object(inputs["args"])),
        options=build_object(inputs["kwargs"]),
        driver=entry.drive,
        built=built,
    )


def call_error(error: BaseException, name: str, *, arguments: Any, options: dict[str, Any]) -> StudentError:
    """The error; where the call itself did not fit the parameters, with how it is called."""
    told = student_error(error, SOLUTION)
    if not isinstance(error, TypeError) or has_student_frames(error):
        return told
    text = f"{told.message}\nExpected: `{name}` can be called with {_call_words(len(arguments), list(options))}."
    return StudentError(type=told.type, message=text, traceback=told.traceback, line=told.line)


def parameter_names(entry: Any) -> list[str]:
    """The names of the parameters of a function, or of a call of a class's objects; none where there is no telling."""
    is_class = isinstance(entry, type)
    called = getattr(entry, "forward" if issubclass(entry, _Module) else "__call__", None) if is_class else entry
    found = Attempt(_signature, called)
    names = list(found.value.parameters) if found.error is None else []
    return names[1:] if is_class else names


def _construct(entry: type, name: str, *, init: Any, state: Any) -> tuple[Any] | StudentError:
    """An object of the student's class in a tuple, its state loaded; or the error."""
    given = init or {}
    arguments, options = build_object(given.get("args", ())), build_object(given.get("kwargs", {}))
    made = Attempt(entry, *arguments, **options)
    if made.error is not None:
        return call_error(made.error, name, arguments=arguments, options=options)
    if state is not None:
        loaded = Attempt(_load_state, made.value, build_object(state))
        if loaded.error is not None:
            return student_error(loaded.error, SOLUTION)
    return (made.value,)


def _load_state(made: Any, state: dict[str, Any]) -> None:
    made.load_state_dict(state)


def _call_words(positional: int, names: list[str]) -> str:
    words = f"{positional} positional argument{'' if positional == 1 else 's'}"
    return f"{words} and {', '.join(f'`{name}=`' for name in names)}" if names else words
