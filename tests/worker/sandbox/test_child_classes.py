"""A student's class as the entry: built with `init`, given `state`, then called."""

import pytest

from tests.worker.sandbox.driving import WarmChild, floats
from worker.sandbox.job import Call

X = floats(1, 2, 3, 4, shape=(2, 2))


def test_class_is_built_with_init_and_gets_state(child: WarmChild):
    source = """
import torch
class Net(torch.nn.Module):
    def __init__(self, width, *, bias):
        super().__init__()
        self.linear = torch.nn.Linear(width, 1, bias=bias)
    def forward(self, x):
        return self.linear(x)
"""
    call = Call(
        name="a",
        visible=True,
        args=(X,),
        init={"args": [2], "kwargs": {"bias": False}},
        state={"linear.weight": floats(1, 10, shape=(1, 2))},
    )

    assert child.calls(source, call, entry="Net").value == floats(21, 43, shape=(2, 1))


def test_class_without_init_is_built_without_arguments(child: WarmChild):
    source = "class Twice:\n    def __call__(self, x):\n        return 2 * x\n"

    assert child.call(source, 4, entry="Twice").value == 8


@pytest.mark.parametrize(
    ("source", "type_", "words"),
    [
        (
            "class Net:\n    def __init__(self, a, b): pass\n",
            "TypeError",
            "`Net` can be called with 1 positional argument.",
        ),
        ("class Net:\n    def __init__(self, a): pass\n", "AttributeError", "load_state_dict"),
        ("class Net:\n    def __init__(self, a): 1 / 0\n", "ZeroDivisionError", "division by zero"),
        ("def Net(a): pass\n", "EntryError", "`Net` is no class. Expected: a class of this name."),
    ],
)
def test_class_that_cannot_be_built_is_an_error_of_the_call(child: WarmChild, source, type_, words):
    ran = child.calls(source, Call(name="a", visible=True, init={"args": [1]}, state={"w": X}), entry="Net")

    assert ran.error.type == type_
    assert words in ran.error.message
