"""Outcomes for what a regrade judges anew, and what comes of them."""

from decimal import Decimal

from exercises.models import BestScore, Grading
from exercises.queries import regrade_changes
from exercises.services import claim_next, preview_regrade, record_outcome
from exercises.services.outcomes import NO_FACTS
from graders.outcomes import Verdict
from tests.factories import make_case, make_graded, make_outcome, publish_version


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


def three_handed_in(exercise):
    """What three students handed in, for `judged_preview`: one gains, one loses, one stays as they are."""
    return [make_graded(exercise=exercise, outcome=scoring(score)) for score in (1, 4, 2)]


def judged_preview(exercise, author, handed_in):
    """A preview by a corrected version, judged."""
    publish_version(exercise, title="Double it", points=10)
    regrade = preview_regrade(exercise, author=author)
    work_off(dict(zip((each.pk for each in handed_in), map(scoring, (4, 3, 2)), strict=True)))
    return regrade


def changes_of(regrade):
    return [(change.student, change.difference) for change in regrade_changes(regrade)]


def best_scores():
    return list(BestScore.objects.order_by("student_id").values_list("score", flat=True))
