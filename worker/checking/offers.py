"""A case that tells a mutant from the reference which an exercise's own cases do not: found by trying random inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from graders.judging import judge_case
from graders.outcomes import Verdict
from worker.cases import AUTHOR_LIMITS, Case
from worker.checking.candidates import candidate_calls
from worker.checking.drawing import Material
from worker.checking.drawn_cases import holds_nan
from worker.checking.findings import Offer
from worker.checking.literals import case_code
from worker.grading import Prepared, given_by, prepare
from worker.sandbox.job import Unsupported
from worker.solution import Request, run_solution
from worker.values import graders_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Random inputs, with what the reference gives for them."""

    material: Material
    tried: Prepared

    def offer(self, source: str) -> Offer | None:
        """The shortest case that refuses this mutant, if there is one. Raises: SandboxError (ours)."""
        if not self.tried.cases:
            return None
        key = self.tried.key
        given = given_by(run_solution(self.material.runner, _request(self.material, self.tried, source)), key)
        found = []
        for case, judged, result in zip(self.tried.cases, key.cases, given, strict=True):
            outcome = None if result is None else judge_case(judged, result, key.comparison)
            if outcome is not None and outcome.verdict != Verdict.ACCEPTED:
                found.append(Offer(code=case_code(case.call), seen=outcome.feedback.summary))
        return min(found, key=lambda offer: len(offer.code), default=None)


def search_cases(material: Material) -> Search:
    """Inputs after the pattern of the exercise's own, as far as the reference takes them. Raises: SandboxError."""
    # Values alone are looked at.
    plain = {**material.exercise, "inputs_unchanged": False, "gradients": [], "properties": []}
    definition = {**material.folder.definition, "exercise": plain}
    is_tried = material.exercise["kind"] == "code" and not material.is_training
    calls = [case.call for case in material.made.cases] if is_tried else []
    cases = [
        Case(index=number, points=Decimal(1), call=call, mistakes={})
        for number, call in enumerate(candidate_calls(calls))
    ]
    if cases:
        ran = run_solution(material.runner, _request(material, _unjudged(material, cases), material.reference))
        cases = [
            replace(case, expected=ran.actuals[case.index].value)
            for case in cases
            if case.index in ran.actuals and ran.actuals[case.index].error is None
        ]
    return Search(material=material, tried=prepare(definition, [case for case in cases if _is_usable(case, plain)]))


def _unjudged(material: Material, cases: list[Case]) -> Prepared:
    return replace(material.made, cases=tuple(cases), further={})


def _request(material: Material, made: Prepared, source: str) -> Request:
    request = made.request("candidates", material.exercise, source, lane="regrade")
    return replace(request, limits=AUTHOR_LIMITS)


def _is_usable(case: Case, exercise: Mapping[str, Any]) -> bool:
    """Whether a case could be published: its expected value is one, and can be equalled."""
    if isinstance(case.expected, Unsupported):
        return False
    return bool(exercise["compare"].get("equal_nan")) or not holds_nan(graders_value(case.expected))
