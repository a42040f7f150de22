from dataclasses import replace

import pytest

from tests.worker.stub_runner import DEFINITION, MISTAKE, REFERENCE, StubRunner, report_of, vector
from worker.cases import MEASURED, make_cases
from worker.grading import grade_code, prepare
from worker.sandbox.job import CallResult, RunReport, Status, StudentError, TensorBytes

LARGER = report_of(
    [{"name": "one", "args": [vector(1)]}],
    [{"name": "three", "args": [vector(1, 2, 3)]}, {"name": "two", "args": [{"x": [vector(2, 3)]}]}],
    [{"name": "three", "args": [vector(4, 5, 6)]}, {"name": "two", "args": [{"x": [vector(4, 5)]}]}],
)
RIGHT = (vector(2), vector(2, 4, 6), vector(4, 6), vector(8, 10, 12), vector(8, 10))
MAKING = (LARGER, report_of(*RIGHT), report_of(*RIGHT))
WRONG = vector(0, 0)
BOOM = StudentError(type="ValueError", message="boom", line=3, traceback="line 3")


def hidden_case(report, *, made=MAKING, **demands):
    """What is kept of the hidden cases of a solution that gave this."""
    definition = {**DEFINITION, "exercise": {**DEFINITION["exercise"], **demands}}
    prepared = prepare(definition, make_cases(definition, (1, 2), StubRunner(*made)))
    request = prepared.request("1", definition["exercise"], "x = 1")
    return grade_code(StubRunner(report), request, prepared.key)[0].hidden_case


def shown(*numbers):
    return {"dtype": "float32", "shape": [len(numbers)], "values": [*map(float, numbers)]}


def test_smallest_that_failed_is_kept_with_all_that_is_known():
    kept = hidden_case(report_of(vector(2), vector(0, 0, 0), RIGHT[2], RIGHT[3], WRONG))

    assert (kept["name"], kept["args"], kept["kwargs"]) == ("two", [{"x": [shown(4, 5)]}], {})
    assert (kept["expected"], kept["actual"]) == (shown(8, 10), shown(0, 0))
    assert kept["feedback"]["summary"].startswith("The shape is right; the values are not: all 2 differ")
    assert kept["feedback"]["details"]["worst"] == {"index": [1], "actual": "0", "expected": "10"}


def test_what_an_object_is_built_with_is_kept():
    entries = [[{"name": "one", "args": [vector(1)], "init": {"args": [4]}, "state": {"weight": vector(2)}}]] * 3
    right = report_of(*[vector(1)] * 3)

    kept = hidden_case(report_of(*[vector(7)] * 3), made=(report_of(*entries), right, report_of(*[vector(9)] * 3)))

    assert (kept["init"], kept["state"]) == ({"args": [4]}, {"weight": shown(2)})


def test_accepted_and_wrong_in_visible_cases_alone_keep_nothing():
    assert hidden_case(report_of(*RIGHT)) is None
    assert hidden_case(report_of(vector(7), *RIGHT[1:])) is None


def test_exception_is_told_as_in_a_visible_case():
    results = tuple(CallResult(index=number, value=value) for number, value in enumerate(RIGHT[:4]))
    raised = CallResult(index=4, error=BOOM)

    kept = hidden_case(RunReport(status=Status.FINISHED, results=(*results, raised)))

    assert "actual" not in kept
    assert kept["feedback"]["summary"] == "ValueError: boom (line 3)"


def test_where_none_failed_it_is_the_case_in_which_the_run_ended():
    report = replace(report_of(*RIGHT[:3]), status=Status.TIMED_OUT, detail="after 4 s")

    kept = hidden_case(report)

    assert (kept["name"], kept["args"], kept["feedback"]["summary"]) == ("three", [shown(4, 5, 6)], "after 4 s")
    assert "actual" not in kept


@pytest.mark.parametrize("reached", [(), RIGHT[:1]])
def test_run_that_ended_in_a_visible_case_keeps_nothing(reached):
    entries = [[{"name": name, "args": [vector(1)]} for name in ("one", "two")], *[[{"name": "secret"}]] * 2]
    made = (report_of(*entries), report_of(*RIGHT[:4]), report_of(*RIGHT[:4]))

    assert hidden_case(report_of(*reached, status=Status.TIMED_OUT, detail="after 4 s"), made=made) is None
    assert hidden_case(report_of(*RIGHT[:2], status=Status.TIMED_OUT), made=made)["name"] == "secret"


def test_run_that_may_have_ended_while_loading_keeps_nothing():
    made = (report_of([], *[[{"name": "secret", "args": [vector(1)]}]] * 2), *[report_of(*RIGHT[:2])] * 2)

    assert hidden_case(RunReport(status=Status.TIMED_OUT, detail="after 4 s"), made=made) is None


def test_run_that_ended_after_its_survey_ended_in_the_first_case():
    entries = report_of([], *[[{"name": "secret", "args": [vector(1)]}]] * 2)
    surveyed = report_of([], *RIGHT[:2])

    kept = hidden_case(
        report_of([], status=Status.TIMED_OUT, detail="after 4 s"),
        made=(entries, surveyed, surveyed),
        forbid={"names": ["eval"]},
    )

    assert (kept["name"], kept["feedback"]["summary"]) == ("secret", "after 4 s")


def test_source_that_does_not_load_keeps_nothing():
    assert hidden_case(RunReport(status=Status.FINISHED, load_error=BOOM)) is None


def test_property_may_fail_where_the_value_is_right():
    asked = {"properties": [{"property": "bounded(output, 0, 5)", "points": 1}]}
    made = tuple(report_of(*map(probed, report_values)) for report_values in (RIGHT, RIGHT))

    kept = hidden_case(report_of(*map(probed, RIGHT)), made=(LARGER, *made), **asked)

    assert (kept["name"], kept["args"][0]["x"]) == ("two", [shown(2, 3)])
    assert kept["feedback"]["summary"].startswith("The output lies between 0 and 5. This does not hold")


def test_run_that_ended_in_a_further_call_ended_in_its_case():
    asked = {"properties": [{"property": "deterministic(output)", "points": 1}]}
    entries = [[{"name": "one", "args": [vector(1)]}], *[[{"name": "secret", "args": [vector(3)]}]] * 2]
    expected = report_of(*map(probed, (vector(2), vector(6), vector(6))))
    calls = [probed(vector(2)), vector(2), probed(vector(6)), vector(6), probed(vector(6))]

    kept = {
        reached: hidden_case(
            report_of(*calls[:reached], status=Status.TIMED_OUT, detail="after 4 s"),
            made=(report_of(*entries), expected, expected),
            **asked,
        )
        for reached in (1, 2, 5)
    }

    assert kept[1] is None
    assert (kept[2]["name"], kept[2]["feedback"]["summary"]) == ("secret", "after 4 s")
    assert (kept[5]["actual"], kept[5]["feedback"]["summary"]) == (shown(6), "after 4 s")


def probed(value):
    return {"output": value, "parameters": ("x",)}


def test_targets_are_never_kept_nor_what_is_near_to_them():
    training = {"training": {"metric": "mse", "at_most": 0.1, "at_least": None, "steps": None, "seed": 0}}
    entries = [[{"name": "one", "args": [vector(1)], "targets": vector(8)}]] * 3
    predicted = [report_of(*[probed(vector(near))] * 3) for near in (8, 1)]

    kept = hidden_case(report_of(*[probed(vector(1))] * 3), made=(report_of(*entries), *predicted), **training)

    assert kept["expected"] == MEASURED
    assert "8" not in str(kept).replace("float32", "")


@pytest.mark.parametrize("large", ["x" * 20_000, ["x" * 10_000] * 2])
def test_large_output_is_left_out(large):
    kept = hidden_case(report_of(*RIGHT[:4], large))

    assert "actual" not in kept
    assert kept["expected"] == shown(8, 10)


def test_large_tensor_is_kept_by_its_form():
    large = TensorBytes(dtype="bool", shape=(5000,), data=bytes(5000))

    assert hidden_case(report_of(*RIGHT[:4], large))["actual"] == {"dtype": "bool", "shape": [5000], "values": None}


def test_case_that_is_too_large_to_show_is_not_kept():
    entries = [[{"name": "one", "args": [["x" * 50_000] * 6]}]] * 3

    assert hidden_case(report_of(*[vector(0)] * 3), made=(report_of(*entries), REFERENCE, MISTAKE)) is None
