"""What a student handed in to one exercise, ready for a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from exercises.learn.marks import Mark, work_mark
from exercises.learn.rows import score_text
from exercises.models import CaseResult, Exercise, Submission
from exercises.teach.classes.analysis import title_of


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptLine:
    """One hand-in; `causes` are those that were found in its cases, `note` says where it does not count."""

    number: int
    url: str
    receipt: str
    at: datetime
    mark: Mark
    score: str
    causes: str
    note: str


def attempt_lines(exercise: Exercise, submissions: Iterable[Submission], *, newest: int) -> list[AttemptLine]:
    """A line for each, the newest first, which is number `newest`. One query beside those of the submissions."""
    rows = list(submissions)
    causes = _causes(rows, exercise)
    return [
        AttemptLine(
            number=newest - place,
            url=reverse("learn:submission", args=(row.pk,)),
            receipt=row.receipt,
            at=row.created_at,
            mark=work_mark(state=row.grading.state, verdict=row.grading.verdict),
            score=score_text(row.grading.score, row.grading.max_score),
            causes=", ".join(causes[row.grading.pk]),
            note="" if row.is_counted else _("practice"),
        )
        for place, row in enumerate(rows)
    ]


def _causes(rows: Iterable[Submission], exercise: Exercise) -> dict[int, list[str]]:
    """The causes of each grading in words, each once, in the order of the cases."""
    version = exercise.published or exercise.versions.last()
    found: dict[int, list[str]] = defaultdict(list)
    gradings = [row.grading.pk for row in rows]
    named = CaseResult.objects.filter(grading__in=gradings).exclude(cause="").order_by("grading", "index")
    for grading, cause in named.values_list("grading_id", "cause"):
        title = cause if version is None else title_of(cause, version)
        if title not in found[grading]:
            found[grading].append(title)
    return found
