"""Properties as lines of an outcome: their points, and what is said where one does not hold."""

from dataclasses import replace
from decimal import Decimal

import pytest

from graders.cases import Case, Failure, Inputs, Key, Raised, Returned
from graders.comparisons import Comparison
from graders.judging import judge_submission
from graders.metrics import Training
from graders.outcomes import Stage, Verdict
from graders.property_lines import demanded_properties
from tests.graders.values import tensor

ASKED = demanded_properties(
    {"properties": [{"property": "bounded(output, 0, 1)", "points": 2}, {"property": "even(x)", "points": 0.5}]}
)


def make_case(*, visible=True, index=0):
    return Case(
        name=f"case {index}",
        visible=visible,
        index=index,
        expected=tensor([0.5]),
        inputs=Inputs(args=(tensor([1.0]),)),
        parameters=("x",),
    )


def judged(*given, failure=None):
    cases = (make_case(), make_case(visible=False))
    key = Key(cases=cases, comparison=Comparison(), properties=ASKED)
    return judge_submission(key, given, failure=failure)


def gave(value, *further):
    return Returned(value=tensor([value]), further=tuple(further) or (Returned(value=tensor([value])),))


def test_lines_stand_behind_the_cases_with_their_points():
    outcome = judged(gave(0.5), gave(0.5))

    assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.ACCEPTED, Decimal("4.5"), Decimal("4.5"))
    assert outcome.cases[2].feedback.summary == "Holds in 2 cases."


def test_property_may_hold_though_values_are_wrong():
    outcome = judged(gave(0.7), gave(0.7))

    assert [case.points for case in outcome.cases] == [0, 0, 2, Decimal("0.5")]


@pytest.mark.parametrize("formless", [[], {}, tensor([]), tensor([0.5, 0.5]), tensor([[0.5]]), tensor([1], "int64")])
def test_output_of_another_form_gets_no_points(formless):
    given = Returned(value=formless, further=(Returned(value=formless),))

    outcome = judged(given, given)

    assert (outcome.score, outcome.max_score) == (0, Decimal("4.5"))
    assert [case.verdict for case in outcome.cases] == [*[Verdict.INVALID_OUTPUT] * 2, *[Verdict.WRONG_ANSWER] * 2]


def trained(value):
    """Points of each line where labels of classes are predicted: of the case, and of what lies within bounds."""
    case = replace(
        make_case(),
        expected=tensor([[0.5, 0.5]]),
        training=Training(metric="accuracy", at_least=1.0),
        targets=tensor([1], "int64"),
    )
    key = Key(cases=(case,), comparison=Comparison(), properties=ASKED[:1])
    return [line.points for line in judge_submission(key, [Returned(value=value)]).cases]


def test_predictions_may_have_any_form_that_is_measured():
    assert trained(tensor([1], "int64")) == [1, 2]
    assert trained(tensor([[0.0, 1.0, 0.5]])) == [1, 2]
    assert trained(tensor([0], "int64")) == [0, 2]
    assert trained(tensor([2], "int64")) == [0, 0]


@pytest.mark.parametrize("formless", [[], {}, None, tensor([]), tensor([0.5, 0.5]), tensor([[0.5]])])
def test_predictions_of_another_form_have_no_property(formless):
    assert trained(formless) == [0, 0]


def test_property_that_does_not_hold_names_the_case():
    outcome = judged(gave(2.0), gave(0.5))
    hidden = judged(gave(0.5), gave(0.5, Returned(value=tensor([0.4]))))

    assert "case “case 0”" in outcome.cases[2].feedback.summary
    assert outcome.cases[2].feedback.details["expected_shape"] == [1]
    assert hidden.verdict is Verdict.WRONG_ANSWER
    assert hidden.cases[3].feedback.stage == Stage.PROPERTIES
    assert hidden.cases[3].feedback.summary == "This does not hold in a hidden case."
    assert hidden.cases[3].feedback.details is None


def test_output_without_the_right_form_is_told():
    outcome = judged(gave([0.5]), gave(0.5))

    assert outcome.cases[2].feedback.summary == (
        "This does not hold in the case “case 0”. The output is not of the form that is expected."
    )


def test_exceptions_and_missing_calls_leave_properties_open():
    boom = Raised(type="ValueError", message="boom")
    raised = judged(gave(0.5), boom)
    further = judged(gave(0.5, boom), gave(0.5))
    ended = Failure(verdict=Verdict.TIME_LIMIT, detail="too long")
    unreached = judged(gave(0.5), None, failure=ended)
    cut = judged(gave(0.5), Returned(value=tensor([0.5])), failure=ended)

    assert [case.verdict for case in raised.cases[2:]] == [Verdict.RUNTIME_ERROR] * 2
    assert "boom" not in raised.cases[2].feedback.summary
    assert [case.verdict for case in further.cases] == [*[Verdict.ACCEPTED] * 3, Verdict.RUNTIME_ERROR]
    assert [case.verdict for case in unreached.cases[1:]] == [Verdict.TIME_LIMIT] * 3
    assert [case.verdict for case in cut.cases] == [*[Verdict.ACCEPTED] * 3, Verdict.TIME_LIMIT]
