from decimal import Decimal

import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions import explain

RUBRIC = [
    {"criterion": "saturation", "points": 2, "description": "Names that softmax saturates."},
    {"criterion": "variance", "points": 0.5},
]


def make_question(rubric=RUBRIC, **fields):
    return explain.from_definition({"rubric": rubric, **fields})


def review(saturation, variance, **fields):
    points = {"saturation": Decimal(saturation), "variance": Decimal(variance)}
    return explain.outcome_of_review(make_question(), points, **fields)


def test_review_with_all_points_is_accepted():
    outcome = review("2", "0.5", comment="Clear.")

    assert (outcome.verdict, str(outcome.score), str(outcome.max_score)) == (Verdict.ACCEPTED, "2.50", "2.50")
    assert outcome.feedback.hint == "Clear."
    assert outcome.feedback.details == {"self_assessed": False}


def test_review_with_some_points_keeps_them():
    outcome = review("1.25", "0.5", self_assessed=True)

    assert (outcome.verdict, str(outcome.score)) == (Verdict.WRONG_ANSWER, "1.75")
    assert [case.verdict for case in outcome.cases] == [Verdict.WRONG_ANSWER, Verdict.ACCEPTED]
    assert outcome.cases[0].feedback.summary == "Names that softmax saturates."
    assert "its author" in outcome.feedback.summary


@pytest.mark.parametrize(("saturation", "variance"), [("-1", "0"), ("2.5", "0"), ("NaN", "0")])
def test_review_with_points_out_of_range_is_refused(saturation, variance):
    with pytest.raises(ResponseError, match="from 0 to 2"):
        review(saturation, variance)


def test_review_needs_points_for_each_criterion():
    with pytest.raises(ResponseError, match="each criterion"):
        explain.outcome_of_review(make_question(), {"saturation": Decimal(1)})


@pytest.mark.parametrize("response", [None, 5, "", "  ", "x" * 20_001])
def test_check_response_refuses_what_nobody_can_judge(response):
    with pytest.raises(ResponseError):
        explain.check_response(make_question(), response, "seed")


def test_form_shows_what_counts_and_not_what_is_looked_for():
    form = explain.form(make_question(model_answer="…"), "seed")

    assert form == {"rubric": [{"criterion": "saturation", "points": 2.0}, {"criterion": "variance", "points": 0.5}]}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"rubric": []}, "rubric"),
        ({"rubric": [{"points": 1}]}, "rubric"),
        ({"rubric": [{"criterion": "a", "points": 1}] * 2}, "rubric"),
        ({"rubric": [{"criterion": "a"}]}, "rubric[0].points"),
        ({"rubric": [{"criterion": "a", "points": 0}]}, "rubric[0].points"),
        ({"rubric": [{"criterion": "a", "points": 0.125}]}, "rubric[0].points"),
        ({"rubric": [{"criterion": 1, "points": 1}]}, "rubric[0].criterion"),
        ({"model_answer": 5}, "model_answer"),
    ],
)
def test_from_definition_refuses_and_names_the_field(fields, field):
    with pytest.raises(DefinitionError) as refusal:
        make_question(**fields)

    assert refusal.value.field == field
