from decimal import Decimal

import pytest

from exercises.errors import RegradeNotReadyError
from exercises.models import BestScore, Grading
from exercises.services import RunFacts, apply_regrade, claim_next, queue_regrade, record_outcome
from graders.outcomes import Verdict
from tests.factories import make_graded, make_outcome, publish_version

pytestmark = pytest.mark.django_db


def scoring(score, max_score=4):
    verdict = Verdict.ACCEPTED if score == max_score else Verdict.WRONG_ANSWER
    return make_outcome(verdict=verdict, score=Decimal(score), max_score=Decimal(max_score))


def regraded(submission, outcome):
    grading = queue_regrade(submission, submission.version)
    record_outcome(claim_next("worker"), outcome, facts=RunFacts())
    return grading


def test_first_outcome_is_the_best():
    submission = make_graded(outcome=scoring(1))

    best = BestScore.objects.get()
    assert (best.student, best.exercise, best.grading) == (submission.student, submission.exercise, submission.grading)
    assert (best.score, best.max_score, best.verdict) == (1, 4, Verdict.WRONG_ANSWER)
    assert (best.submissions, best.solved_at) == (1, None)


def test_better_outcome_takes_its_place():
    first = make_graded(outcome=scoring(1))
    second = make_graded(first.student, first.exercise, outcome=scoring(4))

    best = BestScore.objects.get()
    assert (best.grading, best.submissions, best.solved_at) == (second.grading, 2, second.created_at)


def test_worse_or_equal_outcome_does_not():
    first = make_graded(outcome=scoring(3))
    make_graded(first.student, first.exercise, outcome=scoring(2))
    make_graded(first.student, first.exercise, outcome=scoring(3))

    best = BestScore.objects.get()
    assert (best.grading, best.submissions) == (first.grading, 3)


def test_share_of_the_points_decides_where_versions_differ():
    first = make_graded(outcome=scoring(3, max_score=4))
    publish_version(first.exercise)

    make_graded(first.student, first.exercise, outcome=scoring(5, max_score=10))

    assert BestScore.objects.get().grading == first.grading


def test_outcome_without_points_counts():
    make_graded(outcome=scoring(0, max_score=0))

    assert BestScore.objects.get().share == 0


def test_regrade_changes_nothing_before_it_is_applied():
    submission = make_graded(outcome=scoring(4))

    regraded(submission, scoring(1))

    assert BestScore.objects.get().score == 4


def test_best_submission_regraded_lower_leaves_the_next_best():
    best = make_graded(outcome=scoring(4))
    other = make_graded(best.student, best.exercise, outcome=scoring(3))

    apply_regrade(regraded(best, scoring(1)))

    score = BestScore.objects.get()
    assert (score.grading, score.score, score.solved_at) == (other.grading, 3, None)


def test_only_submission_regraded_higher_follows():
    submission = make_graded(outcome=scoring(1))

    grading = regraded(submission, scoring(4))
    apply_regrade(grading)

    score = BestScore.objects.get()
    assert (score.grading, score.solved_at) == (grading, submission.created_at)
    assert Grading.objects.get(submission=submission, in_force=True) == grading


def test_regrade_without_an_outcome_is_not_applied():
    submission = make_graded(outcome=scoring(4))

    with pytest.raises(RegradeNotReadyError):
        apply_regrade(queue_regrade(submission, submission.version))

    assert BestScore.objects.get().score == 4
