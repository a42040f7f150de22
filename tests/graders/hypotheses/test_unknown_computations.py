"""Wrong variants of computations that no model knows: what is claimed of them must be true, and mostly nothing is."""

import numpy as np
import pytest

from tests.graders.hypotheses.computations import soft
from tests.graders.hypotheses.diagnosed import generator, judged

DRAWN = generator(5)


def arrays(*groups):
    return [tuple(DRAWN.normal(size=shape) for shape in shapes) for shapes in groups]


def cosine(a, b):
    return (a * b).sum(-1) / (np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1))


def distances(a, b, power=0.5, reduce=np.sum):
    return reduce((a[:, None] - b[None]) ** 2, axis=-1) ** power


def divergence(p, q):
    p, q = soft(p), soft(q)
    return (p * (np.log(p) - np.log(q))).sum(-1)


def huber(x, y):
    gap = np.abs(x - y)
    return np.where(gap < 1, 0.5 * gap**2, gap - 0.5)


def pooled(x, reduce=np.max):
    rows, columns = x.shape
    return reduce(x.reshape(rows // 2, 2, columns // 2, 2), axis=(1, 3))


def smoothed(x, start=True, keep=0.9, add=0.1):
    out, state = np.zeros_like(x), x[0] if start else np.zeros_like(x[0])
    for row in range(len(x)):
        state = state if start and row == 0 else keep * state + add * x[row]
        out[row] = state
    return out


def recurrent(x, h, wx, wh, variant=""):
    n = h.shape[-1]
    gx, gh = x @ wx, h @ wh
    reset, update = (1 / (1 + np.exp(-gx[:, part] - gh[:, part])) for part in (slice(0, n), slice(n, 2 * n)))
    if variant == "gates swapped":
        reset, update = update, reset
    inner = gh[:, 2 * n :] * (1 if variant == "no reset" else reset)
    if variant == "reset before":
        inner = (reset * h) @ wh[:, 2 * n :]
    new = np.tanh(gx[:, 2 * n :] + inner)
    if variant == "no update":
        return new
    return update * new + (1 - update) * h if variant == "update turned" else (1 - update) * new + update * h


def masked_mean(x, m, variant=""):
    m = (m > 0) * 1.0
    m[:, 0] = 1
    total = (x * m[..., None]).sum(1)
    if variant == "mean of all":
        return x.mean(1)
    if variant == "zeros counted":
        return total / x.shape[1]
    return total if variant == "sum" else total / m.sum(1)[:, None]


def propagated(a, x, w, variant=""):
    a = np.maximum(a > 0.3, a.T > 0.3) * 1.0
    if variant != "no loops":
        np.fill_diagonal(a, 1)
    degree = np.maximum(a.sum(-1), 1)
    if variant == "by rows":
        return np.maximum((a / degree[:, None]) @ x @ w, 0)
    root = 1 if variant == "not normalised" else degree**-0.5
    out = (np.reshape(root, (-1, 1)) * a * root) @ x @ w
    return out if variant == "no relu" else np.maximum(out, 0)


PAIRS = arrays(((4, 5), (4, 5)), ((3, 8), (3, 8)), ((6, 4), (6, 4)))
ROWS = arrays(((4, 5), (3, 5)), ((3, 8), (6, 8)), ((5, 4), (5, 4)))
PLANES = arrays(((6, 4),), ((4, 8),), ((8, 6),))
GATES = arrays(*(((b, i), (b, h), (i, 3 * h), (h, 3 * h)) for b, i, h in ((3, 4, 5), (2, 6, 3), (4, 3, 4))))
MASKS = arrays(((3, 5, 4), (3, 5)), ((2, 7, 3), (2, 7)), ((4, 4, 5), (4, 4)))
GRAPHS = arrays(((5, 5), (5, 4), (4, 3)), ((6, 6), (6, 3), (3, 5)), ((4, 4), (4, 4), (4, 4)))

# Right, wrong, cases, and the causes that may be named.
CLAIMS = {
    "dot": (cosine, lambda a, b: (a * b).sum(-1), PAIRS, {"not_normalised"}),
    "one length": (cosine, lambda a, b: (a * b).sum(-1) / np.linalg.norm(a, axis=-1), PAIRS, {"not_normalised"}),
    "absolute": (cosine, lambda a, b: abs(cosine(a, b)), PAIRS, {"sign"}),
    "distance of cosines": (cosine, lambda a, b: 1 - cosine(a, b), PAIRS, {"sign"}),
    "mean": (cosine, lambda a, b: cosine(a, b) / a.shape[-1], PAIRS, {"mean_for_sum"}),
    "squared": (distances, lambda a, b: distances(a, b, 1), ROWS, {"power"}),
    "city blocks": (distances, lambda a, b: abs(a[:, None] - b[None]).sum(-1), ROWS, set()),
    "turned": (distances, lambda a, b: distances(b, a), ROWS, {"transposed"}),
    "mean square": (distances, lambda a, b: distances(a, b, reduce=np.mean), ROWS, {"scaled", "mean_for_sum"}),
    "products": (distances, lambda a, b: a @ b.T, ROWS, set()),
    "arguments swapped": (divergence, lambda p, q: divergence(q, p), PAIRS, set()),
    "cross entropy": (divergence, lambda p, q: -(soft(p) * np.log(soft(q))).sum(-1), PAIRS, set()),
    "base two": (divergence, lambda p, q: divergence(p, q) / np.log(2), PAIRS, {"log_or_exp"}),
    "symmetric": (divergence, lambda p, q: (divergence(p, q) + divergence(q, p)) / 2, PAIRS, set()),
    "squares": (huber, lambda x, y: 0.5 * (x - y) ** 2, PAIRS, set()),
    "no half": (huber, lambda x, y: np.where(abs(x - y) < 1, (x - y) ** 2, abs(x - y) - 0.5), PAIRS, set()),
    "average": (pooled, lambda x: pooled(x, np.mean), PLANES, set()),
    "smallest": (pooled, lambda x: pooled(x, np.min), PLANES, set()),
    "every second": (pooled, lambda x: x[::2, ::2], PLANES, set()),
    "from zero": (smoothed, lambda x: smoothed(x, start=False), PLANES, set()),
    "rates swapped": (smoothed, lambda x: smoothed(x, keep=0.1, add=0.9), PLANES, set()),
    "running sum": (smoothed, lambda x: smoothed(x, keep=1, add=1), PLANES, set()),
    "other axis": (lambda x: x.cumsum(0), lambda x: x.cumsum(1), PLANES, set()),
    "without itself": (lambda x: x.cumsum(0), lambda x: x.cumsum(0) - x, PLANES, {"residual_missing"}),
    "from the end": (lambda x: x.cumsum(0), lambda x: x[::-1].cumsum(0)[::-1], PLANES, set()),
    "only centred": (
        lambda x: x - np.log(np.exp(x).sum(-1, keepdims=True)),
        lambda x: x - 1,
        PLANES,
        {"shifted_by_constant"},
    ),
    **{
        variant: (recurrent, lambda *given, variant=variant: recurrent(*given, variant), GATES, claims)
        for variant, claims in {
            "no reset": set(),
            "reset before": set(),
            "no update": set(),
            "update turned": {"roles_swapped"},
            "gates swapped": {"roles_swapped"},
        }.items()
    },
    **{
        variant: (masked_mean, lambda *given, variant=variant: masked_mean(*given, variant), MASKS, claims)
        for variant, claims in {
            "mean of all": {"mask_missing"},
            "zeros counted": {"not_normalised"},
            "sum": {"not_normalised", "mean_for_sum"},
        }.items()
    },
    **{
        variant: (propagated, lambda *given, variant=variant: propagated(*given, variant), GRAPHS, claims)
        for variant, claims in {
            "no loops": set(),
            "by rows": {"power", "other_axis_normalised"},
            "not normalised": {"not_normalised"},
            "no relu": set(),
        }.items()
    },
}


@pytest.mark.parametrize("name", CLAIMS)
def test_nothing_false_is_claimed(name):
    right, wrong, cases, claims = CLAIMS[name]

    outcome = judged(right, wrong, cases)

    assert outcome.verdict != "accepted"
    assert {case.feedback.cause for case in outcome.cases} - {""} <= claims


def test_something_is_claimed_where_it_shows():
    named = {
        name
        for name, (right, wrong, cases, _) in CLAIMS.items()
        if any(case.feedback.cause for case in judged(right, wrong, cases).cases)
    }

    assert {"absolute", "distance of cosines", "mean", "squared", "turned", "base two", "only centred"} <= named
