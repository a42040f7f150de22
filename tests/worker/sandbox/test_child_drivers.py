"""A child whose calls are made by an author's driver, seeded, counted, or fed with the output of the call before."""

import stat

import pytest

from tests.worker.sandbox.driving import WarmChild, floats
from worker.sandbox.job import Call, CallProgram, Probes
from worker.sandbox.surroundings import put_files

X = floats(1, 2)
ENTRY = "class f:\n    def __init__(self, start):\n        self.start = start\n"
DRIVER = "def drive(entry, case):\n    return [entry(*case['init']['args']).start, sorted(case), case['state']]\n"
STEPPING = """
import torch
def f(n):
    weight = torch.nn.Parameter(torch.ones(1))
    optimiser = torch.optim.SGD([weight], lr=0.1)
    for _ in range(n):
        weight.grad = torch.ones(1)
        optimiser.step()
    return n
"""


def driven(child, driver, *calls, source=ENTRY):
    return child.run(CallProgram(source=source, entry="f", calls=calls, driver=driver))


def call(*args, **fields):
    return Call(name="a", visible=True, args=args, **fields)


def test_driver_is_given_the_entry_and_the_case(child: WarmChild):
    ran = driven(child, DRIVER, call(1, init={"args": [7]}, state={"a": X}))

    assert ran.value == [7, ["args", "init", "kwargs", "state"], {"a": X}]


def test_probes_see_the_case_of_a_driver(child: WarmChild):
    driver = "def drive(entry, case):\n    case['args'][0].zero_()\n    case['kwargs']['y'] = 3\n    return 0\n"

    ran = driven(child, driver, call(X, probes=Probes(inputs=True)))

    assert ran.value == {"output": 0, "inputs": ((floats(0, 0),), {"y": 3})}


@pytest.mark.parametrize(
    ("driver", "kind"),
    [
        ("def drive(", "SyntaxError"),
        ("1 / 0", "ZeroDivisionError"),
        ("x = 1", "EntryError"),
        ("drive = 1", "EntryError"),
    ],
)
def test_driver_that_cannot_be_had_is_a_load_error(child: WarmChild, driver, kind):
    assert driven(child, driver, call()).load_error.type == kind


def test_exception_within_a_driver_shows_no_line_of_it(child: WarmChild):
    error = driven(child, "def drive(entry, case):\n    return entry(1).secret\n", call()).error

    assert error.type == "AttributeError"
    assert "drive" not in error.traceback
    assert error.line is None


def test_submission_cannot_take_the_place_of_its_driver(child: WarmChild):
    source = f"{ENTRY}import driver\ndriver.drive = lambda entry, case: 'mine'\n"

    assert driven(child, DRIVER, call(init={"args": [7]}), source=source).value[0] == 7


@pytest.mark.parametrize(("place", "value"), [(0, 4), ("x", 4)])
def test_output_of_the_call_before_is_given_back(child: WarmChild, place, value):
    given = {"kwargs": {"x": 1}} if place == "x" else {"args": (1, 9)}
    source = "def f(x, y=0):\n    return x * 2\n"
    calls = [Call(name=str(number), visible=True, fed=place if number else None, **given) for number in range(2)]

    ran = child.calls(source, *calls)

    assert [result.value for result in ran.results.values()] == [2, value]


def test_output_of_a_probed_call_is_given_back(child: WarmChild):
    first, second = call(1, probes=Probes(inputs=True)), call(1, fed=0)

    ran = child.calls("def f(x):\n    return x * 2\n", first, second)

    assert ran.results[1].value == 4


@pytest.mark.parametrize("first", ["1 / 0", "return (i for i in ())"])
def test_output_that_is_none_is_given_back_as_none(child: WarmChild, first):
    source = f"def f(x):\n    if x == 1: {first}\n    return x is None\n"

    assert child.calls(source, call(1), call(1, fed=0)).results[1].value is True


def test_steps_of_optimisers_are_counted_call_by_call(child: WarmChild):
    calls = [call(n, probes=Probes(steps=True)) for n in (3, 0, 2)]

    ran = child.calls(STEPPING, *calls, call(1))

    assert [ran.results[place].value["steps"] for place in range(3)] == [3, 0, 2]
    assert ran.results[3].value == 1


def test_each_call_starts_from_its_seed(child: WarmChild):
    source = "import random, numpy, torch\ndef f():\n    return [random.random(), numpy.random.rand(), torch.rand(1)]\n"
    calls = [call(probes=Probes(reseed=seed)) for seed in (5, 5, 6)]

    values = [result.value["output"] for result in child.calls(source, *calls).results.values()]

    assert values[0] == values[1]
    assert values[0] != values[2]


def test_files_are_put_in_place_for_reading(tmp_path):
    files = {"data/a.bin": b"\x00\xff", "data/deep/b.txt": b"text"}

    put_files(files, tmp_path)

    for path, content in files.items():
        assert (tmp_path / path).read_bytes() == content
        assert stat.S_IMODE((tmp_path / path).stat().st_mode) & 0o222 == 0
    with pytest.raises(FileExistsError):
        put_files(files, tmp_path)
