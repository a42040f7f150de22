"""The figures of item analysis, on plain numbers. What each means in words stands in docs/statistics.md."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

BINS = 10
"""Tenths of the points; who has all of them stands in a bin of its own behind these."""


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return math.fsum(values) / len(values) if values else None


def median(values: Iterable[float]) -> float | None:
    """The middle one, or the mean of the two in the middle; None of nothing."""
    ordered = sorted(values)
    if not ordered:
        return None
    middle = len(ordered) // 2
    return float(ordered[middle]) if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def point_biserial(passed: Sequence[bool], rest: Sequence[float]) -> float | None:
    """How closely passing goes with the rest score, -1 to 1; None where all passed, nobody did, or all rests are equal.

    Source: Lord and Novick, Statistical Theories of Mental Test Scores (1968), 15.5: the correlation of a dichotomous
    with a continuous variable, here (M1 - M0) / s · √(p (1 - p)) with the standard deviation of the population.
    """
    ones = [value for value, is_passed in zip(rest, passed, strict=True) if is_passed]
    zeros = [value for value, is_passed in zip(rest, passed, strict=True) if not is_passed]
    middle_ones, middle_zeros, middle = mean(ones), mean(zeros), mean(rest)
    if middle_ones is None or middle_zeros is None or middle is None:
        return None
    spread = math.sqrt(math.fsum((value - middle) ** 2 for value in rest) / len(rest))
    # Sums of equal points may differ in their last digits: that is no spread.
    if spread <= 1e-12 * max(map(abs, rest)):
        return None
    share = len(ones) / len(rest)
    return (middle_ones - middle_zeros) / spread * math.sqrt(share * (1 - share))


def distribution(shares: Iterable[float]) -> tuple[int, ...]:
    """How many shares, 0 to 1, are in each tenth, which ends below the next; the last number is of those with all."""
    counts = [0] * (BINS + 1)
    for share in shares:
        # 0.3 * 10 is a little below 3 in floating point.
        counts[min(int(share * BINS + 1e-9), BINS)] += 1
    return tuple(counts)
