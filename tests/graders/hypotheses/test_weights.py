"""Causes that show in weights and other normalised rows, and in the zeros of a mask."""

import numpy as np
import pytest

from tests.graders.hypotheses.diagnosed import cause_of, generator, hint_of

# Something that no known computation gives.
SHAPES = ((3, 5), (2, 4, 6), (4, 4))


def odd(x, y=None):
    return np.sin(3 * x) + 0.3 * x**2 + 1.5


def arrays(*shapes, seed=0):
    drawn = generator(seed)
    return [(drawn.normal(size=shape).astype(np.float32),) for shape in shapes]


ALL = arrays(*SHAPES)


def weights(x):
    raised = np.exp(np.sin(5 * x) + x)
    return raised / raised.sum(axis=-1, keepdims=True)


def test_scores_scaled_inside_of_weights():
    def wrong(x, factor=2.0):
        raised = weights(x) ** factor
        return raised / raised.sum(axis=-1, keepdims=True)

    assert cause_of(weights, wrong, ALL) == "scaled"
    assert "Every score is 2 times" in hint_of(weights, wrong, ALL)
    assert cause_of(weights, lambda x: wrong(x, -1.0), ALL) == "sign"
    assert cause_of(weights, lambda x: wrong(x, 1 / x.shape[-1]), ALL) == "scaled"


def test_scores_scaled_in_some_cases_only():
    def wrong(x):
        raised = weights(x) ** (2.0 if x.ndim == 2 else 1.0)
        return raised / raised.sum(axis=-1, keepdims=True)

    assert cause_of(weights, wrong, ALL) == ""


def test_weights_that_sum_to_one_over_another_axis():
    def wrong(x):
        raised = np.exp(np.sin(5 * x) + x)
        return raised / raised.sum(axis=-2, keepdims=True)

    assert cause_of(weights, wrong, ALL) == "other_axis_softmax"
    assert "The weights sum to 1 along axis 0, and not along axis 1." in hint_of(weights, wrong, ALL)


def test_weights_that_are_not_divided():
    assert cause_of(weights, lambda x: np.exp(np.sin(5 * x) + x), ALL) == "not_normalised"


def standard(x, axis=-1):
    y = x**3
    return (y - y.mean(axis=axis, keepdims=True)) / y.std(axis=axis, keepdims=True)


def test_standardised_over_another_axis():
    assert cause_of(standard, lambda x: standard(x, -2), arrays((5, 6), (3, 4, 4))) == "other_axis_normalised"


def test_rows_that_are_not_divided():
    assert (
        cause_of(standard, lambda x: x**3 - (x**3).mean(axis=-1, keepdims=True), arrays((6, 6), (4, 5, 5)))
        == "not_normalised"
    )


MASKED = {
    "mask_missing": lambda n: np.zeros((n, n), dtype=bool),
    "mask_inverted": lambda n: np.tril(np.ones((n, n), dtype=bool), -1),
    "mask_off_by_one": lambda n: np.triu(np.ones((n, n), dtype=bool), 2),
}


@pytest.mark.parametrize("cause", MASKED)
def test_mask_by_the_zeros_of_weights(cause):
    def masked(x, hidden):
        raised = np.where(hidden, 0, np.exp(np.sin(5 * x) + x))
        return raised / raised.sum(axis=-1, keepdims=True)

    def right(x):
        return masked(x, np.triu(np.ones(x.shape, dtype=bool), 1))

    cases = arrays((5, 5), (7, 7))

    assert cause_of(right, lambda x: masked(x, MASKED[cause](len(x))), cases) == cause


def test_mask_that_leaks_is_told_with_the_place():
    def masked(x, by):
        raised = np.where(np.triu(np.ones(x.shape, dtype=bool), by), 0, np.exp(x) + 1)
        return raised / raised.sum(axis=-1, keepdims=True)

    hint = hint_of(lambda x: masked(x, 1), lambda x: masked(x, 2), arrays((5, 5), (7, 7)))

    assert hint.startswith("Position 0 sees position 1, which should be hidden from it.")


def test_mask_that_is_given_by_the_zeros_of_weights():
    def masked(x, hidden):
        raised = np.where(hidden, 0, np.exp(np.sin(5 * x) + x))
        return raised / raised.sum(axis=-1, keepdims=True)

    masks = [np.abs(np.subtract.outer(np.arange(n), np.arange(n))) % 3 == 1 for n in (5, 6)]
    cases = [(*case, mask) for case, mask in zip(arrays((5, 5), (2, 6, 6)), masks, strict=True)]

    assert cause_of(masked, lambda x, hidden: masked(x, ~hidden), cases) == "mask_inverted"
    assert cause_of(lambda x, seen: masked(x, ~seen), lambda x, seen: masked(x, False), cases) == "mask_missing"
    assert cause_of(masked, lambda x, hidden: masked(x, hidden.T ^ (x > 1)), cases) == ""


def test_zeros_of_other_origin_are_no_mask():
    def right(x):
        raised = np.where(x > 0.5, 0, np.exp(x))
        return raised / raised.sum(axis=-1, keepdims=True)

    assert cause_of(right, lambda x: np.exp(np.sin(x)) / 7, ALL) == ""


def test_another_pattern_of_zeros_has_no_cause():
    def right(x):
        return np.where(x > 0.5, 0, odd(x))

    assert cause_of(right, lambda x: np.where(x < -0.2, 0, odd(x)), ALL) == ""
