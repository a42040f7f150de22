"""Finding the entry of a submission, and calling it."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from worker.sandbox.attempts import Attempt
from worker.sandbox.binding import ENTRY_ERROR, Entry, bind_call, call_error
from worker.sandbox.building import build_object
from worker.sandbox.encoding import encode_object
from worker.sandbox.job import Probes, StudentError, Value
from worker.sandbox.modules import SOLUTION
from worker.sandbox.probing import Operators, ProbedCall, probed_value
from worker.sandbox.surroundings import Steps, seed_everything
from worker.sandbox.tracebacks import type_name

_nothing = contextlib.nullcontext()

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


def fed_inputs(inputs: dict[str, Any], place: int | str, found: Value | StudentError) -> dict[str, Any]:
    """The inputs with what the call before gave at `place`; None where it gave nothing that can be an input."""
    output = found["output"] if isinstance(found, dict) and "output" in found else found
    is_input = not isinstance(output, StudentError) and Attempt(build_object, output).error is None
    fed = output if is_input else None
    if isinstance(place, str):
        return {**inputs, "kwargs": {**inputs["kwargs"], place: fed}}
    args = [fed if position == place else value for position, value in enumerate(inputs["args"])]
    return {**inputs, "args": tuple(args)}


def call_entry(
    entry: Entry, *, inputs: dict[str, Any], probes: Probes | None, result_bytes: int
) -> Value | StudentError:
    """What the entry returns for fresh objects of these inputs, as a value; or the error that it raised.

    With `probes` the value is a dict, as `probed_value` makes it.
    """
    asked = probes or Probes()
    if asked.reseed is not None:
        seed_everything(asked.reseed)
    bound = bind_call(entry, inputs=inputs)
    if isinstance(bound, StudentError):
        return bound
    # Made where they are asked for: a mode of torch takes longer to make than a small call.
    operators, steps = Operators() if asked.operators else None, Steps() if asked.steps else None
    with operators or _nothing, steps or _nothing:
        call = Attempt(bound.call)
    if call.error is not None:
        return call_error(call.error, entry.name, arguments=bound.arguments, options=bound.options)
    if probes is None:
        return encode_object(call.value, result_bytes=result_bytes)
    return probed_value(
        call.value,
        bound,
        made=ProbedCall(entry=entry, inputs=inputs, probes=probes),
        noted={"operators": tuple(operators.names) if operators else (), "steps": steps.count if steps else 0},
        result_bytes=result_bytes,
    )
