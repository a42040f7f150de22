"""For a mutant that survives, a case is offered which tells it from the reference when it is pasted in."""

import textwrap

import numpy as np
import pytest

from graders.arrays import Array
from tests.worker.sandbox.graded import exercise_folder
from worker.checking.candidates import MOST_ELEMENTS, candidate_calls
from worker.checking.exercise import check_read_exercise
from worker.checking.literals import case_code, literal
from worker.sandbox.job import Call, TensorBytes
from worker.values import border_value, graders_value

FIELDS = """\
entry: clipped
explanation: Values above one become one.
hints: ["Which function keeps the smaller of two?"]
"""
REFERENCE = """\
def clipped(x, y):
    return x.clamp(max=1.0) * y.sum(dim=-1, keepdim=True)
"""
CASES = """\
import torch


def visible():
    return [{{"name": "two rows", "args": [torch.tensor([[0.5, -1.0], [0.2, 0.1]]), torch.ones(2, 2)]}}{offered}]


def hidden(generator):
    x = torch.rand(3, 2, generator=generator)
    return [{{"name": "three rows", "args": [x, torch.rand(3, 4, generator=generator)]}}]
"""


def tensor(values, dtype="float32"):
    return border_value(Array(dtype=dtype, values=np.array(values, dtype=dtype)))


def checked(folder, runner, offered=""):
    read = exercise_folder(folder, FIELDS, reference=REFERENCE, cases=CASES.format(offered=offered))
    return check_read_exercise(read, runner, required_score=0.9, tell=lambda doing: None)


@pytest.mark.sandbox
def test_offered_case_tells_the_mutant_apart(tmp_path, runner):
    weak = checked(tmp_path / "weak", runner)

    survivor = next(mutant for mutant in weak.mutation.mutants if mutant.operator == "clamp dropped")
    assert survivor.fate == "survived"
    assert survivor.offer.seen.startswith("The shape is right")

    better = checked(tmp_path / "better", runner, ", " + survivor.offer.code.removesuffix(","))
    again = next(mutant for mutant in better.mutation.mutants if mutant.operator == "clamp dropped")
    assert again.fate == "killed"
    assert better.mutation.score > weak.mutation.score


def test_sizes_that_are_always_the_same_stay_the_same():
    calls = [
        Call(name="a", visible=True, args=(tensor(np.ones((2, 3))), tensor(np.ones((3, 4)))), kwargs={}),
        Call(name="b", visible=True, args=(tensor(np.ones((5, 4))), tensor(np.ones((4, 4)))), kwargs={}),
    ]

    shapes = [tuple(argument.shape for argument in call.args) for call in candidate_calls(calls)]

    assert all(left[1] == right[0] for left, right in shapes)
    assert len({left[0] for left, _ in shapes}) > 2
    assert any(left[0] == left[1] == right[1] for left, right in shapes)


def test_values_of_each_kind_stay_of_their_kind():
    mask = tensor([[True, False]], dtype="bool")
    call = Call(name="a", visible=False, args=(tensor([3, 9], dtype="int64"), [mask], 7), kwargs={"text": "x"})

    for candidate in candidate_calls([call]):
        numbers, (turned,), seven = candidate.args
        assert numbers.dtype == "int64"
        assert np.isin(graders_value(numbers).values, range(3, 10)).all()
        assert (turned.dtype, seven, candidate.kwargs) == ("bool", 7, {"text": "x"})
        assert candidate.visible


def test_what_is_built_beforehand_fixes_sizes():
    state = {"weight": tensor(np.ones((2, 3)))}
    call = Call(name="a", visible=True, args=(tensor(np.ones((4, 3))),), init={"args": [3, 2]}, state=state)

    assert {candidate.args[0].shape for candidate in candidate_calls([call])} == {(4, 3)}


def test_candidates_can_be_pasted():
    assert candidate_calls([Call(name="a", visible=True, args=(tensor(np.ones((40, 40))),), init={"args": []})]) == []
    calls = [Call(name="a", visible=True, args=(tensor(np.ones((2, 2, 2, 2, 2))),))]
    assert all(np.prod(call.args[0].shape) <= MOST_ELEMENTS for call in candidate_calls(calls))
    assert candidate_calls([Call(name="a", visible=True, args=(3,))]) == []


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (tensor([[0.1, -2.0]]), "torch.tensor([[0.1, -2.0]])"),
        (tensor([1, 2], dtype="int64"), "torch.tensor([1, 2])"),
        (tensor([True], dtype="bool"), "torch.tensor([True])"),
        (tensor([0.1], dtype="float16"), "torch.tensor([0.1], dtype=torch.float16)"),
        (tensor(2.5, dtype="float64"), "torch.tensor(2.5, dtype=torch.float64)"),
        (tensor(np.ones((0, 2))), "torch.zeros([0, 2], dtype=torch.float32)"),
        (tensor([float("inf"), float("nan")]), 'torch.tensor([float("inf"), float("nan")])'),
        (TensorBytes(dtype="int64", shape=(1,), data=b"\1" + 7 * b"\0", origin="numpy"), "torch.tensor([1]).numpy()"),
        ({"a": [1, (2.5,)]}, '{"a": [1, (2.5,)]}'),
        ("it's", '"it\'s"'),
        (float("-inf"), 'float("-inf")'),
        (None, "None"),
    ],
)
def test_literal(value, code):
    assert literal(value) == code


def test_case_is_an_item_of_a_list():
    call = Call(name="ties", visible=True, args=(tensor([1.0]), 2), kwargs={"mask": None}, init={"args": [4]})

    assert case_code(call) == textwrap.dedent(
        """\
        {
            "name": "ties",
            "args": [
                torch.tensor([1.0]),
                2,
            ],
            "kwargs": {"mask": None},
            "init": {"args": [4]},
        },"""
    )
