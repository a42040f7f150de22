"""matplotlib is there for runs and lessons, and refused with a reason in what is graded."""

import pytest

from worker.sandbox.job import Call, CallProgram, Job, ScriptProgram, Status

pytestmark = pytest.mark.sandbox

PLOT = """
import os
import matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.plot([1, 2, 4])
axes.set_title("$x^2$")
figure.savefig("plot.png")
plt.show()
print(plt.get_backend(), os.path.getsize("plot.png") > 1000)
"""
IN_A_FUNCTION = f"def f():\n    import matplotlib\n    return matplotlib.__name__\n{PLOT}"
REFUSAL = (
    "No module named 'matplotlib'. matplotlib is there for runs and lessons alone; "
    "what is graded may import torch, numpy, einops and the standard library."
)


def script(source, **fields):
    return Job(id="plot", program=ScriptProgram(source=source, inspect=True), **fields)


def calls(**fields):
    call = Call(name="a", visible=True)
    return Job(id="plot", program=CallProgram(source=IN_A_FUNCTION, entry="f", calls=(call,)), **fields)


@pytest.mark.parametrize("fields", [{"lane": "run"}, {"lane": "regrade", "plots": True}], ids=["run", "lesson"])
def test_plot_is_drawn_without_a_home_or_a_display(runner, fields):
    report = runner.run(script(PLOT, **fields))

    assert report.status == Status.FINISHED
    assert (report.stdout, report.stderr) == ("Agg True\n", "")


def test_run_of_an_exercise_may_plot(runner):
    report = runner.run(calls(lane="run"))

    assert [result.value for result in report.results] == ["matplotlib"]


@pytest.mark.parametrize("lane", ["submission", "regrade"])
def test_what_is_graded_may_not_plot_and_hears_why(runner, lane):
    report = runner.run(calls(lane=lane))

    assert report.load_error.type == "ModuleNotFoundError"
    assert report.load_error.message == REFUSAL


@pytest.mark.parametrize("package", ["PIL", "mpl_toolkits.mplot3d", "dateutil"])
def test_what_plots_are_drawn_by_is_refused_likewise(runner, package):
    (result,) = runner.run(script(f"import {package}")).results

    assert REFUSAL.partition(". ")[2] in result.error.message


def test_run_is_told_that_it_may_plot(runner):
    (result,) = runner.run(script("import pandas", lane="run")).results

    expected = "No module named 'pandas'. Available here: matplotlib, torch, numpy, einops and the standard library."
    assert result.error.message == expected
