from dataclasses import replace

from tests.worker.stub_runner import DEFINITION, LISTED, MISTAKE, REFERENCE, StubRunner, report_of, vector
from worker.cases import make_cases
from worker.grading import grade_code, key_of
from worker.sandbox.job import CallResult, StudentError, TensorBytes
from worker.solution import Request

CASES = make_cases(DEFINITION, (1, 2), StubRunner(LISTED, REFERENCE, MISTAKE))


def details_of(report):
    exercise = DEFINITION["exercise"]
    request = Request(id="1", exercise=exercise, source="x", calls=tuple(case.call for case in CASES))
    outcome = grade_code(StubRunner(report), request, key_of(exercise, CASES))[0]
    return [(case.feedback.details or {}).get("actual") for case in outcome.cases]


def test_wrong_value_of_a_visible_case_is_shown_and_of_a_hidden_one_never():
    assert details_of(report_of(vector(7), vector(7), vector(7))) == [
        {"dtype": "float32", "shape": [1], "values": [7.0]},
        None,
    ]


def test_accepted_case_shows_nothing_twice():
    assert details_of(REFERENCE) == [None, None]


def test_exception_has_no_value():
    raised = CallResult(index=0, error=StudentError(type="ValueError", message="boom"))

    assert details_of(replace(REFERENCE, results=(raised, *REFERENCE.results[1:])))[0] is None


def test_large_value_is_left_out():
    assert details_of(report_of(["x" * 70_000], vector(4), vector(6)))[0] is None


def test_large_tensor_is_shown_by_its_form():
    large = TensorBytes(dtype="bool", shape=(5000,), data=bytes(5000))

    assert details_of(report_of(large, vector(4), vector(6)))[0] == {"dtype": "bool", "shape": [5000], "values": None}
