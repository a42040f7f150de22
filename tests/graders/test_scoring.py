from decimal import Decimal
from fractions import Fraction

import pytest

from graders.errors import GraderError
from graders.outcomes import CaseOutcome, Feedback, Verdict
from graders.scoring import deciding_case, fold_draws, outcome_of, outcome_of_share, rounded


def case(verdict=Verdict.ACCEPTED, *, name="a", visible=True, points="1"):
    return CaseOutcome(
        name=name,
        visible=visible,
        verdict=verdict,
        points=Decimal(points) if verdict == Verdict.ACCEPTED else Decimal(0),
        max_points=Decimal(points),
        feedback=Feedback(),
    )


@pytest.mark.parametrize(
    ("points", "expected"), [("1.005", "1.01"), ("1.0049", "1.00"), ("2", "2.00"), ("0.335", "0.34")]
)
def test_rounded_has_two_decimals_halves_up(points, expected):
    assert str(rounded(Decimal(points))) == expected


def test_outcome_of_accepted_cases_is_accepted():
    outcome = outcome_of([case(), case(points="2", visible=False)], Feedback())

    assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.ACCEPTED, Decimal(3), Decimal(3))


def test_outcome_of_no_cases_is_accepted_with_nothing_to_win():
    assert outcome_of([], Feedback()).max_score == Decimal(0)


def test_outcome_rounds_the_sum_and_not_its_parts():
    outcome = outcome_of([case(points="0.334"), case(points="0.334"), case(points="0.334")], Feedback())

    assert outcome.score == Decimal("1.00")


def test_outcome_takes_the_verdict_of_the_first_visible_case_before_hidden_ones():
    cases = [
        case(Verdict.TIME_LIMIT, visible=False),
        case(),
        case(Verdict.WRONG_ANSWER),
        case(Verdict.INVALID_OUTPUT),
    ]

    outcome = outcome_of(cases, Feedback())

    assert outcome.verdict == Verdict.WRONG_ANSWER
    assert (outcome.score, outcome.max_score) == (Decimal(1), Decimal(4))


def test_deciding_case_is_none_when_all_are_accepted():
    assert deciding_case([case(), case(visible=False)]) is None


def test_fold_draws_is_accepted_only_in_all_and_counts_once():
    assert fold_draws([case(), case(), case()]).points == Decimal(1)

    folded = fold_draws([case(name="first"), case(Verdict.WRONG_ANSWER, name="second", points="7"), case()])

    assert (folded.verdict, folded.points, folded.max_points) == (Verdict.WRONG_ANSWER, Decimal(0), Decimal(1))
    assert folded.name == "first"


def test_fold_draws_of_nothing_is_refused():
    with pytest.raises(GraderError):
        fold_draws([])


@pytest.mark.parametrize(
    ("share", "verdict", "score"),
    [
        (Fraction(1), Verdict.ACCEPTED, "1.00"),
        (Fraction(2, 3), Verdict.WRONG_ANSWER, "0.67"),
        (Fraction(999, 1000), Verdict.WRONG_ANSWER, "0.99"),
        (Fraction(0), Verdict.WRONG_ANSWER, "0.00"),
    ],
)
def test_outcome_of_share(share, verdict, score):
    outcome = outcome_of_share(share, Feedback())

    assert (outcome.verdict, str(outcome.score), str(outcome.max_score)) == (verdict, score, "1.00")
