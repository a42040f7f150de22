from dataclasses import replace
from decimal import Decimal

import pytest

from exercises.draws import draw_seeds
from tests.worker.stub_runner import DEFINITION, LISTED, MISTAKE, REFERENCE, SCRIPT, StubRunner, report_of, vector
from worker.cases import CasesError, MistakeOutput, make_cases, shown_cases, shown_hidden_cases
from worker.sandbox.job import CallResult, RunReport, Status, StudentError, Unsupported

BOOM = StudentError(type="ValueError", message="boom", traceback="line 3")


def made(*script, definition=DEFINITION):
    return make_cases(definition, (1, 2), StubRunner(*script))


def test_cases_hold_inputs_expected_outputs_and_mistakes():
    runner = StubRunner(LISTED, REFERENCE, MISTAKE)

    cases = make_cases(DEFINITION, (1, 2), runner)

    assert [(case.name, case.visible, case.index, case.draw) for case in cases] == [
        ("one", True, 0, 0),
        ("drawn", False, 0, 0),
        ("drawn", False, 0, 1),
    ]
    assert [case.points for case in cases] == [Decimal(1), Decimal(2), Decimal(2)]
    assert [case.expected for case in cases] == [vector(2), vector(4), vector(6)]
    assert cases[2].mistakes == {"same": MistakeOutput(value=vector(3))}
    assert runner.jobs[0].program.seeds == (1, 2)
    assert [job.program.source for job in runner.jobs[1:]] == ["reference", "same"]


def test_script_has_a_case_for_each_variable_and_for_its_text():
    report = report_of({"total": 3}, stdout="3\n")

    cases = made(report, definition=SCRIPT)

    assert [(case.name, case.expected) for case in cases] == [("total", 3), ("printed text", "3\n")]
    assert shown_cases(cases) == []


def test_mistake_that_raises_is_told_by_its_exception():
    raising = RunReport(status=Status.FINISHED, results=(CallResult(index=0, error=BOOM),))

    cases = made(LISTED, REFERENCE, replace(raising, status=Status.TIMED_OUT, detail="too slow"))

    assert cases[0].mistakes["same"] == MistakeOutput(error_type="ValueError", error_message="boom")
    assert cases[1].mistakes["same"] == MistakeOutput(error_type="timed_out", error_message="too slow")


def test_mistake_that_does_not_load_is_told_by_that():
    cases = made(LISTED, REFERENCE, RunReport(status=Status.FINISHED, load_error=BOOM))

    assert cases[0].mistakes["same"].error_type == "ValueError"


def listing(*cases):
    return report_of(list(cases), [], [])


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ([RunReport(status=Status.FINISHED, load_error=BOOM)], "cases.py: ValueError: boom"),
        ([RunReport(status=Status.TIMED_OUT, detail="after 20 s")], "cases.py did not end well: after 20 s"),
        ([RunReport(status=Status.FINISHED, results=(CallResult(index=0, error=BOOM),))], "cases.py raised ValueError"),
        ([report_of([], [], [])], "return no case"),
        ([report_of(7, [], [])], r"visible\(\) returns a list of cases, not int"),
        ([report_of([], Unsupported(kind="a generator"), [])], r"hidden\(\) returns a list of cases, not a generator"),
        ([listing(7)], r"case 0 of visible\(\) is a dict with name and args, not int"),
        ([listing({"argument": []})], "unknown field 'argument'"),
        ([listing({"args": 7})], "args is a list, not int"),
        ([listing({"kwargs": 7})], "kwargs is a dict, not int"),
        ([listing({"name": 7})], "name is text, not int"),
        ([listing({"state": 7})], "state is a dict, not int"),
        ([listing({"points": "many"})], "points is a number, not str"),
        ([listing({"points": -1})], "points is a number of at least 0, not -1"),
        ([listing({"points": True})], "points is a number"),
        ([listing({"points": float("nan")})], "points is a number of at least 0, not nan"),
        ([LISTED, RunReport(status=Status.FINISHED, load_error=BOOM)], "reference.py: ValueError: boom"),
        ([LISTED, RunReport(status=Status.CRASHED, detail="crashed")], "reference.py did not end well: crashed"),
        ([LISTED, report_of(vector(2))], "reference.py gave no output for 'drawn'"),
        (
            [LISTED, RunReport(status=Status.FINISHED, results=(CallResult(index=0, error=BOOM),))],
            "reference.py raised ValueError for 'one': boom",
        ),
        ([LISTED, report_of(Unsupported(kind="a module"))], "reference.py gave a module for 'one'"),
    ],
)
def test_faults_of_the_author_are_named(script, message):
    with pytest.raises(CasesError, match=message):
        made(*script)


def test_variable_that_the_reference_does_not_set_is_named():
    with pytest.raises(CasesError, match="no variable named total"):
        made(report_of({}), definition=SCRIPT)


def test_seeds_differ_by_secret_exercise_hash_and_draw():
    seeds = draw_seeds("secret", "course/exercise", "hash", 3)

    assert seeds == draw_seeds("secret", "course/exercise", "hash", 3)
    assert len({*seeds, *draw_seeds("other", "course/exercise", "hash", 3)}) == 6
    assert seeds[0] not in draw_seeds("secret", "course/another", "hash", 3)
    assert seeds[0] not in draw_seeds("secret", "course/exercise", "another", 3)
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_shown_cases_are_the_visible_ones():
    cases = made(LISTED, REFERENCE, MISTAKE)

    assert shown_cases(cases) == [
        {
            "name": "one",
            "args": [{"dtype": "float32", "shape": [1], "values": [1.0]}],
            "kwargs": {},
            "expected": {"dtype": "float32", "shape": [1], "values": [2.0]},
        }
    ]


def test_hidden_cases_are_shown_to_staff_draw_by_draw_as_far_as_they_are_small(monkeypatch):
    cases = made(LISTED, REFERENCE, MISTAKE)
    monkeypatch.setattr("worker.cases.HIDDEN_BYTES", 200)

    first, second = shown_hidden_cases(cases)

    assert (first["name"], first["draw"], first["expected"]["values"]) == ("drawn", 0, [4.0])
    assert second == {"index": 0, "draw": 1, "name": "drawn"}


def test_shown_cases_tell_what_an_object_is_built_and_loaded_with():
    init, state = {"args": [4], "kwargs": {"eps": 1e-6}}, {"weight": vector(1)}
    listed = report_of([{"name": "one", "init": init, "state": state}], [], [])

    assert shown_cases(made(listed, report_of(vector(2)), report_of(vector(3)))) == [
        {
            "name": "one",
            "args": [],
            "kwargs": {},
            "init": init,
            "state": {"weight": {"dtype": "float32", "shape": [1], "values": [1.0]}},
            "expected": {"dtype": "float32", "shape": [1], "values": [2.0]},
        }
    ]
