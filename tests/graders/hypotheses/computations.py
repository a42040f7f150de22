"""Known computations of numpy arrays, written for the tests; their options make each of them wrong in one thing."""

import numpy as np

from tests.graders.hypotheses.diagnosed import generator


def drawn(*shapes, seed=0, spread=1.0):
    source = generator(seed)
    return tuple((spread * source.normal(size=shape)).astype(np.float32) for shape in shapes)


def soft(scores, axis=-1):
    raised = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return raised / raised.sum(axis=axis, keepdims=True)


def attend(q, k, v, *, scale=None, axis=-1, hidden=None, filling=-np.inf, weigh=soft):
    scores = q @ np.swapaxes(k, -1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if hidden is not None:
        scores = np.where(hidden, filling, scores)
    return weigh(scores, axis) @ v


def masked(q, k, v, mask):
    return attend(q, k, v, hidden=mask)


def future(q, by=1):
    return np.triu(np.ones((q.shape[-2], q.shape[-2]), dtype=bool), by)


def causal(q, k, v, by=1, **more):
    return attend(q, k, v, hidden=future(q, by), **more)


def headed(x, wq, wk, wv, wo, heads, *, cut=None, merge=None, scale=None, axis=-1):
    cut, merge = cut or columns, merge or side_by_side
    query, key, value = (cut(x @ w, heads) for w in (wq, wk, wv))
    return merge(attend(query, key, value, scale=scale, axis=axis)) @ wo


def columns(x, heads):
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def side_by_side(x):
    return x.swapaxes(1, 2).reshape(len(x), x.shape[2], -1)


def interleaved(x, heads):
    return np.moveaxis(x.reshape(*x.shape[:2], -1, heads), -1, 1)


def normal(x, weight, bias, eps=1e-5, *, axis=-1, correction=0, root=0.5, mean=1.0):
    centred = x - mean * x.mean(axis=axis, keepdims=True)
    variance = x.var(axis=axis, keepdims=True, ddof=correction)
    return centred / (variance + eps) ** root * weight + bias


def rms(x, weight):
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-6) * weight


def batch(x, mean, variance, momentum=0.1, *, correction=0, running=1, power=1.0):
    axes = (0, *range(2, x.ndim))
    along = (-1, *[1] * (x.ndim - 2))
    y = (x - x.mean(axes).reshape(along)) / np.sqrt(x.var(axes, ddof=correction).reshape(along) + 1e-5)
    fresh = x.mean(axes), x.var(axes, ddof=running) ** power
    return (y, *((1 - momentum) * old + momentum * new for old, new in zip((mean, variance), fresh, strict=True)))


def rates(logits):
    return np.log(soft(logits))


def chosen(table, target):
    return table[np.arange(len(target)), target]


def entropy(logits, target):
    return -chosen(rates(logits), target).mean()


def angles(length, width, base=10000.0, start=0, exponent=2.0):
    return (np.arange(length)[:, None] + start) * base ** (-exponent * np.arange(width // 2) / width)


def sinusoids(length, width, base=10000.0, **more):
    return columns_of(np.sin(angles(length, width, base, **more)), np.cos(angles(length, width, base, **more)))


def columns_of(first, second):
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def turned(x, base=10000.0, *, sign=1.0, minus=-1.0, start=0, halves=False, out=columns_of, axis=-2, factor=1.0):
    table = factor * angles(x.shape[axis], x.shape[-1], base, start)
    table = table.reshape(x.shape[axis], *[1] * (-axis - 2), -1)
    half = x.shape[-1] // 2
    a, b = (x[..., :half], x[..., half:]) if halves else (x[..., ::2], x[..., 1::2])
    cosine, sine = np.cos(table), sign * np.sin(table)
    return out(a * cosine + minus * b * sine, a * sine + b * cosine)


def joined(a, b):
    return np.concatenate([a, b], axis=-1)


def convolve(x, kernel, bias, stride=1, padding=0, *, flip=False, sides=None, mode="constant", start=0):
    sides = sides or (padding, padding)
    x = np.pad(x, ((0, 0), (0, 0), sides), mode=mode)
    x = np.pad(x, ((0, 0), (0, 0), (0, start)))[..., start:]
    kernel = kernel[..., ::-1] if flip else kernel
    width = kernel.shape[-1]
    places = range(0, x.shape[-1] - width + 1, stride)
    out = [np.einsum("bcw,ocw->bo", x[..., place : place + width], kernel) for place in places]
    return np.stack(out, axis=-1) + bias[:, None]


def momentum_step(p, g, v, lr, momentum=0.9, weight_decay=0.0, nesterov=False, *, sign=-1, fresh=1, first=1.0):
    g = g + weight_decay * p
    v = momentum * v + fresh * first * g
    ahead = first * g + momentum * v if nesterov else v
    return p + sign * lr / first * ahead, v


def adam_step(p, g, m, v, step, lr=0.001, eps=1e-8, *, sign=-1, corrected=(True, True), root=0.5, square=2, by=0):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * np.abs(g) ** square
    upper = m / (1 - 0.9 ** (step + by)) if corrected[0] else m
    lower = v / (1 - 0.999 ** (step + by)) if corrected[1] else v
    return {"p": p + sign * lr * upper / (lower**root + eps), "m": m, "v": v}


def moments(size, step, seed):
    p, g, m, v = drawn((size,), (size,), (size,), (size,), seed=seed)
    return p, 0.1 * g, 0.1 * m, np.abs(0.01 * v), step


def gated(x, *, state, residual=1.0, sign=1.0, bias=1.0, swap=False, turn=False):
    gate, up = (state["up"], state["gate"]) if swap else (state["gate"], state["up"])
    gate = gate.T if turn else gate
    h = x @ gate.T
    return residual * x + sign * ((h / (1 + np.exp(-h)) * (x @ up.T)) @ state["down"].T + bias * state["bias"])


def unit(seed, width, hidden, *shape):
    names = ("gate", "up", "down", "bias")
    arrays = drawn((hidden, width), (hidden, width), (width, hidden), (width,), seed=seed)
    return drawn((*shape, width), seed=seed + 9), {}, dict(zip(names, arrays, strict=True))
