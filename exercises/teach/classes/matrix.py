"""The matrix of a class, ready for a page: cells with a sign, a colour and the way to the attempts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exercises.exports.tables import Cell as Value
from exercises.learn.rows import score_text
from exercises.learn.values import number_text
from exercises.models import BestScore, Course, Exercise
from exercises.queries.classes import STUCK_AFTER, MatrixRow, Picked


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """How a cell looks: a character and a class, never the colour alone. `word` says it."""

    sign: str
    look: str
    word: str | Promise


NOTHING = Sign(sign="·", look="none", word=gettext_lazy("Not started"))
SOLVED = Sign(sign="✓", look="good", word=gettext_lazy("Solved"))
TRIED = Sign(sign="◐", look="tried", word=gettext_lazy("Not yet solved"))
STUCK = Sign(sign="!", look="stuck", word=gettext_lazy("Stuck: three or more hand-ins, none accepted"))
SIGNS = (SOLVED, TRIED, STUCK, NOTHING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A student's best in one exercise; `percent` is empty where it is solved or nothing was judged."""

    sign: str
    look: str
    percent: str
    spoken: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    name: str
    url: str
    section: str
    solved: int
    points: str
    cells: list[Cell]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What rows can be ordered by. `sorted_as` is ascending, descending or empty; `url` orders by it."""

    title: str
    url: str
    sorted_as: str


def sign_of(best: BestScore | None) -> Sign:
    """Whether an exercise is solved, tried, stuck at, or not begun."""
    if best is None:
        return NOTHING
    if best.solved_at is not None:
        return SOLVED
    return STUCK if best.submissions >= STUCK_AFTER else TRIED


def rows_of(course: Course, exercises: Sequence[Exercise], found: Sequence[MatrixRow]) -> list[Row]:
    """The rows of a page."""
    slugs = [exercise.slug for exercise in exercises]
    # One look-up for all: addresses differ in the number alone.
    pattern = reverse("teach:student", args=(course.slug, 0))
    return [_row(pattern.replace("/0/", f"/{row.student.pk}/"), slugs, row) for row in found]


def columns_of(exercises: Sequence[Exercise], picked: Picked) -> tuple[list[Column], list[Column]]:
    """The columns before the exercises, and those of the exercises."""
    words = (("name", _("Student")), ("section", _("Section")), ("solved", _("Solved")), ("points", _("Points")))
    titles = [
        (exercise.slug, exercise.published.title if exercise.published else exercise.slug) for exercise in exercises
    ]
    return [_column(*word, picked) for word in words], [_column(*title, picked) for title in titles]


def query_of(picked: Picked, **changed: object) -> str:
    """The query that picks these rows, with some of it changed; what is usual is left out."""
    words: dict[str, object] = {"sort": picked.sort, "section": picked.section, "stuck": int(picked.is_stuck)}
    usual: dict[str, object] = {"sort": "name", "section": None, "stuck": 0, "page": 1}
    return urlencode({name: value for name, value in {**words, **changed}.items() if value != usual[name]})


def table_rows(exercises: Sequence[Exercise], found: Iterator[MatrixRow]) -> Iterator[list[Value]]:
    """The matrix as rows of a table: the best score of each exercise as points of those that it has."""
    yield [_("Student"), _("User name"), _("Section"), _("Solved"), _("Points"), *map(_title, exercises)]
    for row in found:
        points = [
            None if best is None or exercise.published is None else round(best.share * exercise.published.points, 2)
            for exercise, best in zip(exercises, row.best, strict=True)
        ]
        student = row.student
        yield [str(student), student.username, row.section, row.solved, row.points, *points]


def _title(exercise: Exercise) -> str:
    return exercise.published.title if exercise.published else exercise.slug


def _row(url: str, slugs: Sequence[str], row: MatrixRow) -> Row:
    return Row(
        name=str(row.student),
        url=url,
        section=row.section,
        solved=row.solved,
        points=number_text(float(row.points)),
        cells=[_cell(f"{url}exercises/{slug}/", best) for slug, best in zip(slugs, row.best, strict=True)],
    )


def _cell(url: str, best: BestScore | None) -> Cell:
    sign = sign_of(best)
    if best is None:
        return Cell(sign=sign.sign, look=sign.look, percent="", spoken=str(sign.word), url=url)
    percent = "" if best.solved_at else f"{best.share * 100:.0f}"
    spoken = f"{sign.word}, {score_text(best.score, best.max_score)}"
    return Cell(sign=sign.sign, look=sign.look, percent=percent, spoken=spoken, url=url)


def _column(key: str, title: str, picked: Picked) -> Column:
    is_falling = picked.sort == f"-{key}"
    is_rising = picked.sort == key
    # Names begin with the first letter, figures with the largest.
    first = key if key in ("name", "section") else f"-{key}"
    other = f"-{key}" if first == key else key
    turned = other if picked.sort == first else first
    return Column(
        title=title,
        url=f"?{query_of(picked, sort=turned)}",
        sorted_as="descending" if is_falling else "ascending" if is_rising else "",
    )
