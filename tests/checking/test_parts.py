"""The parts of the checks that need no sandbox: noise, straw men, scores, words."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from graders.arrays import Array
from graders.cases import Case, Inputs, Key
from graders.comparisons import Comparison
from tests.worker.stub_runner import StubRunner, report_of
from worker.cases import CasesError
from worker.checking.drawing import Material
from worker.checking.drawn_cases import are_judgements
from worker.checking.findings import (
    Check,
    CourseReport,
    ExerciseReport,
    Finding,
    Mutant,
    MutationScore,
    Offer,
)
from worker.checking.mutation import score_mutants
from worker.checking.noise import largest_share
from worker.checking.report import course_lines, exercise_lines
from worker.checking.straw_men import straw_men
from worker.checking.trials import refusing_case
from worker.sandbox.job import RunReport, Status, Unsupported

TENTH = Comparison(rtol=0.0, atol=0.1)


def floats(*numbers, dtype="float32"):
    return Array(dtype=dtype, values=np.array(numbers, dtype=dtype))


def plain(word, text):
    return text


@pytest.mark.parametrize(
    ("actual", "expected", "share"),
    [
        (floats(1.0), floats(1.0), 0.0),
        (floats(1.05, dtype="float64"), floats(1.0), 0.5),
        ([floats(1.0), floats(1.02)], (floats(1.0), floats(1.0)), 0.2),
        ({"a": floats(1.01)}, {"a": floats(1.0)}, 0.1),
        (1.05, 1.0, 0.5),
        (floats(float("nan")), floats(float("nan")), 0.0),
        (floats(1.0, 2.0), floats(1.0), 0.0),
        ("text", floats(1.0), 0.0),
        (floats(2, dtype="int64"), floats(1, dtype="int64"), math.inf),
        (floats(1, dtype="int64"), floats(1, dtype="int64"), 0.0),
        (floats(1.0), floats(1, dtype="int64"), 0.0),
    ],
)
def test_noise_is_a_share_of_the_tolerance(actual, expected, share):
    assert largest_share(actual, expected, comparison=TENTH) == pytest.approx(share, rel=1e-3)


def key_of(*expected, argument=None, comparison=TENTH):
    argument = floats(9.0) if argument is None else argument
    cases = tuple(
        Case(name=f"case {place}", visible=place == 0, index=place, expected=value, inputs=Inputs(args=(argument,)))
        for place, value in enumerate(expected)
    )
    return Key(cases=cases, comparison=comparison)


def values_of(key, name):
    straw = dict(straw_men(key))[name]
    return [straw(case) for case in key.cases]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("all zeros", [[0, 0], [0, 0]]),
        ("all ones", [[1, 1], [1, 1]]),
        ("the constant 1", [[1, 1], [1, 1]]),
        ("truncated", [[1], [3]]),
        ("transposed", [[1, 3], [2, 4]]),
        ("permuted", [[3, 4], [1, 2]]),
        ("in half precision", [[1, 2], [3, 4]]),
        ("argument 1 as it came", [9]),
        ("the first expected output for every input", [[1, 2], [3, 4]]),
    ],
)
def test_straw_man(name, value):
    table = Array(dtype="float32", values=np.array([[1, 2], [3, 4]], dtype="float32"))

    made = values_of(key_of(table, table), name)

    assert all(array.values.tolist() == value for array in made)


def test_straw_men_of_a_number_beyond_all_floats():
    whole = Array(dtype="int64", values=np.array([1, 2]))
    key = key_of(10**400, whole)

    zeros, constant = (values_of(key, name) for name in ("all zeros", "the constant inf"))

    assert zeros[0] == 0
    assert constant[0] == math.inf
    assert constant[1].values.tolist() == [0, 0]


def test_straw_men_follow_the_structure():
    key = key_of({"mean": [floats(2.0), 3], "name": "x", "flag": True})

    (zeros,) = values_of(key, "all zeros")

    assert zeros["mean"][0].values.tolist() == [0.0]
    assert (zeros["mean"][1], zeros["name"], zeros["flag"]) == (0, "", False)


def test_whole_numbers_have_no_nan():
    assert values_of(key_of(floats(2, dtype="int64")), "all NaN")[0].values.tolist() == [0]


def test_half_precision_is_no_straw_man_where_it_is_asked_for():
    comparison = Comparison(rtol=0.01, atol=0.0, dtypes=("float16",))

    assert "in half precision" not in dict(straw_men(key_of(floats(1.0), comparison=comparison)))
    assert "a numpy array" not in dict(
        straw_men(key_of(floats(1.0), comparison=Comparison(allow=frozenset({"numpy"}))))
    )


@pytest.mark.parametrize(
    ("values", "are"),
    [
        ([True, True], True),
        ([Array(dtype="bool", values=np.array(True)), True], True),
        (["Correct", "correct"], True),
        ([True, False], False),
        (["causal", "causal"], False),
        ([floats(1.0)], False),
        ([None], False),
    ],
)
def test_judgement_is_the_same_for_every_case(values, are):
    assert are_judgements(values) is are


def test_what_was_not_reached_is_refused():
    assert refusing_case(key_of(floats(1.0)), [None]) == "case 0"


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (report_of(Unsupported(kind="too large to be returned")), "expected a list of them, found too large to be ret"),
        (report_of("many"), "expected a list of them, found str"),
        (RunReport(status=Status.TIMED_OUT, detail="It took 20 s."), r"It took 20 s\."),
    ],
)
def test_what_is_no_list_of_mutants_is_told_to_the_author(report, reason):
    folder = SimpleNamespace(definition={"files": {"reference.py": "y = x", "starter.py": ""}})
    material = Material(folder=folder, runner=StubRunner(report), groups=(), drawn=())

    with pytest.raises(CasesError, match=f"^reference.py: no mutants can be made: {reason}"):
        score_mutants(material, 0.9, lambda tried, whole: None)


MUTANT = {
    "operator": "clamp dropped",
    "line": 2,
    "change": "return x.clamp() → return x",
    "diff": "@@ -1 +1 @@\n-a\n+b",
}


def score_of(*fates, required=0.9):
    mutants = tuple(Mutant(**MUTANT, fate=fate) for fate in fates)
    return MutationScore(mutants=mutants, required=required, seconds=1.0)


def test_broken_and_equivalent_mutants_do_not_count():
    assert score_of("killed", "killed", "survived", "broken", "equivalent").score == pytest.approx(2 / 3)
    assert score_of().score == 1.0


def test_remark_does_not_stand_against_publishing():
    remark = Finding(check=Check.TEXTS, message="there is no hint", is_remark=True)
    problem = Finding(check=Check.CASES, message="wrong", file="cases.py", line=3)

    assert ExerciseReport(slug="a", findings=(remark,)).is_sound
    assert not ExerciseReport(slug="a", findings=(remark, problem)).is_sound
    assert str(problem) == "cases.py, line 3: wrong"


def test_report_offers_what_to_paste():
    offer = Offer(code='{\n    "name": "ties",\n},', seen="all differ")
    mutants = (Mutant(**MUTANT, fate="survived", offer=offer), Mutant(**MUTANT, fate="survived"))
    mutation = MutationScore(mutants=mutants, required=0.9, seconds=1.0)
    report = ExerciseReport(slug="a", kind="code", done=(Check.MUTANTS,), mutation=mutation)

    text = "\n".join(exercise_lines(report, plain))

    assert "score 0.00 of 0.9: 2 survived" in text
    assert 'This case tells it apart (all differ):\n      {\n          "name": "ties",\n      },' in text
    assert "          - change: 'return x.clamp() → return x'" in text


def test_report_on_a_course_says_what_is_unsound():
    problem = Finding(check=Check.SCHEMA, message="unknown field", file="exercise.yaml")
    exercise = ExerciseReport(slug="weak", findings=(problem,))

    unsound = list(course_lines(CourseReport(slug="c", exercises=(exercise,), findings=(problem,)), plain))
    sound = list(course_lines(CourseReport(slug="c", facts={"lessons": "2"}), plain))

    assert unsound[-1] == "The course may not be published yet: its files or lessons, weak (0 s)."
    assert sound[-1] == "The course may be published (0 exercises, 0 s)."
    assert "  lessons: 2" in sound


def test_report_as_json_says_the_level():
    remark = Finding(check=Check.TEXTS, message="there is no hint", is_remark=True)
    report = ExerciseReport(slug="a", findings=(remark,), mutation=score_of("killed"))

    plain_report = report.to_json()

    assert plain_report["sound"] is True
    assert plain_report["findings"][0]["level"] == "remark"
    assert plain_report["mutation"]["score"] == 1.0
    assert CourseReport(slug="c", exercises=(report,)).to_json()["exercises"] == [plain_report]
