"""Likely causes of a mismatch: the author's listed mistakes, matched by what they give on the same inputs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from graders.cases import Case, Given, Key, Raised, Returned, compare_in
from graders.comparisons import Comparison

# Two spellings of one mistake may round differently by more than a right solution does: a mistake often leaves the
# well-conditioned path. A mistake is told from the reference by the same factor, so no right output matches it.
WIDENING: Final = 10.0


def matching_mistake(key: Key, given: Sequence[Given | None]) -> str | None:
    """The slug of the listed mistake that explains `given` (one for each case; None where a case was not reached).

    It gives the same as the solution, in value or in type of exception, on every case that was reached, and something
    other than expected on at least one of them. If several do, the one that the most values speak for, then the
    author's order.
    """
    policy = replace(key.comparison.widened(WIDENING), equal_nan=True)
    reached = [(case, result) for case, result in zip(key.cases, given, strict=True) if result is not None]
    weights = {mistake.slug: _weight(mistake.slug, reached, policy) for mistake in key.mistakes}
    most = max(weights.values(), default=0)
    return next((slug for slug, weight in weights.items() if weight == most), None) if most else None


def _weight(slug: str, reached: Sequence[tuple[Case, Given]], policy: Comparison) -> int:
    """What speaks for the mistake: two for each wrong value, one for each exception; 0 if any case speaks against it.

    Where only exceptions speak for it, their messages must agree as well, but for the numbers in them.
    """
    values = exceptions = 0
    same_words = True
    for case, result in reached:
        theirs = case.mistakes.get(slug)
        if theirs is None or not _agree(case, result, theirs, policy=policy):
            return 0
        if isinstance(theirs, Returned):
            values += compare_in(case, theirs.value, case.expected, policy) is not None
        else:
            exceptions += 1
            same_words = same_words and _words(result) == _words(theirs)
    return 2 * values + exceptions if values or same_words else 0


def _agree(case: Case, result: Given, theirs: Given, *, policy: Comparison) -> bool:
    if isinstance(result, Returned) and isinstance(theirs, Returned):
        return compare_in(case, result.value, theirs.value, policy) is None
    return isinstance(result, Raised) and isinstance(theirs, Raised) and result.type == theirs.type


def _words(result: Given) -> list[str]:
    return re.findall(r"[^\W\d_]+", result.message) if isinstance(result, Raised) else []
