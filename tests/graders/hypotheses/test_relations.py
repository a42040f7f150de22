"""Causes that show in how the output follows from the expected one, whatever computed it."""

import numpy as np
import pytest

from tests.graders.hypotheses.diagnosed import cause_of, generator, hint_of, judged

# Something that no known computation gives.
SHAPES = ((3, 5), (2, 4, 6), (4, 4))


def odd(x, y=None):
    return np.sin(3 * x) + 0.3 * x**2 + 1.5


def arrays(*shapes, seed=0):
    drawn = generator(seed)
    return [(drawn.normal(size=shape).astype(np.float32),) for shape in shapes]


ALL = arrays(*SHAPES)

WRONG = {
    "transposed": lambda x: odd(x).swapaxes(-1, -2),
    "scaled": lambda x: 2.5 * odd(x),
    "scaled ": lambda x: odd(x) / x.shape[-1] ** 0.5,
    "scaled  ": lambda x: odd(x) * x.sum(),
    "sign": lambda x: -odd(x),
    "shifted_by_constant": lambda x: odd(x) + 0.7,
    "shifted_by_constant ": lambda x: odd(x) + x.mean(),
    "shifted_by_constant  ": lambda x: odd(x) - odd(x).mean(axis=-1, keepdims=True),
    "power": lambda x: odd(x) ** 2,
    "power ": lambda x: 1 / odd(x),
    "log_or_exp": lambda x: np.log(odd(x)),
    "log_or_exp ": lambda x: np.exp(odd(x)),
    "log_or_exp  ": lambda x: odd(x) / np.log(2),
    "rolled": lambda x: np.roll(odd(x), 1, axis=-1),
    "rolled ": lambda x: np.concatenate([np.zeros_like(x[..., :1]), odd(x)[..., :-1]], axis=-1),
    "rows_reordered": lambda x: odd(x)[..., ::-1],
    "permuted": lambda x: odd(x).swapaxes(-1, -2).reshape(x.shape),
    "biased_for_unbiased": lambda x: odd(x) * x.shape[-1] / (x.shape[-1] - 1),
    "input_returned": lambda x: x,
    "rounded": lambda x: np.round(odd(x), 2),
    "rounded ": lambda x: np.floor(100 * odd(x)) / 100,
    "half_precision": lambda x: odd(x).astype(np.float16).astype(np.float32),
    "wrong_rank_broadcast": lambda x: odd(x)[None],
    "wrong_rank_broadcast ": lambda x: odd(x)[..., None] + 0 * x[..., None, :],
    "residual_missing": lambda x: odd(x) - x,
    "sign   ": lambda x: 4 - odd(x),
    "sign ": lambda x: odd(x) - 2 * x,
    "sign  ": lambda x: 2 * x - odd(x),
    "scaled    ": lambda x: x + 3 * (odd(x) - x),
}


@pytest.mark.parametrize("name", WRONG)
def test_relation_is_named(name):
    assert cause_of(odd, WRONG[name], ALL) == name.strip()


def test_signs_that_are_lost():
    def right(x):
        return odd(x) - 2

    assert cause_of(right, lambda x: abs(right(x)), ALL) == "sign"
    assert "without their signs" in hint_of(right, lambda x: abs(right(x)), ALL)


def test_rows_are_told_from_one_constant_and_need_three_values():
    narrow = arrays((6, 2), (5, 2))

    def wrong(x):
        return odd(x) - odd(x).mean(axis=-1, keepdims=True)

    assert "In each row" in hint_of(odd, wrong, ALL)
    assert cause_of(odd, wrong, narrow) == ""


def test_each_value_off_by_its_own_amount_is_no_shift():
    assert cause_of(odd, lambda x: odd(x) + np.sin(9 * x), ALL) == ""


def test_right_numbers_of_another_dtype():
    def right(x):
        return np.round(odd(x))

    assert cause_of(right, lambda x: right(x).astype(np.int64), ALL) == "wrong_dtype"
    assert cause_of(right, lambda x: right(x).astype(np.int64) + 1, ALL) == "shifted_by_constant"


def test_the_answer_of_another_case():
    cases = [*ALL[:1], *arrays((3, 5), seed=1)]

    assert cause_of(odd, lambda x: odd(ALL[0][0]), cases) == "hard_coded"


@pytest.mark.parametrize("seed", range(8))
def test_noise_has_no_cause(seed):
    drawn = generator(seed)

    assert cause_of(odd, lambda x: odd(x) + drawn.normal(size=x.shape), ALL) == ""
    assert cause_of(odd, lambda x: odd(x) * drawn.uniform(0.5, 2, size=x.shape), ALL) == ""


def test_one_wrong_value_has_no_cause():
    def wrong(x):
        changed = odd(x)
        changed[0, 0] += 1
        return changed

    assert cause_of(odd, wrong, ALL) == ""


def test_a_cause_must_explain_every_wrong_case():
    def wrong(x):
        return 2 * odd(x) if x.ndim == 2 else odd(x) + 1

    assert cause_of(odd, wrong, ALL) == ""


def test_a_cause_is_refuted_by_a_right_case():
    def wrong(x):
        return -odd(x) if x.ndim == 2 else odd(x)

    assert cause_of(odd, wrong, ALL) == ""


def test_a_single_number_is_too_little():
    assert cause_of(lambda x: odd(x).sum(), lambda x: 2 * odd(x).sum(), ALL[:1]) == ""


def test_sum_for_mean_of_numbers():
    right, wrong = (lambda x: odd(x).mean()), (lambda x: odd(x).sum())

    assert cause_of(right, wrong, ALL) == "mean_for_sum"
    assert "15 times larger" in hint_of(right, wrong, ALL)


def test_a_reduction_left_out_is_another_rank():
    assert cause_of(lambda x: odd(x).mean(), odd, ALL) == "wrong_rank_broadcast"
    assert cause_of(lambda x: odd(x).mean(axis=-1), odd, ALL) == "wrong_rank_broadcast"


def test_an_axis_too_few_is_another_rank():
    assert cause_of(odd, lambda x: odd(x)[..., 0], ALL) == "wrong_rank_broadcast"
    assert "The result has 1 axis; 2 axes were expected." in hint_of(odd, lambda x: odd(x)[..., 0], ALL)


def test_another_shape_of_the_same_rank_has_no_cause():
    assert cause_of(odd, lambda x: odd(x)[:1], ALL) == ""


def test_the_factor_is_told_with_its_name():
    hint = hint_of(odd, lambda x: 8 * odd(x), arrays((3, 64), (5, 64)))

    named = "that is √64, and 64 is the length of the last axis of the first input."
    assert hint.startswith(f"Every value is 8 times the expected one: {named} ")


def test_factor_of_an_option_in_a_step():
    def right(p, lr=0.1):
        return p - lr * odd(p)

    cases = [((*case,), {"lr": 0.1 * (index + 1)}) for index, case in enumerate(ALL)]

    assert cause_of(right, lambda p, lr: p - odd(p), cases) == "scaled"
    assert "10 times the expected one: that is 1/0.1, from an argument." in hint_of(
        right, lambda p, lr: p - odd(p), cases
    )
    assert cause_of(right, lambda p, lr: p - lr * odd(p) * p.shape[0], cases) == "scaled"


def test_vector_left_out():
    cases = [(*case, generator(1).normal(size=case[0].shape[-1]).astype(np.float32)) for case in ALL]

    assert cause_of(lambda x, b: odd(x) + b, lambda x, b: odd(x), cases) == "shifted_by_constant"
    assert cause_of(lambda x, b: odd(x) + b, lambda x, b: odd(x) - b, cases) == "sign"


def test_heads_in_another_order_where_an_argument_says_how_many():
    cases = [(*case, 2) for case in arrays((3, 8), (5, 6))]

    def swapped(x, heads):
        halves = np.split(odd(x), heads, axis=-1)
        return np.concatenate(halves[::-1], axis=-1)

    def dealt(x, heads):
        return odd(x).reshape(len(x), heads, -1).swapaxes(1, 2).reshape(x.shape)

    assert cause_of(lambda x, heads: odd(x), swapped, cases) == "heads_reordered"
    assert cause_of(lambda x, heads: odd(x), dealt, cases) == "heads_reordered"
    assert cause_of(lambda x, heads: odd(x), lambda x, heads: odd(x)[:, ::-1], cases) == "rows_reordered"


def test_part_of_the_last_axis_laid_before_another():
    def wrong(x):
        return np.moveaxis(odd(x).reshape(*x.shape[:-1], -1, 2), -1, -3).reshape(x.shape)

    assert cause_of(odd, wrong, arrays((3, 8), (2, 3, 6))) == "permuted"


def test_axes_in_another_order():
    assert cause_of(odd, lambda x: odd(x).transpose(2, 0, 1), arrays((2, 3, 4), (4, 3, 2))) == "permuted"


def test_more_axes_than_are_looked_at():
    cases = arrays((2, 2, 2, 2, 3), (2, 2, 2, 2, 3), seed=1)

    assert cause_of(odd, lambda x: odd(x).swapaxes(0, 1), cases) == ""


def test_errors_of_half_precision_within_the_computation():
    def wrong(x):
        return np.sin(3 * x).astype(np.float16).astype(np.float32) + 0.3 * x**2 + 1.5

    assert cause_of(odd, wrong, arrays((6, 7), (9, 5))) == "half_precision"


def test_only_whole_numbers():
    assert cause_of(lambda x: 10 * odd(x), lambda x: np.round(10 * odd(x)), ALL) == "rounded"
    assert "only whole numbers are kept" in hint_of(lambda x: 10 * odd(x), lambda x: np.floor(10 * odd(x)), ALL)


def test_bfloat16_is_half_precision():
    def wrong(x):
        return (odd(x).view(np.uint32) & 0xFFFF0000).view(np.float32)

    assert cause_of(odd, wrong, ALL) == "half_precision"


def test_unwritten_slices():
    def wrong(x):
        written = odd(x)
        written[..., -1, :] = 1e-40
        written[..., -1, 0] = 0.77
        return written

    assert cause_of(odd, wrong, ALL) == "uninitialised"


def test_answers_of_the_first_case_for_all():
    stored = odd(ALL[0][0])

    def wrong(x):
        table = np.zeros_like(x)
        rows, columns = (min(pair) for pair in zip(x.shape, stored.shape, strict=True))
        table[:rows, :columns] = stored[:rows, :columns]
        return table

    assert cause_of(odd, wrong, arrays((3, 5), (6, 7), (4, 9))) == "hard_coded"


def test_the_same_answer_whatever_goes_in():
    assert cause_of(odd, lambda x: np.arange(6.0).reshape(2, 3), arrays((2, 3), (2, 3))) == "hard_coded"


def test_what_many_computations_give_is_not_called_hard_coded():
    assert cause_of(odd, lambda x: np.float32(np.nan), arrays((2, 3), (2, 3))) != "hard_coded"
    assert cause_of(odd, lambda x: np.full((2, 3), np.nan), arrays((2, 3), (2, 3))) == ""
    assert cause_of(lambda x: x > 0, lambda x: np.asarray((x > 0).any()), ALL) == "wrong_rank_broadcast"


def test_one_axis_takes_the_singular():
    cases = arrays((3, 4), (2, 5))

    assert "2 axes; 1 axis was expected" in hint_of(lambda x: odd(x).sum(-1), lambda x: odd(x), cases)


def test_lists_and_arrays_and_nothing():
    assert cause_of(odd, lambda x: odd(x).tolist(), ALL) == "numpy_or_list"
    assert cause_of(odd, lambda x: None, ALL) == "no_result"
    assert cause_of(odd, lambda x: [], ALL) == ""
    assert cause_of(odd, lambda x: "text", ALL) == ""
    assert cause_of(odd, lambda x: (odd(x) + 1).tolist(), ALL) == ""
    assert cause_of(lambda x: (odd(x), x), lambda x: (odd(x), None), ALL) == "no_result"
    assert cause_of(lambda x: (odd(x), x), lambda x: np.stack([odd(x), x]), ALL) == "wrong_rank_broadcast"
    assert cause_of(lambda x: (odd(x), x), lambda x: (x, odd(x), x), ALL) == ""


def test_a_shape_comes_before_values():
    def right(x):
        return odd(x), odd(x).mean(axis=-1)

    def wrong(x):
        return odd(x) + x, odd(x).mean(axis=-1, keepdims=True)

    assert cause_of(right, wrong, ALL) == "wrong_rank_broadcast"


def test_right_on_visible_cases_only():
    def wrong(x):
        if x.ndim == 3:
            raise ValueError("not enough values to unpack")
        return odd(x)

    assert cause_of(odd, wrong, [*arrays((3, 5), (4, 4)), *arrays((2, 3, 4))], visible=2) == "visible_only"
    assert cause_of(odd, wrong, [*arrays((3, 5), (4, 4)), *arrays((2, 3, 4))]) == ""


def test_overflow_of_single_precision_is_followed():
    big = [(np.linspace(1, 99, 12, dtype=np.float32).reshape(3, 4),)]

    def wrong(x):
        return np.exp((3 * x).astype(np.float32))

    assert cause_of(lambda x: 3 * x, wrong, big) == "log_or_exp"


def test_all_nan_says_little():
    assert cause_of(odd, lambda x: np.full_like(x, np.nan), ALL) == ""


def test_whole_numbers_that_are_half_precision_anyway_are_not_told_as_such():
    def right(x):
        return np.arange(x.size, dtype=np.float32).reshape(x.shape) + 64

    assert cause_of(right, lambda x: right(x) + (x > 0), ALL) == ""


def test_zeros_in_place_of_everything_have_no_cause():
    assert cause_of(odd, np.zeros_like, ALL) == ""
    assert cause_of(lambda x: np.zeros_like(x), odd, ALL) == ""


def test_too_large_cases_are_not_looked_at():
    large = arrays((300, 300))

    assert cause_of(odd, lambda x: 2 * odd(x), large) == ""
    assert cause_of(odd, lambda x: 2 * odd(x), [*ALL, *large]) == "scaled"
    assert cause_of(lambda x: odd(x).sum(axis=-1), lambda x: 2 * odd(x).sum(axis=-1), large) == ""


def test_outputs_of_very_many_parts_are_not_looked_at():
    def right(x, count):
        return [odd(x)[place] for place in range(count)]

    def wrong(x, count):
        return [2.5 * part for part in right(x, count)]

    few, many = ([(*case, count) for case in arrays((count, 3), (count, 2))] for count in (128, 129))

    assert cause_of(right, wrong, few) == "scaled"
    assert cause_of(right, wrong, many) == ""


def test_complex_values_for_real_ones_and_the_reverse():
    assert cause_of(odd, lambda x: np.roll(odd(x), 1, axis=-1) * 1j, ALL) == ""
    assert cause_of(lambda x: odd(x) * 1j, lambda x: np.sin(9 * x), ALL) == ""


def test_what_cannot_be_looked_at_weakens():
    def wrong(x):
        if x.ndim == 3:
            raise ValueError
        return odd(x) * x.sum()

    assert cause_of(odd, wrong, ALL[::2]) == "scaled"
    assert cause_of(odd, wrong, ALL) == ""


def test_empty_arguments_are_not_looked_at():
    cases = [(*case, np.zeros((0, 3), dtype=np.float32)) for case in ALL]

    assert cause_of(lambda x, y: odd(x), lambda x, y: 2 * odd(x), cases) == ""


def test_complex_values():
    def right(x):
        return ((2 + x) * np.exp(1j * x)).astype(np.complex64)

    assert cause_of(right, lambda x: -right(x), ALL) == "sign"
    assert cause_of(right, lambda x: np.conj(right(x)), ALL) == "sign"
    assert "imaginary parts" in hint_of(right, lambda x: np.conj(right(x)), ALL)
    assert cause_of(right, lambda x: right(x).real + 0j, ALL) == ""


def test_hidden_cases_tell_the_cause_in_general_terms():
    outcome = judged(odd, lambda x: 8 * odd(x), [*ALL, *arrays((3, 64), (5, 64))], visible=0)

    assert {case.feedback.cause for case in outcome.cases} == {"scaled"}
    hints = {case.feedback.hint for case in outcome.cases}
    assert len(hints) == 1
    assert not any(character.isdigit() for character in hints.pop())
    assert {case.feedback.details for case in outcome.cases} == {None}
