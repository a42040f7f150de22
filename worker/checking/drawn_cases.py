"""Checks what `cases.py` gives: the same for the same seed, hidden cases of its own, nothing that nobody can meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from graders.arrays import Array, in_float64
from graders.arrays import Value as GradersValue
from worker.cases import Case
from worker.checking.drawing import Material
from worker.checking.findings import Check, Finding
from worker.grading import Prepared
from worker.sandbox.job import CasesProgram, Job, RunReport, Value
from worker.sandbox.wire import dump_value

FILE: Final = "cases.py"
# What a driver returns that judges: it says whether, and not what.
_JUDGEMENTS: Final = frozenset(
    {"accepted", "wrong", "wrong_answer", "correct", "incorrect", "pass", "passed", "fail", "ok"}
)


def case_findings(material: Material) -> Iterator[Finding]:
    """What is wrong with the cases. Raises: SandboxError (ours)."""
    yield from _redrawn(material)
    yield from _against_visible(material)
    yield from _unjudgeable(material)


def _finding(message: str, *, file: str = FILE, is_remark: bool = False) -> Finding:
    return Finding(check=Check.CASES, message=message, file=file, is_remark=is_remark)


def _redrawn(material: Material) -> Iterator[Finding]:
    """Draws again, with the global generators in another state: what comes from the given one stays the same."""
    for job, report in material.drawn[:1]:
        program = job.program
        assert isinstance(program, CasesProgram)
        otherwise = replace(job, seed=job.seed + 1, program=replace(program, stray=1))
        changed = _changed(report, material.runner.run(otherwise))
        if changed:
            yield _finding(_on_change(changed, always=bool(_changed(report, _again(material, job)))))


def _again(material: Material, job: Job) -> RunReport:
    return material.runner.run(job)


def _changed(first: RunReport, second: RunReport) -> str:
    """The first function whose cases differ, with the name of the case; empty where all are the same."""
    for ours, theirs in zip(first.results, second.results, strict=False):
        function = "hidden(generator)" if ours.index else "visible()"
        for number, case in enumerate(_entries(ours.value)):
            others = _entries(theirs.value)
            if number >= len(others) or dump_value(others[number]) != dump_value(case):
                return f'"{_name(case)}" of {function}'
    return ""


def _entries(value: Value) -> list[Value]:
    return value if isinstance(value, list) else []


def _name(case: Value) -> str:
    return str(case.get("name", "a case")) if isinstance(case, dict) else "a case"


def _on_change(case: str, *, always: bool) -> str:
    if always:
        return f"the inputs of {case} differ each time that they are made. Make them of the seed alone, of no clock"
    if case.endswith("visible()"):
        return f"the inputs of {case} are random. Draw them from torch.Generator().manual_seed(…)"
    return f"the inputs of {case} differ for the same seed. Is a `generator=generator` forgotten?"


def _against_visible(material: Material) -> Iterator[Finding]:
    """Hidden cases which whoever knows the visible ones by heart has passed already."""
    if material.exercise["kind"] != "code":
        return
    hidden = [case for made in material.groups for case in made.cases if not case.visible]
    if not hidden:
        yield _finding("hidden() gives no case, so that an answer is accepted which knows the visible ones by heart")
    shown = {_inputs(case): case.name for case in material.made.cases if case.visible}
    told = set()
    for case in hidden:
        if (same := shown.get(_inputs(case))) is not None and case.index not in told:
            told.add(case.index)
            yield _finding(f'the hidden case "{case.name}" has the inputs of the visible case "{same}"')
    if hidden and material.exercise["draws"] > 1 and _are_fixed(material.made):
        yield _finding("no hidden case draws anything from `generator`: all draws are the same", is_remark=True)


def _are_fixed(made: Prepared) -> bool:
    drawn: dict[int, set[bytes]] = {}
    for case in made.cases:
        if not case.visible:
            drawn.setdefault(case.index, set()).add(_inputs(case))
    return all(len(inputs) == 1 for inputs in drawn.values())


def _inputs(case: Case) -> bytes:
    call = case.call
    return dump_value([call.args, call.kwargs, call.init, call.state])


def _unjudgeable(material: Material) -> Iterator[Finding]:
    """Expected values that nothing equals, or that are judgements already."""
    key = material.made.key
    if not key.comparison.equal_nan:
        for case in key.cases:
            if holds_nan(case.expected):
                message = (
                    f'the expected output of "{case.name}" has NaN, which equals nothing. '
                    "Set compare.equal_nan, or change the inputs"
                )
                yield _finding(message)
                break
    if material.made.beside.driver and are_judgements([case.expected for case in key.cases]):
        message = "drive() returns a judgement, which a student's code could return as well. Return the outputs"
        yield _finding(message, file="driver.py")


def holds_nan(value: GradersValue) -> bool:
    """Whether NaN is anywhere in it."""
    if isinstance(value, Array):
        return not value.is_exact and bool(np.isnan(in_float64(value)).any())
    if isinstance(value, float | complex):
        return value != value
    if isinstance(value, Mapping):
        return any(map(holds_nan, value.values()))
    return isinstance(value, list | tuple) and any(map(holds_nan, value))


def are_judgements(values: Sequence[GradersValue]) -> bool:
    """Whether all are the same yes, no or word of praise: a reference always passes, what it computes varies."""
    said = {_judgement(value) for value in values}
    return len(said) == 1 and None not in said


def _judgement(value: GradersValue) -> bool | str | None:
    if isinstance(value, str):
        return value.lower() if value.lower() in _JUDGEMENTS else None
    if isinstance(value, Array) and value.dtype == "bool" and value.shape == ():
        return bool(value.values)
    return value if isinstance(value, bool) else None
