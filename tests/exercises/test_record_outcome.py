from decimal import Decimal

import pytest

from exercises.choices import State
from exercises.models import BestScore, CaseResult, Grading
from exercises.queries import feedback_of
from exercises.services import RunFacts, claim_next, record_outcome
from graders.outcomes import Feedback, Verdict
from tests.factories import make_case, make_graded, make_outcome, make_run, make_submission

pytestmark = pytest.mark.django_db

FACTS = RunFacts(
    cpu_seconds=0.2,
    wall_seconds=0.3,
    peak_memory_bytes=1024,
    torch_version="2.13.0",
    runner_version="1",
    cpu_capability="AVX2",
    evidence="for staff",
)
WRONG = make_outcome(
    verdict=Verdict.WRONG_ANSWER,
    score=Decimal(1),
    cases=(
        make_case(),
        make_case(
            name="a batch",
            visible=False,
            verdict=Verdict.WRONG_ANSWER,
            points=Decimal(0),
            max_points=Decimal(3),
            feedback=Feedback(stage="values", cause="no-scaling"),
        ),
    ),
)


def test_outcome_is_written_with_its_cases_and_facts():
    grading = make_submission().grading

    assert record_outcome(claim_next("worker"), WRONG, facts=FACTS, printed="hello")

    grading.refresh_from_db()
    assert (grading.state, grading.verdict, grading.score, grading.max_score) == (State.GRADED, "wrong_answer", 1, 4)
    assert (grading.cpu_seconds, grading.torch_version, grading.cpu_capability) == (0.2, "2.13.0", "AVX2")
    assert grading.finished_at is not None
    assert list(grading.case_results.values_list("index", "name", "is_visible", "verdict", "points", "cause")) == [
        (0, "two tokens", True, "accepted", 1, ""),
        (1, "a batch", False, "wrong_answer", 0, "no-scaling"),
    ]


def test_printed_text_is_kept_up_to_64_kibibytes_of_valid_text():
    submission = make_graded(printed="é" * 40_000)

    assert feedback_of(submission.grading, submission.student)["stdout"] == "é" * 32 * 1024


def test_feedback_beyond_the_cap_loses_what_is_drawn_and_the_verdict_stands():
    wide = Feedback(stage="values", summary="Wrong.", details={"actual": "x" * 3_000_000})
    cases = tuple(make_case(name=name, verdict=Verdict.WRONG_ANSWER, feedback=wide) for name in ("one", "two"))

    submission = make_graded(outcome=make_outcome(verdict=Verdict.WRONG_ANSWER, cases=cases))

    assert submission.grading.verdict == Verdict.WRONG_ANSWER
    shown = feedback_of(submission.grading, submission.student)["cases"]
    assert [(case["feedback"]["summary"], case["feedback"]["details"]) for case in shown] == [("Wrong.", None)] * 2


def test_second_delivery_changes_nothing():
    grading = make_submission().grading
    claim = claim_next("worker")
    record_outcome(claim, WRONG, facts=FACTS)

    assert not record_outcome(claim, make_outcome(), facts=FACTS)

    grading.refresh_from_db()
    assert grading.verdict == Verdict.WRONG_ANSWER
    assert CaseResult.objects.count() == 2


def test_who_lost_the_lease_writes_nothing():
    grading = make_submission().grading
    claim = claim_next("worker")
    Grading.objects.update(lease="another's")

    assert not record_outcome(claim, make_outcome(), facts=FACTS)

    grading.refresh_from_db()
    assert grading.state == State.RUNNING
    assert not BestScore.objects.exists()


def test_claim_of_a_run_takes_no_outcome():
    make_run()

    assert not record_outcome(claim_next("worker"), make_outcome(), facts=FACTS)
