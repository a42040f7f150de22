import numpy as np
import pytest

from graders.cases import Case, Key, Mistake, Raised, Returned
from graders.comparisons import Comparison
from graders.diagnosis import likely_cause, matching_mistake
from graders.hypotheses.causes import Cause
from graders.metrics import Training
from tests.graders.values import tensor

ERROR = Raised(type="RuntimeError", message="mat1 and mat2 shapes cannot be multiplied (4x8 and 4x8)")


def returned(*values):
    return Returned(value=tensor(values))


def make_key(*cases):
    """Each case: expected values, then what each mistake gives."""
    slugs = list(cases[0][1])
    return Key(
        cases=tuple(
            Case(name=str(index), visible=True, index=index, expected=tensor(expected), mistakes=mistakes)
            for index, (expected, mistakes) in enumerate(cases)
        ),
        comparison=Comparison(),
        mistakes=tuple(Mistake(slug=slug, title=slug, feedback="") for slug in slugs),
    )


TWO = make_key(
    ([1.0], {"double": returned(2.0), "triple": returned(3.0)}),
    ([2.0], {"double": returned(4.0), "triple": returned(6.0)}),
)


def test_matching_mistake_agrees_on_every_case():
    assert matching_mistake(TWO, [returned(3.0), returned(6.0)]) == "triple"


@pytest.mark.parametrize(
    "given",
    [
        [returned(2.0), returned(6.0)],  # one of each
        [returned(1.0), returned(2.0)],  # right
        [returned(3.01), returned(6.0)],
        [Raised(type="RuntimeError"), returned(6.0)],
        [None, None],
    ],
)
def test_matching_mistake_finds_none(given):
    assert matching_mistake(TWO, given) is None


def test_matching_mistake_needs_only_the_cases_that_were_reached():
    assert matching_mistake(TWO, [returned(3.0), None]) == "triple"


def test_matching_mistake_forgives_more_rounding_than_the_comparison():
    assert matching_mistake(TWO, [returned(3.0 * (1 + 1e-5)), returned(6.0)]) == "triple"


def test_matching_mistake_must_differ_from_the_expected_by_more_than_it_forgives():
    key = make_key(([1.0], {"near": returned(1.0 + 5e-5)}))

    assert matching_mistake(key, [returned(1.0 + 5e-5)]) is None


def test_matching_mistake_by_nan():
    key = make_key(([1.0, 2.0], {"zero": returned(np.nan, 2.0)}))

    assert matching_mistake(key, [returned(np.nan, 2.0)]) == "zero"


def test_matching_mistake_by_an_exception_beside_a_value():
    key = make_key(
        ([1.0], {"untransposed": returned(5.0)}),
        ([2.0], {"untransposed": ERROR}),
    )

    assert matching_mistake(key, [returned(5.0), Raised(type="RuntimeError", message="other")]) == "untransposed"
    assert matching_mistake(key, [returned(5.0), Raised(type="ValueError", message=ERROR.message)]) is None
    assert matching_mistake(key, [returned(1.0), Raised(type="RuntimeError")]) is None


def test_matching_mistake_by_exceptions_alone_needs_the_same_words():
    key = make_key(([1.0], {"crashing": ERROR}), ([2.0], {"crashing": returned(2.0)}))
    other_numbers = Raised(type="RuntimeError", message=ERROR.message.replace("8", "16"))

    assert matching_mistake(key, [other_numbers, returned(2.0)]) == "crashing"
    assert matching_mistake(key, [Raised(type="RuntimeError", message="boom"), returned(2.0)]) is None


def test_matching_mistake_of_several_is_the_one_with_most_values():
    key = make_key(
        ([1.0], {"late": returned(3.0), "early": returned(3.0)}),
        ([2.0], {"late": returned(2.0 + 1e-4), "early": returned(2.0 + 2.4e-4)}),
    )

    assert matching_mistake(key, [returned(3.0), returned(2.0 + 1.7e-4)]) == "early"


def test_matching_mistake_of_equals_is_the_author_first():
    key = make_key(([1.0], {"first": returned(3.0), "second": returned(3.0)}))

    assert matching_mistake(key, [returned(3.0)]) == "first"


def test_matching_mistake_whose_output_is_unknown_is_none():
    key = make_key(([1.0], {"known": returned(3.0)}), ([2.0], {}))

    assert matching_mistake(key, [returned(3.0), returned(6.0)]) is None


def test_likely_cause_is_none_for_printed_text_and_predictions():
    training = Training(metric="accuracy", at_least=0.9)
    cases = [
        Case(name="printed", visible=True, index=0, expected="1", compare_as_printed=True),
        Case(name="trained", visible=True, index=1, expected=tensor([1.0, 2.0, 3.0]), training=training),
    ]
    key = Key(cases=tuple(cases), comparison=Comparison())

    assert likely_cause(key, [None, returned(2.0, 4.0, 6.0)], [False, False]) is None
    assert likely_cause(key, [Returned(value="2"), None], [False, False]) is None


@pytest.mark.parametrize(("rows", "cause"), [(1000, Cause.NUMPY_OR_LIST), (1001, None)])
def test_likely_cause_is_not_looked_for_in_very_many_single_numbers(rows, cause):
    key = make_key((np.ones((rows, 2)), {}))

    found = likely_cause(key, [Returned(value=[{"a": 1.0, "b": 1.0}] * rows)], [False])

    assert (found and found.cause) == cause


def test_matching_mistake_without_any_listed():
    key = make_key(([1.0], {}))

    assert matching_mistake(key, [returned(3.0)]) is None


@pytest.mark.parametrize("number", [0.0, 1.0, -2.5])
def test_likely_cause_of_one_number_everywhere_is_none(number):
    key = make_key(([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]], {}))

    assert likely_cause(key, [returned(*[[number] * 3] * 2)], [False]) is None


def test_likely_cause_of_one_wrong_number_alone_may_be_told():
    key = make_key(([1.0, 2.0, 3.0, 4.0], {}))

    assert likely_cause(key, [returned(-1.0, -2.0, -3.0, -4.0)], [False]).cause == Cause.SIGN
