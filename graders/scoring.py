"""Outcomes and weights into a score: verdicts, draws and rounding in one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Final

from graders.errors import GraderError
from graders.outcomes import CaseOutcome, Feedback, Outcome, Verdict

_HUNDREDTH: Final = Decimal("0.01")


def rounded(points: Decimal) -> Decimal:
    """The points to two decimals, halves up. Done once, on sums."""
    return points.quantize(_HUNDREDTH, rounding=ROUND_HALF_UP)


def fold_draws(outcomes: Sequence[CaseOutcome]) -> CaseOutcome:
    """One outcome for all draws of a hidden case: accepted only if accepted in each, and counting once.

    Raises:
        GraderError: there are no draws.
    """
    if not outcomes:
        raise GraderError("a case without draws cannot be judged")
    failed = [outcome for outcome in outcomes if outcome.verdict != Verdict.ACCEPTED]
    return replace((failed or outcomes)[0], name=outcomes[0].name, max_points=outcomes[0].max_points)


def deciding_case(cases: Iterable[CaseOutcome]) -> CaseOutcome | None:
    """The case whose verdict is the submission's: the first not accepted, visible before hidden; None if all are."""
    in_order = sorted(cases, key=_is_hidden)
    return next((case for case in in_order if case.verdict != Verdict.ACCEPTED), None)


def outcome_of(cases: Sequence[CaseOutcome], feedback: Feedback) -> Outcome:
    """The outcome of a submission: verdict of the deciding case, points summed and then rounded once."""
    deciding = deciding_case(cases)
    return Outcome(
        verdict=deciding.verdict if deciding else Verdict.ACCEPTED,
        score=rounded(sum((case.points for case in cases), Decimal(0))),
        max_score=rounded(sum((case.max_points for case in cases), Decimal(0))),
        feedback=feedback,
        cases=tuple(cases),
    )


def outcome_of_share(share: Fraction, feedback: Feedback) -> Outcome:
    """The outcome of a question worth 1 of which `share` (0 to 1) is right; accepted only if all of it is.

    Points short of all are never rounded up to all.
    """
    verdict = Verdict.ACCEPTED if share == 1 else Verdict.WRONG_ANSWER
    score = rounded(Decimal(share.numerator) / share.denominator)
    if verdict != Verdict.ACCEPTED:
        score = min(score, 1 - _HUNDREDTH)
    return Outcome(verdict=verdict, score=score, max_score=rounded(Decimal(1)), feedback=feedback)


def outcome_of_verdict(verdict: Verdict, feedback: Feedback) -> Outcome:
    """The outcome of a question worth 1 that is right or not."""
    whole = rounded(Decimal(1))
    score = whole if verdict == Verdict.ACCEPTED else rounded(Decimal(0))
    return Outcome(verdict=verdict, score=score, max_score=whole, feedback=feedback)


def _is_hidden(case: CaseOutcome) -> bool:
    return not case.visible
