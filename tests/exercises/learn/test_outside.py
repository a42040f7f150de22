"""A case as a program that reproduces it elsewhere."""

import pytest

from exercises.learn.outside import call_of, snippet_of
from exercises.services import store_case_set
from tests.factories import make_case, make_exercise, make_graded, make_outcome

SOURCE = "from __future__ import annotations\n\n\ndef double(x, *, scale=1):\n    return x * 2 * scale\n"


def tensor(values, shape, dtype="float32"):
    return {"dtype": dtype, "shape": shape, "values": values}


def call(source=SOURCE, files=None, **exercise):
    return call_of({"exercise": {"entry": "double", **exercise}, "files": files or {}}, source)


def written(expected, *args, names=("x",), compare=None, source=SOURCE, **kwargs):
    return snippet_of(call(source, compare=compare), {"args": args, "kwargs": kwargs, "expected": expected}, names)


def test_program_runs_and_compares(with_torch):
    third = 0.3333333432674408
    program = written(tensor([[third * 2, "nan", "-inf"]], [1, 3]), tensor([[third, "nan", "-inf"]], [1, 3]), scale=1)

    passed = with_torch.run(program.replace("expected)", "expected, equal_nan=True)"))
    failed = with_torch.run(program.replace("x * 2", "x * 3").replace("expected)", "expected, equal_nan=True)"))

    assert '[[0.333333343, float("nan"), float("-inf")]]' in program
    assert (passed.returncode, passed.stderr) == (0, "")
    assert "Tensor-likes are not close" in failed.stderr


def test_comparison_is_that_of_the_exercise():
    compare = {"rtol": 0.001, "atol": 0.0, "equal_nan": True, "dtypes": "kind"}
    one = tensor([1.0], [1])

    told = written(one, one, compare=compare).splitlines()[-1]

    assert told == (
        "torch.testing.assert_close(actual, expected, rtol=0.001, atol=0.0, equal_nan=True, check_dtype=False)"
    )


@pytest.mark.parametrize("expected", ["text", None, ["a", 1], {"a": None}])
def test_what_is_no_number_is_compared_as_it_is(expected):
    assert written(expected, 1).splitlines()[-1] == "assert actual == expected"


def test_values_of_every_kind_are_written():
    inputs = [tensor([[1, 2], [3, 4]], [2, 2], "int64"), {"a": [True, 0.5]}, tensor(["(1+2j)"], [1], "complex64")]

    program = written(3, *inputs, names=("x", "#2", "torch"), double=1)

    assert "x = torch.tensor([[1, 2],\n                  [3, 4]], dtype=torch.int64)" in program
    assert "argument_2 = {'a': [True, 0.5]}" in program
    assert 'torch_ = torch.tensor([complex("(1+2j)")], dtype=torch.complex64)' in program
    assert "double_ = 1" in program
    assert "actual = double(x, argument_2, torch_, double=double_)" in program


def test_long_source_is_left_to_its_author():
    assert written(1, 1, source="x = 1\n" * 10_000).startswith("# Here goes your code.")


def test_values_that_are_too_large_cannot_be_reproduced():
    large = tensor(None, [9000])

    assert written(1, large) == written(1, {"a": [large]}) == written(large, 1) == ""


def test_cases_of_drivers_and_scripts_are_more_than_a_call():
    assert call(files={"driver.py": ""}) is None
    assert call(entry="") is None


def test_page_offers_it_for_visible_cases_alone(client, student, course):
    exercise = make_exercise(course, files={"starter.py": "def double(x): ...\n"}, definition={"entry": "double"})
    store_case_set(exercise.published, blob=b"", visible=[{"name": "one", "args": [2], "kwargs": {}, "expected": 4}])
    outcome = make_outcome(cases=(make_case(name="one"), make_case(name="two", visible=False)))
    submission = make_graded(student, exercise, source=SOURCE, outcome=outcome)

    page = client.get(f"/submissions/{submission.pk}/")

    one, two = page.context["panel"].cases
    assert one.reproduction.startswith(SOURCE.rstrip("\n"))
    assert two.reproduction == ""
    assert page.content.decode().count("Copy as a snippet") == 1


MODULE = """import torch


class Scaled(torch.nn.Module):
    def __init__(self, width, *, scale=1.0):
        super().__init__()
        self.scale = scale
        self.weight = torch.nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return (self.scale * self.weight * x).detach()
"""


def built(**inputs):
    shown = {"args": [tensor([1.0, 2.0], [2])], "kwargs": {}, "expected": tensor([3.0, 8.0], [2]), **inputs}
    exercise = {"exercise": {"entry": "Scaled"}, "files": {}}
    return snippet_of(call_of(exercise, MODULE), shown, ("x",))


def test_object_of_a_class_is_built_and_loaded(with_torch):
    state = {"weight": tensor([1.5, 2.0], [2])}
    program = built(init={"args": [2], "kwargs": {"scale": 2.0}}, state=state)

    passed = with_torch.run(program)

    assert "built = Scaled(2, scale=2.0)" in program
    assert "actual = built(x)" in program
    assert (passed.returncode, passed.stderr) == (0, "")


def test_class_without_more_is_built_without_arguments():
    assert "built = Scaled()\nactual = built(x)" in built()


def test_state_too_large_to_be_shown_makes_no_program():
    assert built(state={"weight": tensor(None, [5000])}) == ""
