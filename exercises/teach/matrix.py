"""A student's best in one exercise, ready for a page."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.learn.marks import Mark
from exercises.learn.rows import best_mark, score_text
from exercises.models import BestScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What is told of it: whether it is solved, and its points."""

    mark: Mark
    score: str


def cell_of(best: BestScore | None) -> Cell:
    """The cell; of nothing where nothing was judged."""
    if best is None:
        return Cell(mark=best_mark(None), score="")
    return Cell(mark=best_mark(best), score=score_text(best.score, best.max_score))
