"""Outcomes for what a regrade judges anew."""

from decimal import Decimal

from exercises.models import Grading
from exercises.services import claim_next, record_outcome
from exercises.services.outcomes import NO_FACTS
from graders.outcomes import Verdict
from tests.factories import make_case, make_outcome


def scoring(score, max_score=4, **fields):
    verdict = Verdict.ACCEPTED if score == max_score else Verdict.WRONG_ANSWER
    return make_outcome(verdict=verdict, score=Decimal(score), max_score=Decimal(max_score), **fields)


def with_cases(*verdicts):
    """An outcome with a case for each verdict, of one point."""
    cases = tuple(
        make_case(name=f"case {number}", verdict=verdict, points=Decimal(verdict == Verdict.ACCEPTED))
        for number, verdict in enumerate(verdicts)
    )
    return scoring(verdicts.count(Verdict.ACCEPTED), len(verdicts), cases=cases)


def work_off(outcomes):
    """Judge what waits, with an outcome for each submission."""
    while (claim := claim_next("worker")) is not None:
        grading = Grading.objects.get(pk=claim.id)
        record_outcome(claim, outcomes[grading.submission_id], facts=NO_FACTS)
