"""What is said. Sentences are tested as wholes where they are the product, and by a word where only that matters."""

import json
import math
import re

import numpy as np
import pytest

from graders import feedback
from graders.arrays import Unsupported
from graders.cases import Failure, Raised
from graders.comparisons import Comparison
from graders.outcomes import CaseOutcome, Feedback, Stage, Verdict
from graders.scoring import deciding_case
from graders.tensors import compare
from tests.graders.values import tensor

ONES = np.ones((4, 5))


def said(actual, expected, *, visible=True, **policy):
    return feedback.of_mismatch(compare(actual, expected, Comparison(**policy)), visible=visible)


def changed(*places, by=1.0):
    values = ONES.copy()
    for place in places:
        values[place] += by
    return tensor(values)


@pytest.mark.parametrize(
    ("actual", "expected", "summary"),
    [
        (None, tensor([[1.0]]), "A dense tensor of shape [1, 1] and dtype float32 was expected; None was returned."),
        (
            Unsupported(kind="a sparse tensor"),
            tensor([1.0]),
            "A dense tensor of shape [1] and dtype float32 was expected; a sparse tensor was returned.",
        ),
        (
            tensor([1], origin="numpy"),
            tensor([1]),
            "A dense tensor of shape [1] and dtype float32 was expected; "
            "a numpy array of shape [1] and dtype float32 was returned.",
        ),
        ((1, 2, 3), (1, 2), "A tuple of 2 values was expected; a tuple of 3 values was returned."),
        ([1], 5, "A Python int was expected; a list of 1 value was returned."),
        (
            {"Mean": 1, "<b>": 2},
            {"mean": 1, "var": 2},
            "A dictionary with the names mean, var was expected; the names returned are others.",
        ),
        (5, {"mean": 1}, "A dictionary with the names mean was expected; a Python int was returned."),
        (
            {"\x1b[31m" * 9999: 1, "b": 2},
            tensor([1.0]),
            "A dense tensor of shape [1] and dtype float32 was expected; a dictionary of 2 values was returned.",
        ),
        (
            tensor([[1.0], [1.0]]),
            tensor([1.0, 1.0]),
            "The shape [2] was expected; the shape [2, 1] was returned.",
        ),
        (tensor(1.0), tensor([1.0]), "The shape [1] was expected; the shape [] (a single number) was returned."),
        (tensor([1], "float64"), tensor([1]), "The dtype float32 was expected; float64 was returned."),
        (
            tensor([1.0, math.nan]),
            tensor([1.0, 2.0]),
            "The shape is right; NaN or infinite values are not where they should be: 1 of 2 differ, "
            "first at [1]: NaN instead of 2.",
        ),
        (tensor(math.nan), tensor(0.5), "The result is NaN; it should be 0.5."),
        (tensor(2.83), tensor(0.35), "The result is 2.83 instead of 0.35."),
        (tensor([2.0]), tensor([1.0]), "The shape is right; the value is not, at [0]: 2 instead of 1."),
        (6, 5, "The result is 6 instead of 5."),
        ("x", "y", "The result is “x” instead of “y”."),
        (changed((2, 3)), tensor(ONES), "The shape is right; one of 20 values is not, at [2, 3]: 2 instead of 1."),
        (
            changed((2, 3), (1, 1), by=2.0),
            tensor(ONES),
            "The shape is right; the values are not: 2 of 20 differ, most at [1, 1]: 3 instead of 1.",
        ),
        (
            changed(2),
            tensor(ONES),
            "The shape is right; the values are not: 5 of 20 differ, most at [2, 0]: 2 instead of 1. "
            "Only row 2 differs.",
        ),
        (
            changed((slice(None), 3)),
            tensor(ONES),
            "The shape is right; the values are not: 4 of 20 differ, most at [0, 3]: 2 instead of 1. "
            "Only column 3 differs.",
        ),
        (
            changed(0, 1, 2),
            tensor(ONES),
            "The shape is right; the values are not: 75 % differ, most at [0, 0]: 2 instead of 1.",
        ),
        (
            tensor(ONES + 1),
            tensor(ONES),
            "The shape is right; the values are not: all 20 differ, most at [0, 0]: 2 instead of 1.",
        ),
        (
            tensor([1.0, 1.0]),
            tensor([2.0, 2.0]),
            "The shape is right; the values are not: all 2 differ, most at [0]: 1 instead of 2.",
        ),
        (tensor(1.00002, "float64"), tensor(1.0, "float64"), "The result is 1, off by 2e-05."),
        (2**53 + 1, 2**53, "The result is 9007199254740993 instead of 9007199254740992."),
        (10**40 + 1, 10**40, "The result is about 10^40, off by 1."),
    ],
)
def test_summary_says_what_was_seen(actual, expected, summary):
    assert said(actual, expected).summary == summary


def test_summary_names_one_slice_of_more_axes():
    actual = np.ones((2, 3, 4))
    actual[1, :, 2] = 5

    assert said(tensor(actual), tensor(np.ones((2, 3, 4)))).summary.endswith("All of them lie in [1, :, 2].")


def test_summary_of_almost_all_is_less_than_all():
    actual = np.ones(100_000)
    actual[0] = 0

    assert "99.9 % differ" in said(tensor(actual), tensor(np.zeros(100_000))).summary


def test_summary_of_the_other_sign_of_zero():
    assert said(tensor(-0.0), tensor(0.0), signed_zero=True).summary == "The result is -0 instead of 0."
    assert (
        said(tensor(complex(0, -0.0), "complex64"), tensor(0j, "complex64"), signed_zero=True).summary
        == "The result is 0-0j instead of 0+0j."
    )


def test_summary_names_the_place_in_the_structure_and_how_many_more():
    expected = {"mean": tensor([1.0]), "var": tensor([1.0]), "max": tensor([1.0])}
    found = said({name: tensor([2.0]) for name in expected}, expected)

    assert found.summary.startswith('At `["mean"]`: ')
    assert found.summary.endswith("The same stage fails at 2 further places.")


def test_summary_names_the_dtypes_allowed_beside():
    summary = said(tensor([1], "int8"), tensor([1]), dtypes=("float64", "float16")).summary

    assert summary == "The dtype float32 (or float64, float16) was expected; int8 was returned."


def test_summary_names_the_expected_dtype_once():
    summary = said(tensor([1], "int8"), tensor([1]), dtypes=("float32", "float64")).summary

    assert summary == "The dtype float32 (or float64) was expected; int8 was returned."


@pytest.mark.parametrize(
    ("actual", "expected", "hint"),
    [
        (None, tensor(1.0), "Does every path"),
        (tensor([1.0]), tensor(1.0), "Follow the shape"),
        (tensor([1], "int8"), tensor([1]), "dtype"),
        (tensor([math.nan]), tensor([1.0]), "division by zero"),
        (tensor([1.0]), tensor([math.inf]), "must not be finite"),
        (10**400, math.nan, "must not be finite"),
        (tensor([2.0, 1.0]), tensor([1.0, 1.0]), "the element at [0]"),
        ([1], tensor(1.0), "`return`"),
    ],
)
def test_hint_says_where_to_look(actual, expected, hint):
    assert hint in said(actual, expected).hint


def test_hint_of_a_wrong_scalar_is_empty():
    assert said(2.0, 1.0).hint == ""


def test_agreement_has_no_stage():
    assert said(1, 1) == Feedback(summary="Agrees with what was expected.")


@pytest.mark.parametrize(
    "actual",
    [
        None,
        tensor([[7.125]]),
        tensor([7.125], "float64"),
        tensor([math.nan, 1.0]),
        tensor([7.125, 1.0]),
    ],
)
def test_hidden_case_says_the_stage_and_no_value(actual):
    found = said(actual, tensor([3.625, 1.0]), visible=False)

    assert found.stage in set(Stage)
    assert found.details is None
    assert "hidden case" in found.summary
    assert not re.search(r"\d", found.summary + found.hint)


def test_details_are_json_for_pages():
    found = said(tensor([[1.0, math.nan], [math.inf, 2.0]]), tensor([[1.0, 1.0], [1.0, 1.0]]))

    assert json.loads(json.dumps(found.details, allow_nan=False)) == found.details
    assert found.details["worst"] == {"index": [0, 1], "actual": "NaN", "expected": "1"}
    assert found.details["map"]["cells"] == [[0.0, None], [None, 1.0]]
    assert found.details["expected_shape"] == [2, 2]


def test_details_of_structure_have_no_shape_of_what_has_none():
    details = said(None, tensor([1.0])).details

    assert details["actual_shape"] is None
    assert details["map"] is None
    assert details["worst"] is None


def test_exception_of_a_visible_case_is_shown_cleaned_and_cut():
    found = feedback.of_exception(
        Raised(type="ValueError", message="a\x00b\u202ec\ud800" + "x" * 5000, traceback="line\x1b[31m"), visible=True
    )

    assert found.details["message"].startswith("abc?x")
    assert len(found.details["message"]) <= feedback.MESSAGE_CHARACTERS
    assert found.details["traceback"] == "line[31m"


def test_variable_that_a_script_does_not_set_is_named():
    found = said(Unsupported(kind="no variable named output"), tensor([1.0]))

    assert found.summary == (
        "A dense tensor of shape [1] and dtype float32 was expected; the script leaves no variable named output."
    )
    assert "variables" in found.hint


@pytest.mark.parametrize("name", ["SyntaxError", "IndentationError", "TabError"])
def test_source_that_does_not_compile_is_looked_at_by_its_signs(name):
    found = feedback.of_exception(Raised(type=name, message="invalid syntax", line=1), visible=True)

    assert "bracket" in found.hint


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("NameError", "imported"),
        ("UnboundLocalError", "spelled"),
        ("NotImplementedError", "in the place of the line"),
        ("PermissionError", "may do"),
    ],
)
def test_exception_that_has_nothing_to_do_with_shapes_sends_nobody_to_them(name, word):
    found = feedback.of_exception(Raised(type=name, message="said", line=5), visible=True)

    assert word in found.hint
    assert "shapes" not in found.hint


@pytest.mark.parametrize("name", ["RuntimeError", "TypeError", "AttributeError"])
def test_exception_of_an_operation_is_looked_at_by_shapes_and_types(name):
    assert "shapes and types" in feedback.of_exception(Raised(type=name, message="said", line=5), visible=True).hint


def test_exception_without_a_message_is_its_type():
    assert feedback.of_exception(Raised(type="KeyError"), visible=True).summary == "KeyError"


@pytest.mark.parametrize(
    ("name", "end"),
    [("ValueError", "an exception: ValueError."), ("Secret42", "an exception."), ("print", "exception.")],
)
def test_exception_of_a_hidden_case_says_only_a_builtin_type(name, end):
    found = feedback.of_exception(Raised(type=name, message="inputs: 42", line=3, traceback="42"), visible=False)

    assert found.summary.endswith(end)
    assert "42" not in json.dumps([found.summary, found.hint, found.details])


@pytest.mark.parametrize(
    ("verdict", "stage"),
    [
        (Verdict.TIME_LIMIT, Stage.LIMIT),
        (Verdict.MEMORY_LIMIT, Stage.LIMIT),
        (Verdict.RUNTIME_ERROR, Stage.EXCEPTION),
        (Verdict.INVALID_OUTPUT, Stage.STRUCTURE),
    ],
)
def test_failure_has_the_stage_of_its_verdict(verdict, stage):
    found = feedback.of_failure(Failure(verdict=verdict, detail="Stopped."))

    assert (found.stage, found.summary) == (stage, "Stopped.")
    assert feedback.of_not_reached(found).stage == stage


def make_outcome(name, verdict):
    return CaseOutcome(
        name=name, visible=True, verdict=verdict, points=0, max_points=1, feedback=Feedback(stage="values", summary="!")
    )


def test_submission_says_what_the_deciding_case_says():
    cases = (make_outcome("a", Verdict.ACCEPTED), make_outcome("b", Verdict.WRONG_ANSWER))

    found = feedback.of_submission(cases, deciding_case(cases))

    assert found.summary == "!"
    assert found.details == {"case": "b", "accepted": 1, "cases": 2}


def test_submission_that_is_accepted_says_how_many_cases():
    cases = (make_outcome("a", Verdict.ACCEPTED),)

    assert feedback.of_submission(cases, None).summary == "1 case, all as expected."
