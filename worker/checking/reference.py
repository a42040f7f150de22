"""Checks the reference: accepted in every draw, whatever the state of the random generators, and in time."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from worker.checking.drawing import AT_ONCE, Material
from worker.checking.findings import Check, Finding
from worker.checking.runners import Varied
from worker.checking.trials import Trial, try_solution
from worker.grading import Prepared
from worker.sandbox.job import Status

FILE: Final = "reference.py"
# Students' solutions may be slower than the reference, and machines too.
SHARE_OF_TIME: Final = 1 / 3


def reference_findings(material: Material, facts: dict[str, str]) -> Iterator[Finding]:
    """What is wrong with the reference; its CPU time is put among the facts. Raises: SandboxError (ours)."""
    limit = float(material.exercise["limits"]["cpu_seconds"])
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        trials = list(pool.map(partial(_try_reference, material), material.groups, range(1, len(material.groups) + 1)))
    slowest = max(trial.cpu_seconds for trial in trials)
    refused = [(made, trial) for made, trial in zip(material.groups, trials, strict=True) if not trial.is_accepted]
    for made, trial in refused[:1]:
        yield _finding(_on_refusal(material, made, trial))
    facts["reference"] = f"{slowest:.2g} s of {limit:g} s CPU time"
    if slowest > limit * SHARE_OF_TIME:
        message = (
            f"takes {slowest:.2g} s of CPU time; the limit of {limit:g} s leaves students less than 3 times as much"
        )
        yield _finding(message, is_remark=True)


def _finding(message: str, *, is_remark: bool = False) -> Finding:
    return Finding(check=Check.REFERENCE, message=message, file=FILE, is_remark=is_remark)


def _try_reference(material: Material, made: Prepared, seed: int) -> Trial:
    request = made.request("reference", material.exercise, material.reference, lane="regrade")
    return try_solution(Varied(runner=material.runner, seed=seed), request, made.key)


def _on_refusal(material: Material, made: Prepared, trial: Trial) -> str:
    if trial.status is not Status.FINISHED:
        return f'is stopped at "{trial.by}": {trial.detail or trial.status.value}'
    if _try_reference(material, made, 0).is_accepted:
        return f'gives something else for "{trial.by}" each time that it runs: it draws random numbers'
    return f'is refused by its own case "{trial.by}": it gives something else each time that it runs'
