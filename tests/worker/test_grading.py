from dataclasses import replace
from decimal import Decimal

import pytest

from graders.outcomes import Verdict
from tests.worker.stub_runner import DEFINITION, LISTED, MISTAKE, REFERENCE, SCRIPT, StubRunner, report_of, vector
from worker.cases import make_cases
from worker.grading import grade_code, key_of
from worker.sandbox.job import CallResult, RunReport, Status, StudentError
from worker.solution import Request

CASES = make_cases(DEFINITION, (1, 2), StubRunner(LISTED, REFERENCE, MISTAKE))
BOOM = StudentError(type="ValueError", message="boom", line=3)


def graded(report, definition=DEFINITION, cases=CASES, on_cases=None):
    exercise = definition["exercise"]
    request = Request(id="1", exercise=exercise, source="x = 1", calls=tuple(case.call for case in cases))
    return grade_code(StubRunner(report), request, key_of(exercise, cases), on_cases)[0]


def test_right_solution_is_accepted():
    outcome = graded(REFERENCE)

    assert outcome.verdict is Verdict.ACCEPTED
    assert (outcome.score, outcome.max_score) == (Decimal(3), Decimal(3))


def test_near_miss_in_one_draw_fails_the_hidden_case():
    outcome = graded(report_of(vector(2), vector(4), vector(6.001)))

    assert outcome.verdict is Verdict.WRONG_ANSWER
    assert outcome.score == Decimal(1)


def test_listed_mistake_is_named():
    outcome = graded(MISTAKE)

    assert outcome.verdict is Verdict.WRONG_ANSWER
    assert [case.feedback.cause for case in outcome.cases] == ["same", "same"]
    assert "Nothing was doubled." in outcome.feedback.hint


def test_exception_fails_its_case_alone():
    results = (CallResult(index=0, error=BOOM), *REFERENCE.results[1:])

    outcome = graded(RunReport(status=Status.FINISHED, results=results))

    assert [case.verdict for case in outcome.cases] == [Verdict.RUNTIME_ERROR, Verdict.ACCEPTED]
    assert outcome.score == Decimal(2)


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (Status.EXITED, Verdict.RUNTIME_ERROR),
        (Status.CRASHED, Verdict.RUNTIME_ERROR),
        (Status.FINISHED, Verdict.RUNTIME_ERROR),
        (Status.TIMED_OUT, Verdict.TIME_LIMIT),
        (Status.OUT_OF_MEMORY, Verdict.MEMORY_LIMIT),
        (Status.OUTPUT_TOO_LARGE, Verdict.OUTPUT_LIMIT),
        (Status.TASK_LIMIT, Verdict.RESOURCE_LIMIT),
        (Status.FILTER_KILLED, Verdict.POLICY_VIOLATION),
        (Status.GARBLED, Verdict.INVALID_OUTPUT),
    ],
)
def test_cases_not_reached_get_the_verdict_of_the_death(status, verdict):
    outcome = graded(replace(REFERENCE, status=status, results=REFERENCE.results[:1], detail="died"))

    assert [case.verdict for case in outcome.cases] == [Verdict.ACCEPTED, verdict]
    assert outcome.verdict is verdict
    assert outcome.score == Decimal(1)


def test_death_after_the_last_result_changes_nothing():
    assert graded(replace(REFERENCE, status=Status.TIMED_OUT)).verdict is Verdict.ACCEPTED


def test_source_that_does_not_load_says_why():
    outcome = graded(RunReport(status=Status.FINISHED, load_error=replace(BOOM, type="SyntaxError")))

    assert outcome.verdict is Verdict.RUNTIME_ERROR
    assert outcome.score == 0
    assert "SyntaxError" in outcome.cases[0].feedback.summary


def test_cases_are_told_once_all_their_draws_are_judged():
    told = []

    graded(REFERENCE, on_cases=lambda cases: told.append([case.name for case in cases]))

    assert told == [["one"], ["one"], ["one", "drawn"]]


def test_script_is_judged_by_variables_and_text():
    cases = make_cases(SCRIPT, (), StubRunner(report_of({"total": 3}, stdout="3.0\n")))

    right = graded(report_of({"total": 3}, stdout="3.0\n"), SCRIPT, cases)
    missing = graded(report_of({}, stdout="3.0\n"), SCRIPT, cases)
    raised = graded(RunReport(status=Status.FINISHED, results=(CallResult(index=0, error=BOOM),)), SCRIPT, cases)

    assert right.verdict is Verdict.ACCEPTED
    assert [case.verdict for case in missing.cases] == [Verdict.INVALID_OUTPUT, Verdict.ACCEPTED]
    assert "total" in missing.cases[0].feedback.summary
    assert {case.verdict for case in raised.cases} == {Verdict.RUNTIME_ERROR}
