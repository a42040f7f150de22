"""The three kinds of program that a child can run: calls of an entry, a script, an author's cases."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any

import torch

from worker.sandbox.attempts import Attempt
from worker.sandbox.binding import ENTRY_ERROR, Entry
from worker.sandbox.calls import call_entry, entry_problem, fed_inputs
from worker.sandbox.casefiles import CaseError, checked_cases
from worker.sandbox.commands import read_call, read_probes
from worker.sandbox.encoding import encode_named, encode_object
from worker.sandbox.inspection import (
    LAST_VALUE,
    compile_keeping_last_value,
    is_tensor,
    tensor_summaries,
    value_text,
)
from worker.sandbox.job import CallProgram, CallResult, CasesProgram, ScriptProgram, StudentError, Value
from worker.sandbox.modules import (
    CASES,
    DRIVER,
    SCRIPT,
    SOLUTION,
    compile_source,
    execute,
    new_module,
    snippet_name,
)
from worker.sandbox.pipes import Pipes, Silence
from worker.sandbox.results import LOADED, inspection_frame, load_error_frame
from worker.sandbox.surroundings import seed_everything
from worker.sandbox.survey import survey_source
from worker.sandbox.tracebacks import student_error

_clock = time.perf_counter
_Generator = torch.Generator


def run_calls(pipes: Pipes, program: CallProgram, result_bytes: int) -> None:
    """Load the source, then answer each call as it comes, until the other side says that it was the last."""
    drive = _driver(program.driver)
    if isinstance(drive, StudentError):
        pipes.send(load_error_frame(drive))
        return
    findings = None if program.forbidden is None else survey_source(program.source, program.forbidden)
    module = new_module("solution", SOLUTION)
    error = _load(module, program.source, SOLUTION, own_file=SOLUTION) or entry_problem(module, program.entry)
    if error is not None:
        pipes.send(load_error_frame(error))
        return
    entry = Entry(function=module.__dict__[program.entry], name=program.entry, drive=drive)
    found: Value | StudentError = None
    pipes.send(LOADED)
    while (frame := pipes.receive()) is not None and frame.kind in ("survey", "call"):
        if frame.kind == "survey":
            pipes.send_result(CallResult(index=0, value=findings))
            continue
        index, inputs = read_call(frame)
        start = _clock()
        probes = read_probes(frame)
        if "fed" in frame.header:
            inputs = fed_inputs(inputs, frame.header["fed"], found)
        found = call_entry(entry, inputs=inputs, probes=probes, result_bytes=result_bytes)
        pipes.send_result(_result(index, found, start))


def _driver(source: str) -> Callable[[Any, dict[str, Any]], Any] | StudentError | None:
    """The `drive` of an author's driver; None where there is none, the error where it cannot be had."""
    if not source:
        return None
    module = new_module("driver", DRIVER)
    error = _load(module, source, DRIVER, own_file=DRIVER)
    if error is not None:
        return error
    if not callable(module.__dict__.get("drive")):
        return StudentError(type=ENTRY_ERROR, message=f"{DRIVER} does not define `drive(entry, case)`.")
    return module.__dict__["drive"]  # type: ignore[no-any-return]  # callable by the line above


def _load(module: ModuleType, source: str, file: str, *, own_file: str) -> StudentError | None:
    """Compile and execute the source in the module; the error where that failed, with its line of `own_file`."""
    error = Attempt(_compile_and_execute, source, file, module).error
    return None if error is None else student_error(error, own_file)


def _compile_and_execute(source: str, file: str, module: ModuleType) -> None:
    execute(compile_source(source, file), module)


def _result(index: int, found: Value | StudentError, start: float) -> CallResult:
    seconds = max(_clock() - start, 0.0)
    if isinstance(found, StudentError):
        return CallResult(index=index, error=found, seconds=seconds)
    return CallResult(index=index, value=found, seconds=seconds)


def run_script(pipes: Pipes, program: ScriptProgram, result_bytes: int) -> None:
    """Run earlier snippets silently, then the source, as `__main__`; answer with what is asked for of its variables."""
    module = new_module("__main__", SCRIPT)
    code = Attempt(_script_compiler(program), program.source, SCRIPT)
    error = student_error(code.error, SCRIPT) if code.error is not None else _run_before(module, program.before)
    if error is not None:
        pipes.send(load_error_frame(error))
        return
    pipes.send(LOADED)
    names_before = dict(module.__dict__)
    start = _clock()
    run = Attempt(execute, code.value, module)
    last = module.__dict__.pop(LAST_VALUE, None)
    found: Value | StudentError = None
    if run.error is not None and not _is_plain_exit(run.error):
        found = student_error(run.error, SCRIPT)
    elif program.collect:
        found = _collect(module, program.collect, result_bytes)
    pipes.send_result(_result(0, found, start))
    if program.inspect:
        text = None if isinstance(found, StudentError) else value_text(last)
        left = {name: value for name, value in list(module.__dict__.items()) if names_before.get(name) is not value}
        pipes.send(inspection_frame(text, tensor_summaries(_with_last(left, last))))


def _with_last(left: dict[str, object], last: object) -> dict[str, object]:
    """The variables, after the last value if that is a tensor which none of them holds."""
    is_new = is_tensor(last) and not any(value is last for value in left.values())
    return {LAST_VALUE: last, **left} if is_new else left


def _script_compiler(program: ScriptProgram) -> Callable[[str, str], CodeType]:
    return compile_keeping_last_value if program.inspect else compile_source


def _run_before(module: ModuleType, sources: tuple[str, ...]) -> StudentError | None:
    """Run the earlier snippets of a lesson without showing what they print; the error of the first that fails."""
    for number, source in enumerate(sources, start=1):
        with contextlib.redirect_stdout(Silence()), contextlib.redirect_stderr(Silence()):
            error = _load(module, source, snippet_name(number), own_file=SCRIPT)
        if error is not None:
            return error
    return None


def _is_plain_exit(error: BaseException) -> bool:
    """Whether a script ended itself as scripts may: `sys.exit()` without an error."""
    return isinstance(error, SystemExit) and (error.code is None or error.code == 0)


def _collect(module: ModuleType, names: tuple[str, ...], result_bytes: int) -> Value:
    found = {name: module.__dict__[name] for name in names if name in module.__dict__}
    return dict(encode_named(found, result_bytes=result_bytes))


def run_cases(pipes: Pipes, program: CasesProgram, result_bytes: int) -> None:
    """Load `cases.py`, then answer with the cases of `visible()` and of `hidden(generator)` for each seed."""
    module = new_module("cases", CASES)
    error = _load(module, program.source, CASES, own_file=CASES) or _missing_function(module, program)
    if error is not None:
        pipes.send(load_error_frame(error))
        return
    pipes.send(LOADED)
    pipes.send_result(_draw(module, "visible", (), index=0, result_bytes=result_bytes))
    for index, seed in enumerate(program.seeds, start=1):
        # Also authors who forget the generator get the same inputs each time.
        seed_everything(seed ^ program.stray)
        generator = _Generator().manual_seed(seed % 2**64)
        pipes.send_result(_draw(module, "hidden", (generator,), index=index, result_bytes=result_bytes))


def _missing_function(module: ModuleType, program: CasesProgram) -> StudentError | None:
    for name in ("visible", "hidden") if program.seeds else ("visible",):
        if not callable(module.__dict__.get(name)):
            text = f"{CASES} does not define `{name}`. Expected: functions `visible()` and `hidden(generator)`."
            return StudentError(type=ENTRY_ERROR, message=text)
    return None


def _draw(module: ModuleType, name: str, arguments: tuple[Any, ...], *, index: int, result_bytes: int) -> CallResult:
    start = _clock()
    drawn = Attempt(module.__dict__[name], *arguments)
    if drawn.error is not None:
        return _result(index, student_error(drawn.error, CASES), start)
    try:
        cases = checked_cases(encode_object(drawn.value, result_bytes=result_bytes), f"{name}()")
    except CaseError as error:
        return _result(index, StudentError(type="CaseError", message=str(error)), start)
    return _result(index, list(cases), start)
