"""What an author's cases may be, and how a fault is named."""

import pytest

from worker.sandbox.casefiles import CaseError, checked_cases
from worker.sandbox.job import Unsupported

FILLED = {"name": "a", "args": (), "kwargs": {}, "points": 1, "init": None, "state": None}


@pytest.mark.parametrize(
    "given", [{}, {"targets": [1, 2]}, {"init": {"args": [3]}, "points": 2.5, "kwargs": {"x": {"y": (1,)}}}]
)
def test_case_is_filled_up_and_keeps_what_it_has(given):
    assert checked_cases([{"name": "a", **given}], "visible") == [{**FILLED, **given}]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (Unsupported(kind="a set"), "visible returned a set; expected a list"),
        ("text", "visible returned str; expected a list"),
        ([3], r"visible\[0\] is no dictionary"),
        ([{}], r"visible\[0\] has no name"),
        ([{"name": "a", "size": 1}], r"visible\[0\] has the unknown field 'size'"),
        ([{"name": "a", "init": {"targets": 1}}], r"visible\[0\].init has the unknown field 'targets'"),
        ([{"name": "a", "points": True}], r"visible\[0\].points must be a number"),
        ([{"name": "a", "points": float("nan")}], r"visible\[0\].points must be a number from 0"),
        ([{"name": "a", "args": [{"x": [Unsupported(kind="a set")]}]}], r"visible\[0\].args\[0\].x\[0\] is a set"),
    ],
)
def test_fault_is_named_by_its_place(given, words):
    with pytest.raises(CaseError, match=words):
        checked_cases(given, "visible")
