"""Causes inside of softmax and attention: each written here by itself, right and then wrong in one thing."""

import numpy as np
import pytest

from tests.graders.hypotheses.computations import (
    attend,
    causal,
    drawn,
    future,
    headed,
    interleaved,
    masked,
    side_by_side,
    soft,
)
from tests.graders.hypotheses.diagnosed import cause_of, hint_of

# Softmax

SCORES = [drawn((3, 5)), drawn((2, 3, 4)), drawn((6,)), drawn((4, 4), spread=2.0)]
SOFTMAXES = {
    "other_axis_softmax": lambda x: soft(x, 0),
    "other_axis_softmax ": lambda x: soft(x, None),
    "not_normalised": lambda x: np.exp(x),
    "not_normalised ": lambda x: np.exp(x - x.max(axis=-1, keepdims=True)),
    "mean_for_sum": lambda x: soft(x) * x.shape[-1],
    "logits_for_probabilities": lambda x: soft(soft(x)),
    "logits_for_probabilities ": lambda x: x - x.max(axis=-1, keepdims=True),
    "input_returned": lambda x: x,
    "log_or_exp": lambda x: np.log(soft(x)),
    "log_or_exp ": lambda x: soft(x * np.log(2)),
    "sign": lambda x: soft(-x),
    "scaled": lambda x: soft(x / x.shape[-1] ** 0.5),
    "power": lambda x: x**2 / (x**2).sum(axis=-1, keepdims=True),
}


@pytest.mark.parametrize("name", SOFTMAXES)
def test_softmax(name):
    assert cause_of(soft, SOFTMAXES[name], SCORES) == name.strip()


def test_softmax_over_all_is_told():
    assert "over all axes at once" in hint_of(soft, lambda x: soft(x, None), SCORES)


def test_softmax_of_either_of_two_arguments():
    cases = [(*case, *case) for case in SCORES]

    assert cause_of(lambda x, y: soft(x), lambda x, y: soft(y, 0), cases) == "other_axis_softmax"


def test_softmax_of_some_cases_only():
    def right(x, scale):
        return soft(x) if x.ndim == 2 else np.sin(9 * x) + 2

    def wrong(x, scale):
        return soft(x, 0) if x.ndim == 2 else np.sin(8 * x) + 3

    cases = [(*case, np.float32(1)) for case in SCORES]

    assert cause_of(right, lambda x, scale: soft(x, 0) if x.ndim == 2 else right(x, scale), cases) != ""
    assert cause_of(right, wrong, cases) == ""


def test_log_softmax_over_another_axis():
    assert cause_of(lambda x: np.log(soft(x)), lambda x: np.log(soft(x, 0)), SCORES) == "other_axis_softmax"


# Attention

ATTENDED = [drawn((4, 8), (6, 8), (6, 3)), drawn((3, 64), (5, 64), (5, 7)), drawn((2, 3, 4), (2, 5, 4), (2, 5, 6))]
EQUAL = [drawn((5, 8), (5, 8), (5, 5)), drawn((2, 4, 6), (2, 4, 6), (2, 4, 4)), drawn((7, 4), (7, 4), (7, 7))]


ATTENTIONS = {
    "scaled": lambda q, k, v: attend(q, k, v, scale=1.0),
    "scaled ": lambda q, k, v: attend(q, k, v, scale=1 / q.shape[-1]),
    "scaled  ": lambda q, k, v: attend(q, k, v, scale=k.shape[-2] ** -0.5),
    "scaled   ": lambda q, k, v: attend(q, k, v, scale=1.0) / q.shape[-1] ** 0.5,
    "other_axis_softmax": lambda q, k, v: attend(q, k, v, axis=-2),
    "other_axis_softmax ": lambda q, k, v: attend(q, k, v, axis=None),
    "logits_for_probabilities": lambda q, k, v: attend(q, k, v, weigh=lambda scores, axis: scores),
    "not_normalised": lambda q, k, v: attend(q, k, v, weigh=lambda scores, axis: np.exp(scores)),
    "mean_for_sum": lambda q, k, v: attend(q, k, v) / k.shape[-2],
    "sign": lambda q, k, v: attend(-q, k, v),
    "mask_missing": None,
}


@pytest.mark.parametrize("name", ATTENTIONS)
def test_attention(name):
    if name == "mask_missing":
        hidden = [np.tril(np.ones((one[0].shape[-2], one[1].shape[-2]), dtype=bool), -2) for one in ATTENDED]
        cases = [(*one, mask) for one, mask in zip(ATTENDED, hidden, strict=True)]
        assert cause_of(masked, lambda q, k, v, mask: attend(q, k, v), cases) == "mask_missing"
        return
    assert cause_of(attend, ATTENTIONS[name], ATTENDED) == name.strip()


def test_attention_with_a_mask_that_says_what_is_seen():
    seen = [np.triu(np.ones((one[0].shape[-2], one[1].shape[-2]), dtype=bool), -1) for one in ATTENDED]
    cases = [(*one, mask) for one, mask in zip(ATTENDED, seen, strict=True)]

    def right(q, k, v, mask):
        return attend(q, k, v, hidden=~mask)

    assert cause_of(right, lambda q, k, v, mask: attend(q, k, v, hidden=mask), cases) == "mask_inverted"
    assert cause_of(right, lambda q, k, v, mask: attend(q, k, v, hidden=~mask, filling=0), cases) == "mask_missing"


def test_attention_with_a_scale_of_its_own():
    cases = [(one, {"scale": 0.3}) for one in ATTENDED]

    assert cause_of(attend, lambda q, k, v, scale: attend(q, k, v), cases) == "scaled"


CAUSAL = {
    "mask_missing": attend,
    "mask_missing ": lambda q, k, v: causal(q, k, v, filling=0.0),
    "mask_inverted": lambda q, k, v: attend(q, k, v, hidden=~future(q), filling=-1e9),
    "mask_inverted ": lambda q, k, v: attend(q, k, v, hidden=~future(q, 0)),
    "mask_off_by_one": lambda q, k, v: causal(q, k, v, 2),
    "mask_off_by_one ": lambda q, k, v: causal(q, k, v, 0, filling=-1e9),
    "not_normalised": lambda q, k, v: np.where(future(q), 0, soft(q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5)) @ v,
    "scaled": lambda q, k, v: causal(q, k, v, scale=1.0),
    "transposed": lambda q, k, v: causal(k, q, v),
}


@pytest.mark.parametrize("name", CAUSAL)
def test_causal_attention(name):
    assert cause_of(causal, CAUSAL[name], EQUAL) == name.strip()


def test_causal_attention_tells_what_leaks():
    hint = hint_of(causal, lambda q, k, v: causal(q, k, v, 2), EQUAL)

    assert hint.startswith("The border of the mask lies one place off. Each position sees the next one as well.")


# Several heads

HEADED = [(*drawn((2, 5, 12), *[(12, 12)] * 4, seed=seed), heads) for seed, heads in ((1, 3), (2, 4))]


HEADS = {
    "permuted": lambda *given: headed(*given, merge=lambda x: x.reshape(len(x), x.shape[2], -1)),
    "permuted ": lambda *given: headed(*given, cut=lambda x, heads: x.reshape(len(x), heads, x.shape[1], -1)),
    "heads_reordered": lambda *given: headed(*given, cut=interleaved),
    "heads_reordered ": lambda *given: headed(*given, merge=lambda x: np.moveaxis(x, 1, -1).reshape(len(x), 5, -1)),
    "heads_reordered  ": lambda *given: headed(*given, merge=lambda x: side_by_side(x[:, ::-1])),
    "scaled": lambda *given: headed(*given, scale=12**-0.5),
    "mean_for_sum": lambda *given: headed(*given) / given[-1],
    "transposed": lambda x, wq, wk, wv, wo, heads: headed(x, wq, wk, wv, wo.T, heads),
    "other_axis_softmax": lambda *given: headed(*given, axis=1),
}


@pytest.mark.parametrize("name", HEADS)
def test_multi_head_attention(name):
    assert cause_of(headed, HEADS[name], HEADED) == name.strip()


def test_multi_head_attention_with_matrices_that_are_not_square_is_none():
    cases = [(*drawn((2, 5, 12), (12, 8), (12, 8), (12, 8), (8, 12)), 2)]

    assert cause_of(headed, lambda *given: np.tanh(headed(*given)) + 1, cases) == ""
