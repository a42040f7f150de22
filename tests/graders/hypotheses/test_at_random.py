"""Whatever goes in and comes out, a diagnosis ends well; and what is changed at random has no cause."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.arrays import from_bytes
from graders.cases import Case, Inputs, Key, Returned
from graders.comparisons import Comparison
from graders.diagnosis import likely_cause
from graders.judging import judge_case
from graders.outcomes import Verdict
from tests.graders.hypotheses.computations import attend, drawn, entropy, normal, soft, turned
from tests.graders.hypotheses.diagnosed import cause_of, generator, value_of

OPTIONS = ("eps", "lr", "momentum", "stride", "padding", "base", "scale", "nesterov", "weight_decay", "beta1")
NUMBERS = (0.0, 0.1, 1e-5, 2.0, -1.0)


def any_array(source, shape=None):
    shape = tuple(source.integers(1, 5, size=source.integers(0, 5))) if shape is None else shape
    values = np.asarray(source.normal(size=shape) * 10.0 ** source.integers(-3, 4)).astype(np.float32)
    kind = source.integers(10)
    if kind == 0 and values.size:
        values.flat[source.integers(values.size)] = source.choice([np.nan, np.inf, -np.inf, 1e-42])
    return {1: np.zeros_like(values), 2: source.integers(-2, 5, size=shape), 3: values > 0}.get(int(kind), values)


def any_arguments(source):
    n, d, e = (int(size) for size in source.integers(1, 7, size=3))
    layouts = (
        [(n, d)] * int(source.integers(1, 6)),
        [(n, d), (e, d), (e, 2)],
        [(2, n, d), *[(d, d)] * 4],
        [(2, 3, n), (4, 3, e), (4,)],
        [(n, d), (d,), (d,)],
        [],
    )
    arrays = [any_array(source, shape) for shape in layouts[source.integers(len(layouts))]]
    return (*arrays, *(int(number) for number in source.integers(-1, 8, size=source.integers(0, 3))))


def any_expected(source, arguments):
    """Now and then what a known computation gives, so that it is varied."""
    first = next((one for one in arguments if isinstance(one, np.ndarray) and one.ndim and one.dtype.kind == "f"), None)
    if first is None or source.random() < 0.2:
        return any_array(source)
    rights = [soft, lambda x: normal(x, 1, 0), lambda x: turned(x[..., : x.shape[-1] // 2 * 2])]
    with np.errstate(all="ignore"):
        return rights[source.integers(3 if first.ndim > 1 and first.shape[-1] > 1 else 2)](first).astype(np.float32)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_diagnosis_of_anything_ends(seed):
    source = generator(seed)
    cases, results = [], []
    for index in range(source.integers(1, 4)):
        arguments = any_arguments(source)
        expected = any_expected(source, arguments)
        options = {name: float(source.choice(NUMBERS)) for name in source.choice(OPTIONS, size=2)}
        actual = source.choice([0, 1, 2])
        output = (
            (any_array(source), next(iter(arguments), None), None)[actual] if source.random() < 0.5 else 1 - expected
        )
        inputs = Inputs(args=tuple(value_of(one) for one in arguments), kwargs=options)
        cases.append(Case(name="a", visible=True, index=index, expected=value_of(expected), inputs=inputs))
        results.append(Returned(value=value_of(output)))

    found = likely_cause(Key(cases=tuple(cases), comparison=Comparison()), results, [False] * len(cases))

    assert found is None or 0 < found.strength <= 1


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 10))
def test_noise_on_what_is_known_has_no_cause(seed, size):
    source = generator(seed)
    computations = {
        attend: [drawn((4, 8), (6, 8), (6, 3)), drawn((3, 16), (5, 16), (5, 7))],
        normal: [drawn((3, 5), (5,), (5,)), drawn((2, 4, 6), (6,), (6,))],
        soft: [drawn((3, 5)), drawn((2, 4, 6))],
        entropy: [(*drawn((n, 4), seed=n), np.arange(n) % 4) for n in (3, 5, 6)],
    }

    for right, cases in computations.items():

        def wrong(*arguments, right=right):
            output = np.asarray(right(*arguments))
            return (output + size * source.normal(size=output.shape)).astype(np.float32)

        assert cause_of(right, wrong, cases) == ""


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["float16", "bfloat16", "float32", "float64", "complex64"]))
def test_memory_that_was_never_written_is_judged(seed, dtype):
    source = generator(seed)
    x = source.normal(size=(3, 5)).astype(np.float32)
    expected = value_of(soft(x))
    case = Case(name="a", visible=True, index=0, expected=expected, inputs=Inputs(args=(value_of(x),)))
    # Of such bytes many numbers are NaN of every kind.
    size = {"float64": 8, "complex64": 8, "float32": 4}.get(dtype, 2)
    data = source.choice([0, 1, 0x3F, 0x7F, 0x80, 0xA0, 0xF0, 0xFF], size=15 * size).astype(np.uint8).tobytes()
    comparison = Comparison(dtypes=(dtype,))
    result = Returned(value=from_bytes(dtype, (3, 5), data))

    judged = judge_case(case, result, comparison)
    found = likely_cause(Key(cases=(case,), comparison=comparison), [result], [False])

    assert judged.verdict == Verdict.WRONG_ANSWER
    assert found is None or 0 < found.strength <= 1
