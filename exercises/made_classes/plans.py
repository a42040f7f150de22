"""Who tries what, how often, with what success and which mistake: plausible, and the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from exercises.made_classes.sizes import WEEKS, ClassSize

MISTAKE_SHARES = (0.40, 0.20, 0.10, 0.05)
"""Of those who try an exercise, how many make its first listed mistake, its second, and so on."""
SKIPPED = 0.04
DROPPING_OUT = 0.08
AGAIN_AFTER_SUCCESS = 0.15

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a plan has to know of an exercise: how many mistakes it lists, and whether one hands in but once."""

    mistakes: int
    is_once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one student does about one exercise.

    Of `tries` hand-ins the one at `success` is the first that is right; None where none is. `mistake` is the place of
    the planted mistake among those listed, which the first hand-in makes; None where nothing was planted.
    """

    student: int
    exercise: int
    tries: int
    success: int | None
    mistake: int | None


def plan_of(size: ClassSize, subjects: Sequence[Subject]) -> list[Work]:
    """As many hand-ins as asked for, or one for each pair that is tried where that is more."""
    rng = np.random.default_rng(size.seed)
    students, exercises, chances = _pairs(rng, size)
    solved = rng.random(len(students)) < chances
    mistakes = _planted(rng, exercises, subjects)
    once = np.array([subject.is_once for subject in subjects])[exercises]
    tries = _tries(rng, size.submissions, 1.2 - chances, once)
    # Who makes a planted mistake is right later, or never.
    solved &= ~((mistakes >= 0) & (tries == 1))
    firsts = np.where(rng.random(len(tries)) < AGAIN_AFTER_SUCCESS, tries // 2, tries - 1)
    firsts = np.where(mistakes >= 0, np.maximum(firsts, 1), firsts)
    return [
        Work(
            student=int(student),
            exercise=int(exercise),
            tries=int(count),
            success=int(first) if is_solved else None,
            mistake=int(mistake) if mistake >= 0 else None,
        )
        for student, exercise, count, is_solved, first, mistake in zip(
            students, exercises, tries, solved, firsts, mistakes, strict=True
        )
    ]


def _pairs(rng: np.random.Generator, size: ClassSize) -> tuple[Ints, Ints, Floats]:
    """Who tries what, and the chance of solving it; no more pairs than there are to be hand-ins."""
    ability, hardness = rng.normal(size=size.students), rng.uniform(-2.5, 0.8, size.exercises)
    is_leaving = rng.random(size.students) < DROPPING_OUT
    leaves = np.where(is_leaving, rng.integers(1, WEEKS, size.students), WEEKS)
    weeks = np.array([size.week_of(place) for place in range(size.exercises)])
    tried = (weeks[None, :] < leaves[:, None]) & (rng.random((size.students, size.exercises)) >= SKIPPED)
    students, exercises = np.nonzero(tried)
    if len(students) > size.submissions:
        kept = np.sort(rng.choice(len(students), size.submissions, replace=False))
        students, exercises = students[kept], exercises[kept]
    chances = 1 / (1 + np.exp(hardness[exercises] - 1.3 * ability[students]))
    return students, exercises, chances


def _planted(rng: np.random.Generator, exercises: Ints, subjects: Sequence[Subject]) -> Ints:
    """For each pair the place of its mistake, or -1: exact shares of those who try the exercise, chosen by lot."""
    planted = np.full(len(exercises), -1)
    for place, subject in enumerate(subjects):
        triers = rng.permutation(np.nonzero(exercises == place)[0])
        begin = 0
        for mistake, share in enumerate(MISTAKE_SHARES[: subject.mistakes]):
            end = begin + round(share * len(triers))
            planted[triers[begin:end]] = mistake
            begin = end
    return planted


def _tries(rng: np.random.Generator, total: int, weights: Floats, once: Flags) -> Ints:
    """One hand-in for each pair, the others by lot, more for who finds it hard; `total` in all."""
    drawn = rng.exponential(weights) * ~once
    left = max(total - len(weights), 0)
    if not left or not drawn.sum():
        return np.ones(len(weights), dtype=np.int64)
    ends = np.floor(np.cumsum(drawn) / drawn.sum() * left).astype(np.int64)
    ends[-1] = left
    tries: Ints = 1 + np.diff(ends, prepend=0)
    return tries
