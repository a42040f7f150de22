"""The mutation score: how many small changes of the reference an exercise's cases refuse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, Final

from worker.cases import AUTHOR_LIMITS, CasesError
from worker.checking.drawing import AT_ONCE, Material
from worker.checking.findings import Check, Finding, Mutant, MutationScore
from worker.checking.offers import search_cases
from worker.checking.trials import Trial, try_solution
from worker.sandbox.job import Job, Limits, MutantsProgram, Unsupported
from worker.sandbox.mutants.making import mutated
from worker.solution import exercise_limits

MOST: Final = 100
# A mutant that takes so many times longer than the reference is caught by its slowness.
_PATIENCE: Final = 20
_LEAST_SECONDS: Final = 1.0

OnTried = Callable[[int, int], None]
"""Is told how many mutants were tried, and how many there are."""


def score_mutants(material: Material, required: float, on_tried: OnTried) -> MutationScore:
    """What became of each mutant. Raises: CasesError (the reference cannot be parsed), SandboxError (ours)."""
    started = time.perf_counter()
    made = _mutants(material)
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        tried = []
        for trial in pool.map(partial(_try_mutant, material, _limits(material)), made):
            tried.append(trial)
            on_tried(len(tried), len(made))
        reasons = _equivalents(material)
        mutants = [_mutant(mutant, trial, reasons) for mutant, trial in zip(made, tried, strict=True)]
        survivors = [place for place, mutant in enumerate(mutants) if mutant.fate == "survived"]
        if survivors:
            sources = [mutated(material.reference, made[place]) for place in survivors]
            offers = pool.map(search_cases(material).offer, sources)
            for place, offer in zip(survivors, offers, strict=True):
                mutants[place] = replace(mutants[place], offer=offer)
    return MutationScore(mutants=tuple(mutants), required=required, seconds=time.perf_counter() - started)


def mutation_findings(material: Material, score: MutationScore) -> Iterator[Finding]:
    """What is wrong with the score, and with what the author says of mutants."""
    if score.score < score.required:
        # Much may be changed in a training that still reaches what is asked of it.
        is_remark = material.is_training
        message = (
            f"the cases refuse {score.count('killed')} of {score.count('killed') + score.count('survived')} mutants of "
            f"the reference: {score.score:.2f}, and {score.required:g} is asked for. Add cases that tell them apart"
        )
        yield Finding(
            check=Check.MUTANTS, message=message, file="cases.py", is_remark=is_remark, is_shortfall=not is_remark
        )
    known = {_plain(mutant.change): mutant for mutant in score.mutants}
    for change in _equivalents(material):
        place = "`mutants.equivalent`"
        if change not in known:
            message = f"{place}: no change of the reference is called {change!r}"
            yield Finding(check=Check.MUTANTS, message=message, file="exercise.yaml", is_remark=True)
        elif known[change].fate != "equivalent":
            message = (
                f'{place}: the case "{known[change].by}" tells {change!r} from the reference; it is not equivalent'
            )
            yield Finding(check=Check.MUTANTS, message=message, file="exercise.yaml")


def _mutants(material: Material) -> list[Mapping[str, Any]]:
    program = MutantsProgram(source=material.reference, given=material.source("starter.py"), most=MOST)
    report = material.runner.run(Job(id="mutants", program=program, limits=AUTHOR_LIMITS, lane="regrade"))
    if report.load_error is not None or not report.results:
        reason = report.load_error.message if report.load_error else report.detail or report.status.value
        raise CasesError(f"reference.py: no mutants can be made: {reason}")
    made = report.results[0].value
    if not isinstance(made, list):
        found = made.kind if isinstance(made, Unsupported) else type(made).__name__
        raise CasesError(f"reference.py: no mutants can be made: expected a list of them, found {found}")
    wanted = [mutant for mutant in made if isinstance(mutant, dict)]
    return [mutant for mutant in wanted if not mutant["needs"] or material.exercise.get(str(mutant["needs"]))]


def _limits(material: Material) -> Limits:
    declared = exercise_limits(material.exercise)
    request = material.made.request("reference", material.exercise, material.reference, lane="regrade")
    seconds = max(_LEAST_SECONDS, _PATIENCE * try_solution(material.runner, request, material.made.key).cpu_seconds)
    return replace(declared, cpu_seconds=min(declared.cpu_seconds, seconds))


def _try_mutant(material: Material, limits: Limits, mutant: Mapping[str, Any]) -> Trial:
    source = mutated(material.reference, mutant)
    request = material.made.request("mutant", material.exercise, source, lane="regrade")
    return try_solution(material.runner, replace(request, limits=limits), material.made.key)


def _equivalents(material: Material) -> dict[str, str]:
    marked = (material.exercise.get("mutants") or {}).get("equivalent") or ()
    return {_plain(item["change"]): item["reason"] for item in marked}


def _plain(change: str) -> str:
    """The name of a change however its spaces and its arrow are written."""
    return " ".join(change.replace("->", "→").split())


def _mutant(mutant: Mapping[str, Any], trial: Trial, reasons: Mapping[str, str]) -> Mutant:
    reason = reasons.get(_plain(mutant["change"]), "")
    fate = "broken" if trial.is_broken else "killed" if trial.by else "equivalent" if reason else "survived"
    return Mutant(
        operator=mutant["operator"],
        line=mutant["line"],
        change=mutant["change"],
        diff=mutant["diff"],
        fate=fate,
        by=trial.by,
        reason=reason if fate == "equivalent" else "",
    )
