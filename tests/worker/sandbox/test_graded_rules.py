"""What an exercise rules out, from its folder to the outcome."""

import pytest

from graders.outcomes import Stage, Verdict
from tests.worker.sandbox.graded import exercise_folder, graded
from worker.cases import CasesError, make_cases

pytestmark = pytest.mark.sandbox

CASES = """
import torch

def visible():
    return [{"name": "shown", "args": [torch.tensor([[1.0, 2.0], [3.0, 5.0]])]}]

def hidden(generator):
    return [{"name": "drawn", "args": [torch.randn(2, 3, generator=generator)]}]
"""
REFERENCE = """
def softmax(scores):
    powers = scores.exp()
    return powers / powers.sum(dim=-1, keepdim=True)
"""
FORBIDDEN = """
from torch.nn import functional as F
def softmax(x):
    return F.softmax(x, dim=-1)
"""
LOOPING = """
import torch
def softmax(x):
    rows = []
    for row in x:
        rows.append(row.exp() / row.exp().sum())
    return torch.stack(rows)
"""
FIELDS = (
    "entry: softmax\nforbid: {names: [softmax, torch.logsumexp], operators: ['aten::mm', log_softmax], loops: true}\n"
)


@pytest.fixture
def folder(tmp_path):
    return exercise_folder(tmp_path, FIELDS, reference=REFERENCE, cases=CASES)


def test_broken_rules_leave_no_points(folder, runner, tmp_path):
    right, named, looping = graded(folder, runner, tmp_path, REFERENCE, FORBIDDEN, LOOPING)

    assert (right.verdict, right.score) == (Verdict.ACCEPTED, 2)
    for outcome in (named, looping):
        assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.WRONG_ANSWER, 0, 2)
        assert (outcome.feedback.stage, outcome.feedback.cause) == (Stage.RULES, "forbidden")
        assert [case.points for case in outcome.cases] == [0, 0]
    assert "`softmax`, which is used here (line 4)" in named.feedback.summary
    assert "loops" in looping.feedback.summary
    assert "(line 5)" in looping.feedback.summary


def test_forbidden_operator_is_found_behind_other_names(folder, runner, tmp_path):
    hidden_name = REFERENCE.replace("scores.exp()", "(scores @ __import__('torch').eye(scores.shape[-1])).exp()")
    fused = "import torch\ndef softmax(x):\n    return getattr(x, 'log_soft' + 'max')(-1).exp()\n"

    by_operator, by_bare_name = graded(folder, runner, tmp_path, hidden_name, fused)

    assert "operator `aten::mm`" in by_operator.feedback.summary
    assert "operator `log_softmax`" in by_bare_name.feedback.summary
    assert by_operator.score == by_bare_name.score == 0


def test_rule_comes_before_the_verdict_of_the_run(folder, runner, tmp_path):
    raising, endless, broken = graded(
        folder,
        runner,
        tmp_path,
        FORBIDDEN.replace("return", "1 / 0\n    return"),
        FORBIDDEN.replace("return", "import os; os._exit(0)\n    return"),
        "def softmax(x:\n",
    )

    assert (raising.verdict, raising.feedback.stage) == (Verdict.WRONG_ANSWER, Stage.RULES)
    assert (endless.verdict, endless.feedback.stage) == (Verdict.WRONG_ANSWER, Stage.RULES)
    assert broken.verdict is Verdict.RUNTIME_ERROR


def test_reference_that_breaks_its_own_rules_is_refused(tmp_path, runner):
    folder = exercise_folder(tmp_path, FIELDS, reference=LOOPING, cases=CASES)

    with pytest.raises(CasesError, match="reference.py uses for, which the exercise forbids"):
        make_cases(folder.definition, (1,), runner)
