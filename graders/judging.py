"""Judges a code submission, on plain values: case by case while results come in, then as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from graders import feedback
from graders.cases import Case, Failure, Given, Key, Raised, Returned, compare_in
from graders.comparisons import Comparison
from graders.demands import unmet_demand
from graders.diagnosis import Diagnosis, likely_cause, matching_mistake
from graders.feedback_on_causes import with_cause
from graders.feedback_on_demands import of_breaches, of_unmet, verdict_of_unmet
from graders.feedback_on_training import of_met, of_missed, of_too_many_steps
from graders.hypotheses.causes import Cause
from graders.metrics import Training, measure
from graders.mismatches import Mismatch
from graders.outcomes import CaseOutcome, Feedback, Outcome, Verdict
from graders.property_lines import property_lines
from graders.rules import Breach
from graders.scoring import deciding_case, fold_draws, outcome_of
from graders.tensors import verdict_of

ENDED_EARLY: Final = Failure(verdict=Verdict.RUNTIME_ERROR)


def judge_case(case: Case, given: Given, comparison: Comparison) -> CaseOutcome:
    """The outcome of one case (one draw, if it is hidden) from what the solution gave for it."""
    if isinstance(given, Raised):
        return _outcome(case, Verdict.RUNTIME_ERROR, feedback.of_exception(given, visible=case.visible))
    if case.training is not None:
        return _trained(case, given, case.training)
    mismatch = compare_in(case, given.value, case.expected, comparison)
    unmet = unmet_demand(case, given, comparison) if mismatch is None else None
    if unmet is not None:
        return _outcome(case, verdict_of_unmet(unmet), of_unmet(unmet, visible=case.visible))
    return _outcome(case, verdict_of(mismatch), feedback.of_mismatch(mismatch, visible=case.visible))


def _trained(case: Case, given: Returned, training: Training) -> CaseOutcome:
    """The outcome of predictions, which are measured and not compared."""
    measured = measure(training.metric, given.value, case.targets)
    if isinstance(measured, Mismatch):
        return _outcome(case, verdict_of(measured), feedback.of_mismatch(measured, visible=case.visible))
    if training.steps is not None and given.steps > training.steps:
        return _outcome(case, Verdict.WRONG_ANSWER, of_too_many_steps(training, given.steps))
    if not training.is_met(measured):
        return _outcome(case, Verdict.WRONG_ANSWER, of_missed(training, measured, visible=case.visible))
    return _outcome(case, Verdict.ACCEPTED, of_met(training, measured, visible=case.visible))


def judge_submission(
    key: Key,
    given: Sequence[Given | None],
    *,
    failure: Failure | None = None,
    judged: Mapping[int, CaseOutcome] | None = None,
) -> Outcome:
    """The outcome of a submission: of its cases, then of the properties that the key asks for.

    `given` holds what each case of the key gave, in order; None where it was not reached, because of `failure`. A
    failure after the last result changes nothing. `judged` holds outcomes of `judge_case` that are known already, by
    position. Of a hidden case's draws one outcome is made. If a listed mistake explains all that was given, its slug
    is the cause and its text the hint, of every case that is not accepted and of the whole; else a likely cause is
    looked for.
    """
    stopped = feedback.of_failure(failure or ENDED_EARLY)
    outcomes = [
        _outcome(case, (failure or ENDED_EARLY).verdict, stopped)
        if result is None
        else (judged or {}).get(position) or judge_case(case, result, key.comparison)
        for position, (case, result) in enumerate(zip(key.cases, given, strict=True))
    ]
    if any(outcome.verdict != Verdict.ACCEPTED for outcome in outcomes):
        outcomes = _explained(key, given, outcomes)
    told = _told_once(_folded(key, outcomes), stopped)
    cases = (*told, *property_lines(key, given, ((failure or ENDED_EARLY).verdict, stopped)))
    return outcome_of(cases, feedback.of_submission(cases, deciding_case(cases)))


def with_breaches(outcome: Outcome, breaches: Sequence[Breach]) -> Outcome:
    """The outcome of a submission that breaks rules: a wrong answer without points, whatever its cases gave."""
    if not breaches:
        return outcome
    nothing = outcome_of([replace(case, points=Decimal(0)) for case in outcome.cases], of_breaches(breaches))
    return replace(nothing, verdict=Verdict.WRONG_ANSWER)


def _told_once(cases: tuple[CaseOutcome, ...], stopped: Feedback) -> tuple[CaseOutcome, ...]:
    """The cases with the text of a failure in the first that it prevented only; later ones were not reached."""
    prevented = [place for place, case in enumerate(cases) if case.feedback is stopped]
    later = feedback.of_not_reached(stopped)
    return tuple(replace(case, feedback=later) if place in prevented[1:] else case for place, case in enumerate(cases))


def _explained(key: Key, given: Sequence[Given | None], outcomes: list[CaseOutcome]) -> list[CaseOutcome]:
    """The outcomes with the cause in those that are not accepted: a listed mistake, or else a generic one."""
    slug = matching_mistake(key, given)
    mistake = next((mistake for mistake in key.mistakes if mistake.slug == slug), None)
    if mistake is None:
        return _diagnosed(outcomes, likely_cause(key, given, [_is_settled(outcome) for outcome in outcomes]))
    return [
        outcome
        if result is None or outcome.verdict == Verdict.ACCEPTED
        else replace(outcome, feedback=feedback.with_mistake(outcome.feedback, mistake))
        for outcome, result in zip(outcomes, given, strict=True)
    ]


def _diagnosed(outcomes: list[CaseOutcome], diagnosis: Diagnosis | None) -> list[CaseOutcome]:
    """The outcomes with a generic cause in those that compared something and found it wrong.

    Of an exception it says nothing, but that it is raised for hidden inputs alone.
    """
    if diagnosis is None:
        return outcomes
    explained = {Verdict.WRONG_ANSWER, Verdict.INVALID_OUTPUT}
    if diagnosis.cause == Cause.VISIBLE_ONLY:
        explained.add(Verdict.RUNTIME_ERROR)
    return [
        outcome
        if _is_settled(outcome) or outcome.verdict not in explained
        else replace(outcome, feedback=with_cause(outcome.feedback, diagnosis, place if outcome.visible else None))
        for place, outcome in enumerate(outcomes)
    ]


def _is_settled(outcome: CaseOutcome) -> bool:
    """Whether nothing is left to explain: it is accepted, or its cause was seen when it was judged."""
    return outcome.verdict == Verdict.ACCEPTED or bool(outcome.feedback.cause)


def _folded(key: Key, outcomes: Sequence[CaseOutcome]) -> tuple[CaseOutcome, ...]:
    """One outcome a case: visible ones as they are, then one for all draws of each hidden case."""
    draws: dict[tuple[bool, int], list[CaseOutcome]] = {}
    for case, outcome in zip(key.cases, outcomes, strict=True):
        draws.setdefault((case.visible, case.index), []).append(outcome)
    return tuple(fold_draws(group) for group in draws.values())


def _outcome(case: Case, verdict: Verdict, found: Feedback) -> CaseOutcome:
    return CaseOutcome(
        name=case.name,
        visible=case.visible,
        verdict=verdict,
        points=case.points if verdict == Verdict.ACCEPTED else Decimal(0),
        max_points=case.points,
        feedback=found,
    )
