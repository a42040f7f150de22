"""What is asked beside values, and what is read of the answers, which a run may have forged."""

import pytest

from graders.arrays import Unsupported as GradersUnsupported
from tests.worker.stub_runner import vector
from worker.demands import Actual, actual_of, forbidden_in, reference_probes, solution_probes
from worker.sandbox.job import Call, CallResult, Forbidden, Probes, StudentError, Unsupported
from worker.values import border_value, graders_value

PROBED = Call(name="a", visible=True, args=(vector(1),), kwargs={"k": 1}, probes=Probes(inputs=True))
RAISED = {"type": "ValueError", "message": "no", "traceback": "", "line": 3}


def read(value, call=PROBED):
    return actual_of(CallResult(index=0, value=value), call)


@pytest.mark.parametrize(
    ("exercise", "probes"),
    [
        ({}, None),
        ({"gradients": [], "inputs_unchanged": False, "properties": [], "forbid": {}, "training": None}, None),
        ({"inputs_unchanged": True}, Probes(inputs=True, seed=4, parameters=True)),
        ({"gradients": ["x"]}, Probes(gradients=("x",), seed=4, parameters=True)),
        ({"properties": [{"property": "odd(x)", "points": 1}]}, Probes(seed=4, parameters=True)),
        ({"forbid": {"operators": ["mm"]}}, Probes(operators=True, seed=4, parameters=True)),
        ({"training": {"steps": 5, "seed": 0}}, Probes(steps=True, reseed=0, seed=4, parameters=True)),
        ({"training": {"steps": None, "seed": 3}}, Probes(reseed=3, seed=4, parameters=True)),
    ],
)
def test_the_reference_is_asked_for_what_the_exercise_demands(exercise, probes):
    assert reference_probes(exercise, 4) == probes


def test_arguments_are_found_by_their_position_in_the_reference():
    asked = Probes(gradients=("x", "k", "layer.weight"), parameters=True, operators=True, seed=2)

    probes = solution_probes(asked, PROBED, ["x", "k"])

    assert probes == Probes(gradients=(0, "k", "layer.weight"), operators=True, seed=2)


@pytest.mark.parametrize(
    ("forbid", "found"),
    [
        (None, None),
        ({"names": [], "operators": ["mm"], "loops": False}, None),
        ({"names": ["exp"], "operators": [], "loops": False}, Forbidden(names=("exp",))),
        ({"loops": True}, Forbidden(loops=True)),
    ],
)
def test_text_is_surveyed_for_names_and_loops_alone(forbid, found):
    assert forbidden_in({"forbid": forbid}) == found


def test_call_without_probes_gives_its_value():
    call = Call(name="a", visible=True)

    assert read({"output": 1}, call) == Actual(value={"output": 1})
    assert actual_of(CallResult(index=0, error=StudentError(type="E", message="m")), PROBED).error.type == "E"


def test_parts_of_a_probed_call_are_read():
    parts = {
        "output": vector(2),
        "inputs": ((vector(1),), {"k": 1}),
        "gradients": (vector(3), None),
        "parameters": ("x",),
        "operators": ("aten::mm",),
        "steps": 7,
    }

    assert read(parts) == Actual(
        value=vector(2),
        after=((vector(1),), {"k": 1}),
        gradients=(vector(3), None),
        parameters=("x",),
        operators=("aten::mm",),
        steps=7,
    )


def test_exception_on_the_way_to_gradients_is_read():
    found = read({"output": 1, "gradients": {"raised": RAISED}}).gradients

    assert found == StudentError(type="ValueError", message="no", line=3)


@pytest.mark.parametrize(
    "parts",
    [
        {"inputs": 3, "gradients": "text", "parameters": [1], "operators": {"a": 1}, "steps": "many"},
        {"inputs": ((), []), "gradients": {"raised": {}}},
        {"inputs": (1, 2, 3), "gradients": {"raised": None}},
        {"inputs": None, "gradients": {}},
    ],
)
def test_forged_parts_are_as_if_they_were_missing(parts):
    assert read({"output": 1, **parts}) == Actual(value=1)


@pytest.mark.parametrize("value", [None, 3, [], {}, {"inputs": ((), {})}])
def test_forged_result_is_no_value(value):
    assert read(value) == Actual(value=Unsupported(kind="no result"))


def test_result_over_a_cap_keeps_its_words():
    assert read(Unsupported(kind="too large")) == Actual(value=Unsupported(kind="too large"))


def test_values_survive_the_way_to_the_graders_and_back():
    value = {"a": [vector(1, 2), (3, "text", None, True, 2.5, 1j)], "b": Unsupported(kind="a set")}

    assert border_value(graders_value(value)) == value
    assert border_value(GradersUnsupported(kind="a set")) == Unsupported(kind="a set")
