"""The class at a glance, ready for a page: who or what needs someone today."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from exercises.learn.marks import Mark
from exercises.learn.rows import best_mark, score_text
from exercises.learn.values import number_text
from exercises.models import BestScore, Course
from exercises.queries import ClassMatrix, MatrixRow

STUCK_AFTER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A student's best in one exercise; `is_stuck` after several hand-ins without success."""

    mark: Mark
    score: str
    submissions: int
    is_stuck: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """An exercise, with how many have solved it and how many are stuck."""

    slug: str
    title: str
    solved: int
    tried: int
    stuck: int
    class_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    name: str
    username: str
    url: str
    solved: int
    points: str
    stuck: int
    cells: list[Cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """`needs_someone` are the rows with something stuck, the most first."""

    columns: list[Column]
    rows: list[Row]
    needs_someone: list[Row]


def overview(course: Course, matrix: ClassMatrix) -> Overview:
    """The matrix as rows, columns and what stands out in them."""
    rows = [_row(course, row) for row in matrix.rows]
    stuck = sorted((row for row in rows if row.stuck), key=lambda row: -row.stuck)
    return Overview(columns=_columns(matrix), rows=rows, needs_someone=stuck)


def cell_of(best: BestScore | None) -> Cell:
    """One field of the matrix."""
    if best is None:
        return Cell(mark=best_mark(None), score="", submissions=0, is_stuck=False)
    return Cell(
        mark=best_mark(best),
        score=score_text(best.score, best.max_score),
        submissions=best.submissions,
        is_stuck=_is_stuck(best),
    )


def _is_stuck(best: BestScore | None) -> bool:
    return best is not None and best.solved_at is None and best.submissions >= STUCK_AFTER


def _row(course: Course, row: MatrixRow) -> Row:
    student = row.student
    return Row(
        name=str(student),
        username=student.username,
        url=reverse("teach:student", args=(course.slug, student.pk)),
        solved=row.solved,
        points=number_text(float(row.points)),
        stuck=sum(_is_stuck(score) for score in row.best),
        cells=[cell_of(score) for score in row.best],
    )


def _columns(matrix: ClassMatrix) -> list[Column]:
    columns = []
    for place, exercise in enumerate(matrix.exercises):
        version = exercise.published
        assert version is not None
        best = [row.best[place] for row in matrix.rows]
        columns.append(
            Column(
                slug=exercise.slug,
                title=version.title,
                solved=sum(score is not None and score.solved_at is not None for score in best),
                tried=sum(score is not None for score in best),
                stuck=sum(_is_stuck(score) for score in best),
                class_size=len(matrix.rows),
            )
        )
    return columns
