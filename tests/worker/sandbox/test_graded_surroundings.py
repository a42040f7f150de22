"""Drivers, data, classes with state: from the exercise's folder to the outcome."""

import pytest

from graders.outcomes import Stage, Verdict
from tests.worker.sandbox.graded import exercise_folder, graded
from worker.cases import CasesError, make_cases

pytestmark = pytest.mark.sandbox

COUNTER = """
class Counter:
    def __init__(self, start):
        self.total = start
    def add(self, number):
        self.total += number
"""
DRIVER = """
def drive(entry, case):
    counter = entry(*case["init"]["args"])
    for number in case["args"]:
        counter.add(number)
    return {"total": counter.total, "state": case["state"], "kwargs": case["kwargs"]}
"""
COUNTER_CASES = """
def visible():
    return [{"name": "two", "args": [1, 2], "init": {"args": [10]}, "kwargs": {"a": 1}}]

def hidden(generator):
    return [{"name": "none", "args": [], "init": {"args": [5]}}]
"""
DATA_CASES = """
import json, torch
from pathlib import Path

def visible():
    return [{"name": "a", "args": [json.loads(Path("data/numbers.json").read_text())]}]

def hidden(generator):
    return []
"""
DATA_REFERENCE = """
import numpy as np
import torch
TABLE = torch.from_numpy(np.loadtxt("data/deep/table.csv", delimiter=","))
def look_up(places):
    return TABLE[places]
"""
DATA = {"data/numbers.json": "[1, 0, 1]", "data/deep/table.csv": "1.5,2.5\n3.5,4.5\n"}
NUMPY = b"\x93NUMPY\x01\x00" + bytes(16)
ONE_CASE = """
import torch
def visible():
    return [{"name": "a", "args": [torch.ones(2)]}]
def hidden(generator):
    return []
"""
LAYER = """
import torch
class Scale(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(width))
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))
    def forward(self, x):
        self.calls += 1
        return x * self.weight
"""
STATE_DRIVER = """
def drive(entry, case):
    layer = entry(**case["init"]["kwargs"])
    layer.load_state_dict(case["state"])
    outputs = [layer(x) for x in case["args"]]
    return outputs, layer.state_dict()
"""
STATE_CASES = """
import torch
def visible():
    state = {"weight": torch.tensor([2.0, 3.0]), "calls": torch.tensor(4)}
    return [{"name": "a", "args": [torch.ones(2)] * 2, "init": {"kwargs": {"width": 2}}, "state": state}]
def hidden(generator):
    return []
"""


def test_driver_makes_the_calls(tmp_path, runner):
    folder = exercise_folder(
        tmp_path, "entry: Counter\n", reference=COUNTER, cases=COUNTER_CASES, files={"driver.py": DRIVER}
    )

    right, wrong, raising, lacking = graded(
        folder,
        runner,
        tmp_path,
        COUNTER.replace("number):", "other):").replace("+= number", "+= other"),
        COUNTER.replace("+=", "="),
        COUNTER.replace("+=", "/= 0 *"),
        COUNTER.replace("add", "plus"),
    )

    assert right.verdict is Verdict.ACCEPTED
    assert (wrong.verdict, wrong.feedback.stage) == (Verdict.WRONG_ANSWER, Stage.VALUES)
    assert '`["total"]`' in wrong.feedback.summary
    assert raising.cases[0].feedback.details["line"] == 6
    assert "AttributeError" in lacking.feedback.summary
    assert "driver" not in str(lacking.cases[0].feedback)


def test_driver_sees_arguments_that_must_stay(tmp_path, runner):
    driver = "def drive(entry, case):\n    return entry(case['args'][0]).sum()\n"
    cases = ONE_CASE
    folder = exercise_folder(
        tmp_path,
        "entry: f\ninputs_unchanged: true\n",
        reference="def f(x):\n    return x * 2\n",
        cases=cases,
        files={"driver.py": driver},
    )

    right, wrong = graded(
        folder, runner, tmp_path, "def f(y):\n    return y + y\n", "def f(y):\n    return y.mul_(2)\n"
    )

    assert right.verdict is Verdict.ACCEPTED
    assert wrong.feedback.cause == "mutated_input"


@pytest.mark.parametrize(
    ("driver", "words"),
    [
        ("def drive(:", "SyntaxError"),
        ("import nothing_like_this", "ModuleNotFoundError"),
        ("drive = 3", "driver.py does not define `drive"),
        ("def drive(entry, case):\n    return entry(case['nothing'])\n", "KeyError"),
    ],
)
def test_driver_that_does_not_run_is_refused(tmp_path, runner, driver, words):
    files = {"driver.py": driver}
    folder = exercise_folder(tmp_path, "entry: Counter\n", reference=COUNTER, cases=COUNTER_CASES, files=files)

    with pytest.raises(CasesError, match=words):
        make_cases(folder.definition, (1,), runner)


def test_data_are_files_for_cases_reference_and_student(tmp_path, runner):
    folder = exercise_folder(
        tmp_path, "entry: look_up\n", reference=DATA_REFERENCE, cases=DATA_CASES, files={**DATA, "data/raw.npy": NUMPY}
    )
    writing = DATA_REFERENCE.replace("import torch", "import torch\nopen('data/numbers.json', 'a')")

    right, wrong, refused = graded(
        folder, runner, tmp_path, DATA_REFERENCE, DATA_REFERENCE.replace("[places]", "[0]"), writing
    )

    assert right.verdict is Verdict.ACCEPTED
    assert wrong.verdict is Verdict.INVALID_OUTPUT
    assert "PermissionError" in refused.feedback.summary


def test_script_may_read_data(tmp_path, runner):
    yaml = "format: 1\nkind: script\ntitle: A\nprompt: B\ncollect: [x]\n"
    script = "x = open('data/numbers.json').read()\n"
    files = {"exercise.yaml": yaml, **DATA, "cases.py": None}
    folder = exercise_folder(tmp_path, "", reference=script, cases="", files=files)

    (outcome,) = graded(folder, runner, tmp_path, script)

    assert outcome.verdict is Verdict.ACCEPTED


def test_state_of_a_module_is_an_output(tmp_path, runner):
    folder = exercise_folder(
        tmp_path, "entry: Scale\n", reference=LAYER, cases=STATE_CASES, files={"driver.py": STATE_DRIVER}
    )

    right, uncounted, renamed = graded(
        folder, runner, tmp_path, LAYER, LAYER.replace("+= 1", "+= 0"), LAYER.replace("weight", "scale")
    )

    assert right.verdict is Verdict.ACCEPTED
    assert '`[1]["calls"]`' in uncounted.feedback.summary
    assert renamed.verdict is Verdict.RUNTIME_ERROR


def test_class_is_built_and_loaded_without_a_driver(tmp_path, runner):
    cases = STATE_CASES.replace("* 2", "")
    folder = exercise_folder(tmp_path, "entry: Scale\n", reference=LAYER, cases=cases)

    right, wrong = graded(folder, runner, tmp_path, LAYER, LAYER.replace("x * ", "x + "))

    assert right.verdict is Verdict.ACCEPTED
    assert wrong.verdict is Verdict.WRONG_ANSWER
