"""Right values, but for their digits: rounded or computed in half precision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation
from graders.hypotheses.predictions import Prediction

MOST_DECIMALS: Final = 6
HALF_ERROR: Final = 2.0**-6
"""What computing with 8 bits may lose of the largest value in a few steps."""
EVEN_ERROR: Final = 2.0**-8
"""Where no more than the size of errors speaks for it, one step of 8 bits must account for them."""
FEWEST: Final = 4
"""With fewer values errors are even by chance."""
LEAST_HALF_ERROR: Final = 2.0**-15
"""What computing in single precision does not lose in a few steps."""


def rounded(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Values with a few decimals, each within half (or, if cut off, one) of the last place of the expected one."""
    if not leaf.is_aligned or not np.isfinite(leaf.actual).all() or len(np.unique(leaf.actual)) < 2:
        return
    for decimals in range(MOST_DECIMALS):
        if _has_decimals(leaf.actual, decimals) and not (leaf.is_wrong and _has_decimals(leaf.expected, decimals)):
            gap = np.abs(leaf.actual - leaf.expected).max() * 10**decimals
            if gap < 1.01:
                weight = 0.94 if gap <= 0.51 else 0.9
                words = {"decimals": decimals}
                yield Prediction(
                    cause=Cause.ROUNDED, variant=f"{decimals}", values=leaf.actual, weight=weight, words=words
                )


def half_precision(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Values that half precision can hold, or errors as small and as even as its rounding leaves in every case."""
    if not leaf.is_aligned or np.iscomplexobj(leaf.actual) or np.iscomplexobj(leaf.expected):
        return
    if not np.isfinite(leaf.actual).all():
        return
    largest = float(np.abs(leaf.expected).max())
    error = float(np.abs(leaf.actual - leaf.expected).max())
    yield Prediction(cause=Cause.HALF_PRECISION, variant="none", values=leaf.expected, weight=0.0)
    if largest == 0 or error > HALF_ERROR * largest:
        return
    if _held(leaf.actual) and not (leaf.is_wrong and _held(leaf.expected)):
        yield Prediction(cause=Cause.HALF_PRECISION, variant="held", values=leaf.actual, weight=0.9)
    if leaf.expected.size >= FEWEST and LEAST_HALF_ERROR <= error / largest <= EVEN_ERROR and _is_even(leaf):
        yield Prediction(cause=Cause.HALF_PRECISION, variant="even", values=leaf.actual, weight=0.55)


def _has_decimals(values: Numbers, decimals: int) -> bool:
    return bool(np.allclose(values, np.round(values, decimals), rtol=1e-6, atol=10.0 ** -(decimals + 3)))


def _held(values: Numbers) -> bool:
    """Whether all values fit into one of the two half precisions."""
    single = values.astype(np.float32)
    if bool((single.view(np.uint32) & 0xFFFF == 0).all()):
        return True
    return bool((single.astype(np.float16).astype(np.float32) == single).all())


def _is_even(leaf: Leaf) -> bool:
    """Whether errors have both signs, and most elements have one: a wrong rule mostly errs to one side."""
    by = (leaf.actual - leaf.expected)[leaf.actual != leaf.expected]
    share = float((by > 0).mean()) if len(by) else 1.0
    return 0.2 < share < 0.8 and 2 * len(by) > leaf.actual.size
