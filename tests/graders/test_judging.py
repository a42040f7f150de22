from decimal import Decimal

import numpy as np
import pytest

from graders.arrays import Unsupported
from graders.cases import Case, Failure, Key, Mistake, Raised, Returned, listed_mistakes
from graders.comparisons import Comparison
from graders.judging import judge_case, judge_submission
from graders.outcomes import Stage, Verdict
from tests.graders.values import tensor

DOUBLED = Mistake(slug="doubled", title="Twice too large", feedback="Where does the factor come from?")
CRASHING = Mistake(slug="crashing", title="Does not run", feedback="")


def make_case(values, *, visible=True, index=0, draw=0, **fields):
    return Case(
        name=fields.pop("name", f"case {index}"),
        visible=visible,
        index=index,
        draw=draw,
        expected=tensor(values),
        mistakes={"doubled": Returned(value=tensor(2 * np.asarray(values))), "crashing": Raised(type="RuntimeError")},
        **fields,
    )


def make_key(*cases, mistakes=(DOUBLED, CRASHING)):
    return Key(cases=cases, comparison=Comparison(), mistakes=mistakes)


def returned(values):
    return Returned(value=tensor(values))


VISIBLE = make_case([1.0, 2.0])
HIDDEN = make_case([3.0, 4.0], visible=False)


def test_judge_case_accepted_gives_its_points():
    outcome = judge_case(make_case([1.0], points=Decimal(2)), returned([1.0]), Comparison())

    assert (outcome.verdict, outcome.points, outcome.max_points) == (Verdict.ACCEPTED, Decimal(2), Decimal(2))


def test_judge_case_wrong_values():
    outcome = judge_case(VISIBLE, returned([1.0, 3.0]), Comparison())

    assert (outcome.verdict, outcome.points) == (Verdict.WRONG_ANSWER, Decimal(0))
    assert outcome.feedback.stage == Stage.VALUES


def test_judge_case_invalid_output():
    outcome = judge_case(VISIBLE, Returned(value=Unsupported(kind="a generator")), Comparison())

    assert outcome.verdict == Verdict.INVALID_OUTPUT


def test_judge_case_exception():
    outcome = judge_case(VISIBLE, Raised(type="ValueError", message="boom", line=3), Comparison())

    assert outcome.verdict == Verdict.RUNTIME_ERROR
    assert outcome.feedback.summary == "ValueError: boom (line 3)"


def test_judge_submission_accepted():
    outcome = judge_submission(make_key(VISIBLE, HIDDEN), [returned([1.0, 2.0]), returned([3.0, 4.0])])

    assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.ACCEPTED, Decimal(2), Decimal(2))
    assert outcome.feedback.cause == ""


def test_judge_submission_uses_outcomes_that_are_known():
    known = judge_case(VISIBLE, returned([0.0, 0.0]), Comparison())

    outcome = judge_submission(make_key(VISIBLE), [returned([1.0, 2.0])], judged={0: known})

    assert outcome.verdict == Verdict.WRONG_ANSWER


def test_judge_submission_names_the_listed_mistake_in_every_failed_case():
    outcome = judge_submission(make_key(VISIBLE, HIDDEN), [returned([2.0, 4.0]), returned([6.0, 8.0])])

    assert outcome.verdict == Verdict.WRONG_ANSWER
    assert outcome.feedback.cause == "doubled"
    assert outcome.feedback.hint == DOUBLED.feedback
    assert [case.feedback.cause for case in outcome.cases] == ["doubled", "doubled"]


def test_judge_submission_without_a_matching_mistake_names_none():
    outcome = judge_submission(make_key(VISIBLE, HIDDEN), [returned([2.0, 4.0]), returned([6.0, 9.0])])

    assert outcome.feedback.cause == ""


def test_judge_submission_explains_only_what_failed():
    zeros = make_case([0.0, 0.0], index=1)

    outcome = judge_submission(make_key(VISIBLE, zeros), [returned([2.0, 4.0]), returned([0.0, 0.0])])

    assert [case.feedback.cause for case in outcome.cases] == ["doubled", ""]


def test_judge_submission_mistake_without_text_gives_its_title():
    outcome = judge_submission(make_key(VISIBLE), [Raised(type="RuntimeError")])

    assert outcome.feedback.cause == "crashing"
    assert outcome.feedback.hint == "Does not run"


def test_judge_submission_hidden_case_counts_once_and_needs_all_draws():
    draws = [make_case([float(draw)], visible=False, draw=draw, points=Decimal(3)) for draw in range(3)]

    right = judge_submission(make_key(*draws), [returned([0.0]), returned([1.0]), returned([2.0])])
    wrong = judge_submission(make_key(*draws), [returned([0.0]), returned([1.0]), returned([5.0])])

    assert (right.score, right.max_score, len(right.cases)) == (Decimal(3), Decimal(3), 1)
    assert (wrong.score, wrong.max_score, wrong.verdict) == (Decimal(0), Decimal(3), Verdict.WRONG_ANSWER)


def test_judge_submission_cases_that_a_death_prevented_are_not_reached():
    key = make_key(VISIBLE, make_case([5.0], index=1), make_case([6.0], index=2))
    failure = Failure(verdict=Verdict.TIME_LIMIT, detail="Stopped after 4 s of computing.")

    outcome = judge_submission(key, [returned([1.0, 2.0]), None, None], failure=failure)

    assert outcome.verdict == Verdict.TIME_LIMIT
    assert outcome.score == Decimal(1)
    assert outcome.feedback.summary == "Stopped after 4 s of computing."
    assert [case.feedback.summary for case in outcome.cases[1:]] == [
        "Stopped after 4 s of computing.",
        "Not reached: the run had ended before.",
    ]


def test_judge_submission_tells_of_a_death_in_the_first_hidden_case_it_prevented():
    cases = [make_case([1.0], visible=False, index=index, draw=draw) for draw in range(2) for index in range(2)]
    failure = Failure(verdict=Verdict.MEMORY_LIMIT, detail="More than 512 MB.")

    outcome = judge_submission(make_key(*cases), [returned([1.0]), None, None, None], failure=failure)

    assert outcome.verdict == Verdict.MEMORY_LIMIT
    assert [case.feedback.summary for case in outcome.cases] == [
        "More than 512 MB.",
        "Not reached: the run had ended before.",
    ]


def test_judge_submission_without_a_result_is_a_runtime_error():
    outcome = judge_submission(make_key(VISIBLE), [None])

    assert outcome.verdict == Verdict.RUNTIME_ERROR
    assert outcome.feedback.summary == "The run ended without a result."


def test_judge_submission_that_did_not_load_shows_the_error():
    error = Raised(type="SyntaxError", message="invalid syntax", line=1, traceback="def f(:")
    failure = Failure(verdict=Verdict.RUNTIME_ERROR, error=error)

    outcome = judge_submission(make_key(VISIBLE, HIDDEN), [None, None], failure=failure)

    assert outcome.verdict == Verdict.RUNTIME_ERROR
    assert outcome.feedback.summary == "SyntaxError: invalid syntax (line 1)"
    assert outcome.cases[0].feedback.details["traceback"] == "def f(:"


def test_judge_submission_failure_after_the_last_result_changes_nothing():
    failure = Failure(verdict=Verdict.TIME_LIMIT, detail="…")

    assert judge_submission(make_key(VISIBLE), [returned([1.0, 2.0])], failure=failure).verdict == Verdict.ACCEPTED


def test_judge_submission_needs_one_entry_for_each_case():
    with pytest.raises(ValueError, match="zip"):
        judge_submission(make_key(VISIBLE), [])


def test_listed_mistakes_in_the_author_order():
    exercise = {"mistakes": {"b": {"title": "B", "feedback": "b!"}, "a": {}}}

    assert listed_mistakes(exercise) == (
        Mistake(slug="b", title="B", feedback="b!"),
        Mistake(slug="a", title="a", feedback=""),
    )
    assert listed_mistakes({}) == ()


def test_judge_case_of_printed_text_forgives_spaces_and_last_digits():
    case = Case(name="printed", visible=True, index=0, expected="Weight: 0.7183\n", compare_as_printed=True)

    right = judge_case(case, Returned(value="Weight:  0.71829"), Comparison())
    wrong = judge_case(case, Returned(value="Weight: 0.5"), Comparison())

    assert (right.verdict, wrong.verdict) == (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)


def test_judge_case_of_printed_text_that_is_no_text():
    case = Case(name="printed", visible=True, index=0, expected="…", compare_as_printed=True)

    assert judge_case(case, Returned(value=None), Comparison()).verdict == Verdict.INVALID_OUTPUT
