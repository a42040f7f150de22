"""Lines of the lists about one submission."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from exercises.choices import Reason, State
from exercises.learn.marks import Mark, work_mark
from exercises.learn.rows import score_text
from exercises.models import Grading, Submission
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingRow:
    """A judging of a submission; `can_apply` where staff may put it in force."""

    id: int
    mark: Mark
    score: str
    version: int
    why: str
    by: str
    at: datetime
    in_force: bool
    can_apply: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRow:
    """A hand-in of the same student to the same exercise; `diff_url` compares it with the one that is looked at."""

    receipt: str
    url: str
    at: datetime
    mark: Mark
    score: str
    diff_url: str
    is_this: bool


def grading_rows(gradings: Iterable[Grading]) -> list[GradingRow]:
    """A line for each judging of a submission."""
    return [
        GradingRow(
            id=grading.pk,
            mark=work_mark(state=grading.state, verdict=grading.verdict),
            score=score_text(grading.score, grading.max_score),
            version=grading.version.number,
            why=_why(grading),
            by=str(grading.reviewer or ""),
            at=grading.finished_at or grading.queued_at,
            in_force=grading.in_force,
            can_apply=_can_apply(grading),
        )
        for grading in gradings
    ]


def attempt_rows(looked_at: Submission, gradings: Iterable[Grading]) -> list[AttemptRow]:
    """A line for each hand-in, of its grading in force."""
    slug = looked_at.exercise.course.slug
    here = reverse("teach:submission", args=(slug, looked_at.pk))
    return [
        AttemptRow(
            receipt=grading.submission.receipt,
            url=reverse("teach:submission", args=(slug, grading.submission_id)),
            at=grading.submission.created_at,
            mark=work_mark(state=grading.state, verdict=grading.verdict),
            score=score_text(grading.score, grading.max_score),
            diff_url=f"{here}?with={grading.submission_id}#compared",
            is_this=grading.submission_id == looked_at.pk,
        )
        for grading in gradings
    ]


def _can_apply(grading: Grading) -> bool:
    is_judged = grading.state == State.GRADED and grading.verdict != Verdict.INTERNAL_ERROR
    return is_judged and not grading.in_force and grading.reason == Reason.DRY_RUN and grading.regrade_id is None


def _why(grading: Grading) -> str:
    if grading.reason == Reason.DRY_RUN:
        return _("Judged anew, for staff to look at")
    return str(Reason(grading.reason).label)
