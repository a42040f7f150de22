"""Training, judged on predictions for held-out inputs: from the exercise's folder to the outcome."""

import pytest

from graders.outcomes import Stage, Verdict
from tests.worker.sandbox.graded import exercise_folder, graded
from worker.cases import MEASURED, CasesError, make_cases, shown_cases
from worker.grading import make_sound_cases
from worker.stored_cases import dump_cases, load_cases

pytestmark = pytest.mark.sandbox

CASES = """
import torch

def _case(name, generator):
    x = torch.randn(60, 2, generator=generator)
    y = x @ torch.tensor([[2.0], [-1.0]]) + 0.5
    return {"name": name, "args": [x[:40], y[:40], x[40:]], "targets": y[40:]}

def visible():
    return [_case("shown", torch.Generator().manual_seed(3))]

def hidden(generator):
    return [_case("drawn", generator)]
"""
REFERENCE = """
import torch
def fit(x, y, held_out):
    model = torch.nn.Linear(2, 1)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.3)
    for _ in range(60):
        optimiser.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimiser.step()
    return model(held_out)
"""
FIELDS = "entry: fit\ntraining: {metric: mse, at_most: 0.01, steps: 100, seed: 7}\n"


@pytest.fixture
def folder(tmp_path):
    return exercise_folder(tmp_path, FIELDS, reference=REFERENCE, cases=CASES)


def test_predictions_are_measured(folder, runner, tmp_path):
    other, untrained, too_long, wrong_form = graded(
        folder,
        runner,
        tmp_path,
        REFERENCE.replace("SGD", "Adam").replace("range(60)", "range(100)"),
        REFERENCE.replace("        optimiser.step()\n", ""),
        REFERENCE.replace("range(60)", "range(101)"),
        REFERENCE.replace("model(held_out)", "model(held_out).squeeze()"),
    )

    assert other.verdict is Verdict.ACCEPTED
    assert other.cases[0].feedback.summary.startswith("The mean squared error of the predictions is")
    assert (untrained.verdict, untrained.feedback.stage, untrained.feedback.cause) == (
        Verdict.WRONG_ANSWER,
        Stage.TRAINING,
        "metric_missed",
    )
    assert "asked for is at most 0.01" in untrained.feedback.summary
    assert "misses what is asked for (at most 0.01)" in untrained.cases[1].feedback.summary
    assert (too_long.verdict, too_long.feedback.stage) == (Verdict.WRONG_ANSWER, Stage.RULES)
    assert "101 steps" in too_long.feedback.summary
    assert wrong_form.verdict is Verdict.INVALID_OUTPUT


def test_targets_never_go_where_students_code_runs(folder, runner):
    class Recording:
        jobs = []

        def run(self, job, on_result=None):
            self.jobs.append(job)
            return runner.run(job, on_result)

    cases = make_sound_cases(folder.definition, (1,), Recording()).cases

    targets = [case.targets.data for case in cases]
    sent = [repr(job.program) for job in Recording.jobs[1:]]
    assert not any(repr(data)[2:-1] in text for data in targets for text in sent)
    assert load_cases(dump_cases(cases)) == cases
    assert [case["expected"] for case in shown_cases(cases)] == [MEASURED]


def test_each_call_starts_from_the_seed(tmp_path, runner):
    reference = "import torch\ndef fit(x):\n    return torch.rand(1)\n"
    cases = """
    import torch
    def visible():
        torch.manual_seed(5)
        return [{"name": str(n), "args": [torch.ones(1)], "targets": torch.rand(1)} for n in range(1)] * 2
    def hidden(generator):
        return []
    """
    fields = "entry: fit\ntraining: {metric: mae, at_most: 0, seed: 5}\n"
    folder = exercise_folder(tmp_path, fields, reference=reference, cases=cases)

    (outcome,) = graded(folder, runner, tmp_path, reference)

    assert outcome.verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("fields", "cases", "reference", "words"),
    [
        (FIELDS, CASES.replace(', "targets": y[40:]', ""), REFERENCE, "has no targets"),
        ("entry: fit\n", CASES, REFERENCE, "has targets"),
        (FIELDS, CASES, REFERENCE.replace("range(60)", "range(1)"), "reference.py: shown: The mean squared error"),
        (FIELDS, CASES, REFERENCE.replace("range(60)", "range(160)"), "160 steps"),
    ],
)
def test_exercise_that_cannot_be_is_refused(tmp_path, runner, fields, cases, reference, words):
    folder = exercise_folder(tmp_path, fields, reference=reference, cases=cases)

    with pytest.raises(CasesError, match=words):
        make_sound_cases(folder.definition, (1,), runner)


def test_cases_are_made_without_looking_at_the_metric(folder, runner):
    assert [case.visible for case in make_cases(folder.definition, (1, 2), runner)] == [True, False, False]
