"""What counts as a change of torch's, and what does not: on made observations, without torch."""

import base64
import copy
import struct

import pytest

from graders.comparisons import Comparison
from tests.upgrade.comparing import compared
from worker.sandbox.job import TensorBytes
from worker.sandbox.wire import dump_value

NAME = "course/exercise"


def packed(*numbers):
    tensor = TensorBytes(dtype="float32", shape=(len(numbers),), data=struct.pack(f"<{len(numbers)}f", *numbers))
    return base64.b64encode(dump_value(tensor)).decode()


def observation():
    exercise = {
        "inputs": ["a"],
        "values": [packed(1.0, 2.0)],
        "reference": "accepted",
        "mistakes": {"transposed": ["wrong_answer", "transposed"]},
    }
    return {
        "exercises": {NAME: exercise},
        "lessons": {"course/lesson": {"findings": [], "printed": {"key": ["print(x)", "0.5000\n", ""]}}},
        "corpus": {"R01 loop.py": "time_limit"},
        "denied": {"clone3: ENOSYS": 4},
    }


def changes(change, *, comparison=None, **options):
    """What is said once `change` was made to what the other torch gave: pairs of what and whether it matters."""
    after = copy.deepcopy(observation())
    change(after)
    found = compared(observation(), after, comparisons={NAME: comparison or Comparison()}, **options)
    assert found.failed == sum(difference.matters for difference in found.differences)
    return [(difference.what, difference.matters) for difference in found.differences]


def of_exercise(**fields):
    return lambda after: after["exercises"][NAME].update(fields)


def test_same_observations_differ_in_nothing():
    found = compared(observation(), observation(), comparisons={NAME: Comparison()})

    assert (found.differences, found.failed, found.count) == ((), 0, 6)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (of_exercise(values=[packed(1.0000001, 2.0)]), [("output", False)]),
        (of_exercise(values=[packed(1.01, 2.0)]), [("output", True)]),
        (of_exercise(values=[packed(1.0, 2.0, 3.0)]), [("output", True)]),
        (of_exercise(values=[None]), [("output", True)]),
        (of_exercise(reference="wrong_answer"), [("reference", True)]),
        (of_exercise(mistakes={"transposed": ["accepted", ""]}), [("mistake", True)]),
        (of_exercise(mistakes={"transposed": ["wrong_answer", "scaled"]}), [("mistake", True)]),
        (of_exercise(inputs=["b"]), [("inputs", False)]),
        (of_exercise(error="cases.py raised TypeError"), [("exercise", True)]),
        (lambda after: after["exercises"].clear(), [("exercise", True)]),
        (lambda after: after["corpus"].update({"R01 loop.py": "accepted"}), [("submission", True)]),
        (lambda after: after["denied"].update({"membarrier: EPERM": 1}), [("denied call", True)]),
        (lambda after: after["denied"].clear(), []),
        (lambda after: after["lessons"]["course/lesson"]["findings"].append("line 3: fails"), [("lesson", True)]),
    ],
)
def test_change_is_found_and_weighed(change, expected):
    assert changes(change) == expected


def test_tolerance_is_the_exercises_own():
    def change(after):
        after["exercises"][NAME]["values"] = [packed(1.01, 2.0)]

    assert changes(change, comparison=Comparison(rtol=0.1, atol=0.0)) == [("output", False)]


@pytest.mark.parametrize(("printed", "matters"), [("0.50000\n", False), ("0.7000\n", True)])
def test_printed_numbers_have_a_tolerance(printed, matters):
    def change(after):
        after["lessons"]["course/lesson"]["printed"]["key"][1] = printed

    assert changes(change) == [("lesson", matters)]


def test_denied_call_that_was_looked_at_is_accepted():
    def change(after):
        after["denied"]["membarrier: EPERM"] = 1

    assert changes(change, accepted=["membarrier"]) == [("denied call", False)]
