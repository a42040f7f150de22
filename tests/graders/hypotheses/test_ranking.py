import numpy as np
import pytest

from graders.hypotheses import ranking
from graders.hypotheses.causes import Cause
from graders.hypotheses.predictions import Computation, Prediction
from graders.hypotheses.ranking import evidence
from tests.graders.hypotheses.diagnosed import observation

EXPECTED = np.array([1.0, 2.0, 4.0, 7.0])


@pytest.fixture
def only(monkeypatch):
    """Sets the hypotheses that are weighed."""

    def use(*, relations=(), models=()):
        monkeypatch.setattr(ranking, "RELATIONS", relations)
        monkeypatch.setattr(ranking, "MODELS", models)

    return use


def predicting(cause, variant="", *, times, weight=1.0, parameter=None):
    def relation(observation, leaf):
        values = times * leaf.expected
        yield Prediction(cause=cause, variant=variant, values=values, weight=weight, parameter=parameter)

    return relation


def causes(*observations):
    return [found.cause for found in evidence(observations)]


def test_evidence_the_more_specific_first(only):
    only(relations=(predicting(Cause.SCALED, times=2, weight=0.6), predicting(Cause.SIGN, times=2, weight=0.9)))

    assert causes(observation(2 * EXPECTED, EXPECTED)) == [Cause.SIGN, Cause.SCALED]


def test_evidence_of_equals_is_in_their_order(only):
    only(relations=(predicting(Cause.SCALED, times=2), predicting(Cause.SIGN, times=2)))

    assert causes(observation(2 * EXPECTED, EXPECTED)) == [Cause.SCALED, Cause.SIGN]


def test_evidence_must_explain_the_difference(only):
    only(relations=(predicting(Cause.SCALED, times=2),))

    assert causes(observation(2.2 * EXPECTED, EXPECTED)) == []
    assert causes(observation(2 * EXPECTED, EXPECTED), observation(3 * EXPECTED, EXPECTED)) == []


def test_evidence_is_contradicted_by_a_right_case(only):
    only(relations=(predicting(Cause.SCALED, times=2),))

    assert causes(observation(2 * EXPECTED, EXPECTED), observation(EXPECTED, EXPECTED)) == []
    assert causes(observation(2 * EXPECTED, EXPECTED), observation(0 * EXPECTED, 0 * EXPECTED)) == [Cause.SCALED]


def test_evidence_keeps_one_parameter(only):
    def fitted(observation, leaf):
        factor = float((leaf.actual / leaf.expected).mean())
        values = factor * leaf.expected
        yield Prediction(cause=Cause.SCALED, variant="", values=values, weight=1.0, parameter=factor)

    only(relations=(fitted,))

    assert causes(observation(2 * EXPECTED, EXPECTED), observation(2 * EXPECTED, EXPECTED)) == [Cause.SCALED]
    assert causes(observation(2 * EXPECTED, EXPECTED), observation(3 * EXPECTED, EXPECTED)) == []


def test_evidence_goes_on_where_a_hypothesis_does_not_fit(only):
    def unfit(observation, leaf):
        yield Prediction(cause=Cause.SIGN, variant="", values=np.ones(3) + leaf.expected, weight=1.0)

    def without(observation, sought):
        yield Computation(cause=Cause.SIGN, variant="", values=(np.zeros(0)[1],), weight=1.0)

    only(relations=(unfit, predicting(Cause.SCALED, times=2)), models=(without,))

    assert causes(observation(2 * EXPECTED, EXPECTED)) == [Cause.SCALED]
