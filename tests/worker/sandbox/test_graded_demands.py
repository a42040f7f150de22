"""Arguments that must stay as they are, and gradients, from the exercise's folder to the outcome."""

import pytest

from graders.outcomes import Stage, Verdict
from tests.worker.sandbox.graded import exercise_folder, graded
from worker.cases import CasesError, make_cases
from worker.stored_cases import dump_cases, load_cases

pytestmark = pytest.mark.sandbox

CASES = """
import torch

def visible():
    return [{"name": "shown", "args": [torch.tensor([[1.0, 2.0], [3.0, 5.0]])]}]

def hidden(generator):
    return [{"name": "drawn", "args": [torch.randn(2, 3, generator=generator)]}]
"""
REFERENCE = """
def centred(scores):
    return scores - scores.mean(dim=-1, keepdim=True)
"""
IN_PLACE = """
def centred(x):
    x -= x.mean(dim=-1, keepdim=True)
    return x
"""
DETACHED = """
def centred(x):
    return x - x.mean(dim=-1, keepdim=True).detach()
"""
CUT = """
def centred(x):
    return (x - x.mean(dim=-1, keepdim=True)).detach()
"""
NUMPY = """
import torch
def centred(x):
    array = x.numpy()
    return torch.from_numpy(array - array.mean(axis=-1, keepdims=True))
"""
RENAMED = """
def centred(rows):
    kept = rows.clone()
    kept -= rows.mean(dim=-1, keepdim=True)
    return kept
"""


@pytest.fixture
def unchanged(tmp_path):
    return exercise_folder(tmp_path, "entry: centred\ninputs_unchanged: true\n", reference=REFERENCE, cases=CASES)


@pytest.fixture
def differentiable(tmp_path):
    return exercise_folder(tmp_path, "entry: centred\ngradients: [scores]\n", reference=REFERENCE, cases=CASES)


def test_change_in_place_is_told(unchanged, runner, tmp_path):
    wrong, right = graded(unchanged, runner, tmp_path, IN_PLACE, RENAMED)

    assert right.verdict is Verdict.ACCEPTED
    assert (wrong.verdict, wrong.feedback.stage, wrong.feedback.cause) == (
        Verdict.WRONG_ANSWER,
        Stage.RULES,
        "mutated_input",
    )
    assert "changes its argument `scores`" in wrong.feedback.summary
    assert [case.feedback.cause for case in wrong.cases] == ["mutated_input"] * 2
    assert wrong.score == 0


def test_cut_and_wrong_gradients_are_told(differentiable, runner, tmp_path):
    right, in_place, partly, cut, numpy = graded(
        differentiable, runner, tmp_path, RENAMED, IN_PLACE, DETACHED, CUT, NUMPY
    )

    assert (right.verdict, in_place.verdict) == (Verdict.ACCEPTED, Verdict.ACCEPTED)
    assert (partly.verdict, partly.feedback.stage, partly.feedback.cause) == (
        Verdict.WRONG_ANSWER,
        "gradients",
        "detached",
    )
    assert "a part of the result" in partly.feedback.hint
    assert (cut.verdict, cut.feedback.stage, cut.feedback.cause) == (Verdict.WRONG_ANSWER, "gradients", "detached")
    assert numpy.verdict is Verdict.RUNTIME_ERROR
    assert "RuntimeError" in numpy.feedback.summary
    assert cut.cases[1].feedback.details is None


def test_listed_mistake_is_told_by_its_gradient(tmp_path, runner):
    fields = (
        "entry: centred\ngradients: [scores]\ninputs_unchanged: true\n"
        "mistakes: {cut: {title: Cut, feedback: The mean is a constant.}, in-place: {title: Own, feedback: Own.}}\n"
    )
    files = {"mistakes/cut.py": DETACHED, "mistakes/in-place.py": IN_PLACE}
    folder = exercise_folder(tmp_path, fields, reference=REFERENCE, cases=CASES, files=files)

    cut, in_place, right, other = graded(folder, runner, tmp_path, DETACHED, IN_PLACE, REFERENCE, CUT)

    assert (cut.feedback.cause, in_place.feedback.cause) == ("cut", "in-place")
    assert right.verdict is Verdict.ACCEPTED
    assert other.feedback.cause == "detached"


def test_gradients_of_a_module_and_its_parameters(tmp_path, runner):
    reference = """
    import torch
    class Scale(torch.nn.Module):
        def __init__(self, width):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(width))
        def forward(self, x):
            return x * self.weight
    """
    cases = """
    import torch
    def visible():
        state = {"weight": torch.tensor([2.0, 3.0])}
        return [{"name": "a", "args": [torch.ones(2)], "init": {"args": [2]}, "state": state}]
    def hidden(generator):
        return []
    """
    folder = exercise_folder(tmp_path, "entry: Scale\ngradients: [x, weight]\n", reference=reference, cases=cases)

    right, wrong = graded(folder, runner, tmp_path, reference, reference.replace("self.weight\n", "self.weight.data\n"))

    assert right.verdict is Verdict.ACCEPTED
    assert wrong.feedback.cause == "detached"
    assert "`weight`" in wrong.feedback.summary


@pytest.mark.parametrize(
    ("fields", "reference", "words"),
    [
        ("inputs_unchanged: true", IN_PLACE, "changes its arguments for 'shown'"),
        ("gradients: [scores]", CUT.replace("(x)", "(scores)").replace("x", "scores"), "has no gradient for scores"),
        ("gradients: [other]", REFERENCE, "'other', found none"),
    ],
)
def test_reference_that_does_not_meet_its_own_demands_is_refused(tmp_path, runner, fields, reference, words):
    folder = exercise_folder(tmp_path, f"entry: centred\n{fields}\n", reference=reference, cases=CASES)

    with pytest.raises(CasesError, match=words):
        make_cases(folder.definition, (1,), runner)


def test_cases_with_probes_survive_their_blob(tmp_path, runner):
    fields = "entry: centred\ngradients: [scores]\ninputs_unchanged: true\nmistakes: {cut: {title: C, feedback: F}}\n"
    files = {"mistakes/cut.py": IN_PLACE}
    folder = exercise_folder(tmp_path, fields, reference=REFERENCE, cases=CASES, files=files)

    cases = make_cases(folder.definition, (1, 2), runner)

    assert load_cases(dump_cases(cases)) == cases
    assert cases[0].parameters == ("scores",)
    assert cases[0].mistakes["cut"].after is not None
