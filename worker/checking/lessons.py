"""Checks lessons: every snippet runs and prints what the lesson claims, and every checked number holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from sys import float_info
from typing import Any, Final

from exercises.content import LessonFolder
from graders.arrays import Array, nearest_float
from graders.printed import compare_printed
from worker.checking.drawing import AT_ONCE
from worker.checking.findings import Check, Finding
from worker.sandbox.job import Job, RunReport, ScriptProgram, Status, Value
from worker.solution import Runner
from worker.values import graders_value

_NUMBER: Final = re.compile(r"[-+−]?[0-9]+(?:\.(?P<decimals>[0-9]+))?(?:[eE](?P<exponent>[-+]?[0-9]+))?")


def lesson_findings(lesson: LessonFolder, runner: Runner) -> list[Finding]:
    """What does not hold in a lesson. Raises: SandboxError (ours)."""
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        found = pool.map(partial(_of_snippet, lesson, runner), range(len(lesson.snippets)))
        return [finding for findings in found for finding in findings]


def counted(lessons: Sequence[LessonFolder]) -> dict[str, str]:
    """How much there was to check, in words."""
    snippets = [snippet for lesson in lessons for snippet in lesson.snippets]
    outputs = sum(snippet["output"] is not None for snippet in snippets)
    numbers = sum(len(lesson.checks) for lesson in lessons)
    return {
        "lessons": str(len(lessons)),
        "snippets": f"{len(snippets)}, {outputs} with their output",
        "checked numbers": str(numbers),
    }


def _of_snippet(lesson: LessonFolder, runner: Runner, number: int) -> list[Finding]:
    """What is wrong with a snippet, and with the numbers that are checked right after it."""
    snippet = lesson.snippets[number]
    report = _run(lesson, runner, number, snippet["source"])
    if failure := _failure(report):
        return [_finding(lesson, snippet["line"], f"the snippet fails: {failure}")]
    return [
        *_of_output(lesson, snippet, report.stdout),
        *_of_checks(lesson, runner, number),
    ]


def _run(lesson: LessonFolder, runner: Runner, number: int, source: str, collect: tuple[str, ...] = ()) -> RunReport:
    """The snippet after its predecessors, as a reader runs it."""
    earlier = () if lesson.snippets[number]["fresh"] else lesson.snippets[:number]
    before = tuple(snippet["source"] for snippet in earlier)
    program = ScriptProgram(source=source, before=before, collect=collect)
    return runner.run(Job(id=f"lesson {lesson.slug}", program=program, lane="regrade", plots=True))


def _failure(report: RunReport) -> str:
    error = report.load_error or next((result.error for result in report.results if result.error), None)
    if error is not None:
        return f"{error.type}: {error.message}"
    return "" if report.status is Status.FINISHED else report.detail or report.status.value


def _of_output(lesson: LessonFolder, snippet: dict[str, Any], printed: str) -> Iterator[Finding]:
    claimed = snippet["output"]
    if claimed is None:
        if printed.strip():
            message = "what the snippet prints is not shown: put an `output` fence after it"
            yield _finding(lesson, snippet["line"], message, is_remark=True)
        return
    mismatch = compare_printed(printed, claimed)
    if mismatch is not None:
        pair = mismatch.pairs[0]
        message = (
            f"the snippet prints other than the lesson says, {mismatch.path}: {pair.actual!r} for {pair.expected!r}"
        )
        yield _finding(lesson, snippet["line"], message)


def _of_checks(lesson: LessonFolder, runner: Runner, number: int) -> Iterator[Finding]:
    """Each expression is evaluated behind the snippet; one that fails is found by itself."""
    for check in lesson.checks:
        if check["after"] != number + 1:
            continue
        source = f"{lesson.snippets[number]['source']}\nchecked_number_ = ({check['expression']})\n"
        report = _run(lesson, runner, number, source, collect=("checked_number_",))
        if failure := _failure(report):
            yield _finding(lesson, check["line"], f"{{check: {check['expression']}}} fails: {failure}")
        elif (message := _off(check, report.results[0].value)) != "":
            yield _finding(lesson, check["line"], message)


def _off(check: dict[str, Any], found: Value) -> str:
    """What is wrong with a number that a lesson shows; empty where it holds, rounded to the digits shown."""
    value = _number(found.get("checked_number_") if isinstance(found, dict) else None)
    expression, shown = check["expression"], check["shown"]
    if value is None:
        return f"{{check: {expression}}} gives no number"
    if not _agrees(shown, value):
        return f"{shown} is shown, but {expression} is {value:.7g}"
    return ""


def _number(value: Value) -> float | None:
    seen = graders_value(value)
    if isinstance(seen, Array) and seen.values.size == 1 and seen.kind != "complex":
        return float(seen.values.reshape(()))
    return nearest_float(seen) if isinstance(seen, int | float) else None


def _agrees(shown: str, value: float) -> bool:
    found = _NUMBER.search(shown)
    if found is None:
        return False
    exponent = int(found["exponent"] or 0) - len(found["decimals"] or "")
    number, digit = float(found.group().replace("−", "-")), 10.0 ** min(exponent, float_info.max_10_exp)
    # Half of the last digit, and a little for a number right between two.
    return abs(number - value) <= 0.5000001 * digit


def _finding(lesson: LessonFolder, line: int, message: str, *, is_remark: bool = False) -> Finding:
    file = f"lessons/{lesson.slug}.md"
    return Finding(check=Check.LESSONS, message=message, file=file, line=line, is_remark=is_remark)
