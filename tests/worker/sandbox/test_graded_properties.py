"""Properties with points of their own, from the exercise's folder to the outcome."""

from decimal import Decimal

import pytest

from graders.outcomes import Stage, Verdict
from tests.worker.sandbox.graded import exercise_folder, graded
from worker.cases import CasesError
from worker.grading import grade_code, make_sound_cases

pytestmark = pytest.mark.sandbox

CASES = """
import torch

def visible():
    g = torch.Generator().manual_seed(1)
    return [{"name": "shown", "args": list(torch.randn(3, 4, 2, generator=g))}]

def hidden(generator):
    return [{"name": "drawn", "args": list(torch.randn(3, 5, 3, generator=generator)), "points": 2}]
"""
REFERENCE = """
import torch
def attention(query, key, value):
    scores = query @ key.transpose(-2, -1)
    future = torch.ones(scores.shape, dtype=torch.bool).triu(1)
    weights = scores.masked_fill(future, -torch.inf).softmax(dim=-1)
    return {"weights": weights, "output": weights @ value}
"""
FIELDS = """\
entry: attention
compare: {rtol: 1e-4, atol: 1e-5}
properties:
  - {property: 'sums_to(output["weights"], 1, dim=-1)', points: 1}
  - {property: 'causal(key, value, dim=-2)', points: 1.5}
"""
NO_MASK = REFERENCE.replace("scores.masked_fill(future, -torch.inf)", "scores")
LEAKS_ONE = REFERENCE.replace("triu(1)", "triu(2)")
TOO_SMALL = REFERENCE.replace(".softmax(dim=-1)", ".softmax(dim=-1) * 0.5").replace("weights @", "2 * weights @")


@pytest.fixture
def folder(tmp_path):
    return exercise_folder(tmp_path, FIELDS, reference=REFERENCE, cases=CASES)


def test_each_property_has_points_of_its_own(folder, runner, tmp_path):
    right, no_mask, leaks, small = graded(folder, runner, tmp_path, REFERENCE, NO_MASK, LEAKS_ONE, TOO_SMALL)

    assert (right.verdict, right.score, right.max_score) == (Verdict.ACCEPTED, Decimal("5.5"), Decimal("5.5"))
    assert [case.name for case in right.cases] == [
        "shown",
        "drawn",
        '`output["weights"]` sums to 1 along axis -1',
        "No position of the output depends on later ones of `key` and `value` (axis -2)",
    ]
    for outcome in (no_mask, leaks):
        assert [case.verdict is Verdict.ACCEPTED for case in outcome.cases] == [False, False, True, False]
        assert outcome.score == 1
        assert outcome.cases[3].feedback.stage == Stage.PROPERTIES
    assert [case.verdict is Verdict.ACCEPTED for case in small.cases] == [False, False, False, True]
    assert "The sums: The shape is right" in small.cases[2].feedback.summary


def test_property_of_hidden_cases_alone_reveals_nothing(folder, runner, tmp_path):
    source = REFERENCE.replace("triu(1)", "triu(1 if scores.shape[-1] == 4 else 2)")

    (outcome,) = graded(folder, runner, tmp_path, source)

    assert [case.verdict is Verdict.ACCEPTED for case in outcome.cases] == [True, False, True, False]
    assert outcome.cases[3].feedback.summary == "This does not hold in a hidden case."
    assert outcome.cases[3].feedback.details is None


def test_run_that_ends_leaves_properties_open(folder, runner, tmp_path):
    leaving = REFERENCE.replace("    scores =", "    if len(query) == 5: __import__('os')._exit(0)\n    scores =")
    raising = REFERENCE.replace("    scores =", "    if len(query) == 5: 1 / 0\n    scores =")
    at_second = REFERENCE.replace("def attention", "calls = []\ndef attention").replace(
        "    scores =", "    calls.append(1)\n    if len(calls) == 2: 1 / 0\n    scores ="
    )

    left, raised, later = graded(folder, runner, tmp_path, leaving, raising, at_second)

    assert [case.verdict for case in left.cases] == [Verdict.ACCEPTED, *[Verdict.RUNTIME_ERROR] * 3]
    assert left.cases[2].feedback.summary.startswith("Not reached")
    assert [case.verdict for case in raised.cases] == [Verdict.ACCEPTED, *[Verdict.RUNTIME_ERROR] * 3]
    assert [case.verdict for case in later.cases] == [*[Verdict.ACCEPTED] * 3, Verdict.RUNTIME_ERROR]
    assert "ZeroDivisionError" in later.cases[3].feedback.summary


def test_output_is_given_back_for_an_idempotent_property(tmp_path, runner):
    reference = "import torch\ndef clip(x, *, low):\n    return x.clamp(min=low)\n"
    cases = """
    import torch
    def visible():
        return [{"name": "a", "args": [torch.tensor([-1.0, 2.0])], "kwargs": {"low": 0.0}}]
    def hidden(generator):
        return []
    """
    fields = "entry: clip\ninputs_unchanged: true\nproperties: [{property: idempotent(x), points: 1}]\n"
    folder = exercise_folder(tmp_path, fields, reference=reference, cases=cases)

    right, wrong, odd = graded(
        folder,
        runner,
        tmp_path,
        reference,
        reference.replace("x.clamp(min=low)", "x.clamp(min=low) / 2"),
        reference.replace("x.clamp(min=low)", "(i for i in x)"),
    )

    assert right.verdict is Verdict.ACCEPTED
    assert [case.verdict for case in wrong.cases] == [Verdict.WRONG_ANSWER] * 2
    assert odd.cases[1].verdict in (Verdict.RUNTIME_ERROR, Verdict.WRONG_ANSWER)


def test_reference_without_a_property_that_it_asks_for_is_refused(tmp_path, runner):
    folder = exercise_folder(tmp_path, FIELDS, reference=NO_MASK, cases=CASES)

    with pytest.raises(CasesError, match="reference.py: No position of the output depends on later ones"):
        make_sound_cases(folder.definition, (1,), runner)


def test_run_of_visible_cases_alone_judges_properties_too(folder, runner):
    made = make_sound_cases(folder.definition, (1,), runner).visible
    source = REFERENCE.replace("triu(1)", "triu(1 if scores.shape[-1] == 4 else 2)")

    outcome, _ = grade_code(runner, made.request("run", folder.definition["exercise"], source), made.key)

    assert [case.name for case in outcome.cases][0] == "shown"
    assert [case.verdict for case in outcome.cases] == [Verdict.ACCEPTED] * 3
