"""Whatever a client sends, a question answers with an outcome or says that the form is wrong."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.errors import ResponseError
from graders.outcomes import Outcome, Verdict
from graders.questions import kinds
from graders.questions.numbers import read_number
from tests.graders.questions.test_kinds import EXERCISES

AT_RANDOM = settings(deadline=None, max_examples=60, database=None)
SYMBOLS = "0123456789.,eE+-−*/^()% πsqrtxnafi_{}\n√²٣"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.text(SYMBOLS, max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@AT_RANDOM
@given(st.text(SYMBOLS, max_size=40) | st.text() | st.integers() | st.floats())
def test_read_number_reads_or_refuses(response):
    try:
        number = read_number(response)
    except ResponseError:
        return

    assert isinstance(number, Fraction)


@AT_RANDOM
@given(st.fractions(max_denominator=10**6))
def test_read_number_of_what_python_prints(number):
    assert read_number(str(number)) == number


@AT_RANDOM
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_read_number_of_a_float_is_the_number_that_is_printed(number):
    assert float(read_number(repr(number))) == number
    assert read_number(number) == read_number(repr(number))


@pytest.mark.parametrize("kind", sorted(set(kinds.KINDS) - {"explain"}))
@AT_RANDOM
@given(response=JSON)
def test_grade_response_judges_or_refuses(kind, response):
    try:
        outcome = kinds.grade_response({"kind": kind, **EXERCISES[kind]}, response, "seed")
    except ResponseError:
        return

    assert isinstance(outcome, Outcome)
    assert 0 <= outcome.score <= outcome.max_score
    assert (outcome.score == outcome.max_score) == (outcome.verdict == Verdict.ACCEPTED)
    assert json.dumps(outcome.to_json(), allow_nan=False)
