import math
import tracemalloc

import numpy as np
import pytest

from graders import metrics
from graders.arrays import Unsupported
from graders.cases import Case, Returned
from graders.comparisons import Comparison
from graders.judging import judge_case
from graders.metrics import METRICS, Training, measure
from graders.mismatches import Mismatch
from graders.outcomes import Stage, Verdict
from tests.graders.values import tensor

LABELS = tensor([1, 0, 2], "int64")
SCORES = tensor([[0.0, 2.0, 1.0], [3.0, 0.0, 0.0], [0.0, 1.0, 0.5]])


@pytest.mark.parametrize(
    ("metric", "predictions", "targets", "expected"),
    [
        ("mse", tensor([1.0, 4.0]), tensor([1.0, 2.0]), 2.0),
        ("rmse", tensor([1.0, 4.0]), tensor([1.0, 2.0]), math.sqrt(2)),
        ("mae", tensor([1.0, 4.0]), tensor([1.0, 2.0]), 1.0),
        ("accuracy", SCORES, LABELS, 2 / 3),
        ("accuracy", tensor([1, 1, 2], "int64"), LABELS, 2 / 3),
        ("accuracy", tensor([[math.nan, 2.0, 1.0]]), tensor([1], "int64"), 0.0),
        ("cross_entropy", tensor([[0.0, 0.0]]), tensor([1], "int64"), math.log(2)),
        ("cross_entropy", tensor([[1000.0, 0.0]]), tensor([0], "int64"), 0.0),
        ("cross_entropy", tensor([[1000.0, 0.0]]), tensor([1], "int64"), 1000.0),
    ],
)
def test_metrics(metric, predictions, targets, expected):
    assert measure(metric, predictions, targets) == pytest.approx(expected)


@pytest.mark.parametrize("classes", [-1, -100, math.nan, math.inf, -math.inf, 0.5])
def test_targets_that_name_no_class_are_never_met(classes):
    targets = tensor([classes], "float64")

    assert math.isnan(measure("cross_entropy", tensor([[2.0, 1.0]]), targets))
    assert measure("accuracy", tensor([[2.0, 1.0]]), targets) == 0


def test_complex_targets_are_none():
    assert measure("accuracy", tensor([[2.0, 1.0]]), tensor([0], "complex64")).stage == Stage.DTYPE


def test_predictions_for_no_inputs_have_no_metric():
    assert math.isnan(measure("cross_entropy", tensor(np.zeros((0, 3))), tensor(np.zeros(0), "int64")))


@pytest.mark.parametrize("block", [1, 2, 3, 7, 100])
def test_cross_entropy_is_the_same_in_blocks(monkeypatch, block):
    scores = np.random.default_rng(0).normal(size=(2, 3, 5))
    labels = np.array([[0, 4, 1], [2, 2, 3]])
    whole = measure("cross_entropy", tensor(scores), tensor(labels, "int64"))

    monkeypatch.setattr(metrics, "BLOCK", block)

    assert measure("cross_entropy", tensor(scores), tensor(labels, "int64")) == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("metric", ["accuracy", "cross_entropy"])
@pytest.mark.parametrize("shape", [(1, 2**20), (2**18, 4)])
def test_scores_for_many_classes_cost_a_small_multiple_of_them(metric, shape):
    scores, labels = tensor(np.full(shape, 2), "uint8"), tensor(np.zeros(shape[:1]), "int64")

    tracemalloc.start()
    measure(metric, scores, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 8 * (scores.values.nbytes + labels.values.nbytes)


def test_every_metric_is_tried():
    assert set(METRICS) == {"mse", "rmse", "mae", "accuracy", "cross_entropy"}


@pytest.mark.parametrize("metric", METRICS)
def test_not_a_number_is_never_good(metric):
    targets = LABELS if metric in ("accuracy", "cross_entropy") else tensor([1.0])
    predictions = tensor(np.full((*targets.shape, 3) if targets is LABELS else (1,), math.nan))

    measured = measure(metric, predictions, targets)

    assert not Training(metric=metric, at_most=None, at_least=0.5).is_met(measured)
    assert metric == "accuracy" or not Training(metric=metric, at_most=1e30).is_met(measured)


@pytest.mark.parametrize(
    ("metric", "predictions", "targets", "stage", "shape"),
    [
        ("mse", tensor([[1.0], [2.0]]), tensor([1.0, 2.0]), Stage.SHAPE, (2,)),
        ("mse", tensor(1.0), tensor([1.0, 2.0]), Stage.SHAPE, (2,)),
        ("mse", [1.0, 2.0], tensor([1.0, 2.0]), Stage.STRUCTURE, (2,)),
        ("mse", Unsupported(kind="a generator"), tensor([1.0]), Stage.STRUCTURE, (1,)),
        ("mse", tensor([1j], "complex64"), tensor([1.0]), Stage.DTYPE, (1,)),
        ("accuracy", tensor([[0.0, 1.0]] * 3), LABELS, Stage.SHAPE, (3, 3)),
        ("accuracy", tensor([0.0, 1.0]), LABELS, Stage.SHAPE, (3, 3)),
        ("cross_entropy", tensor([1, 0, 2], "int64"), LABELS, Stage.SHAPE, (3, 3)),
        ("cross_entropy", tensor(1.0), LABELS, Stage.SHAPE, (3, 3)),
    ],
)
def test_predictions_of_another_form_are_told(metric, predictions, targets, stage, shape):
    found = measure(metric, predictions, targets)

    assert isinstance(found, Mismatch)
    assert (found.stage, found.expected.shape) == (stage, shape)


@pytest.mark.parametrize(
    ("limits", "measured", "is_met"),
    [
        ({"at_most": 0.1}, 0.1, True),
        ({"at_most": 0.1}, 0.1001, False),
        ({"at_least": 0.9}, 0.9, True),
        ({"at_least": 0.9}, 0.8999, False),
        ({"at_least": 0.4, "at_most": 0.6}, 0.5, True),
        ({"at_least": 0.4, "at_most": 0.6}, 0.7, False),
    ],
)
def test_limits(limits, measured, is_met):
    assert Training(metric="mse", **limits).is_met(measured) is is_met


def test_training_is_read_from_its_definition():
    declared = {"metric": "mse", "at_most": 0.1, "at_least": None, "steps": 5, "seed": 1}

    assert Training.from_definition(declared) == Training(metric="mse", at_most=0.1, steps=5)
    assert Training.from_definition(None) is None


def judged(predictions, *, visible=True, steps=0, **fields):
    training = Training(**{"metric": "accuracy", "at_least": 0.9, "steps": 10, **fields})
    case = Case(name="a", visible=visible, index=0, expected=SCORES, training=training, targets=LABELS)
    return judge_case(case, Returned(value=predictions, steps=steps), Comparison())


def test_predictions_are_measured_and_not_compared():
    right, other = judged(LABELS), judged(SCORES)

    assert (right.verdict, right.feedback.summary) == (Verdict.ACCEPTED, "The accuracy of the predictions is 1.")
    assert (other.verdict, other.feedback.stage) == (Verdict.WRONG_ANSWER, Stage.TRAINING)
    assert other.feedback.summary == "The accuracy of the predictions is 0.6667; asked for is at least 0.9."


def test_both_limits_and_not_a_number_are_told():
    found = judged(tensor(np.full((3, 3), math.nan)), metric="cross_entropy", at_most=0.5, at_least=0.125)

    assert found.feedback.summary.endswith("predictions is NaN; asked for is at most 0.5 and at least 0.125.")


def test_hidden_predictions_tell_no_number():
    assert "0.6667" not in judged(SCORES, visible=False).feedback.summary
    assert judged(LABELS, visible=False).feedback.summary == "The predictions are good enough."


def test_budget_of_steps():
    assert judged(LABELS, steps=10).verdict is Verdict.ACCEPTED
    assert judged(LABELS, steps=11).feedback.summary == (
        "The training made 11 steps of an optimiser; at most 10 are allowed."
    )


def test_predictions_of_another_form_are_invalid():
    assert judged([1, 0, 2]).verdict is Verdict.INVALID_OUTPUT
