"""What a student handed in to one exercise, one line each, with what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from exercises.learn.panel_parts import cost_of
from exercises.learn.rows import SubmissionRow, submission_rows
from exercises.models import BestScore, Submission
from exercises.queries.withheld import Withheld
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """`compare_url` sets it beside the one before, where there is one; `restore_url` puts it into the form again."""

    id: int
    row: SubmissionRow
    cost: str
    is_best: bool
    is_counted: bool
    compare_url: str
    restore_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The newest first. `accepted_url` restores the last one that was accepted, where that is not the newest."""

    lines: list[HistoryLine]
    compare_url: str
    accepted_url: str


def history_of(
    submissions: Sequence[Submission], *, best: BestScore | None, withheld: Withheld, is_own: bool
) -> History:
    """The lines of these submissions, of one student to one exercise; gradings must have been fetched."""
    rows = submission_rows(submissions, withheld=withheld)
    lines = [
        HistoryLine(
            id=submission.pk,
            row=row,
            cost="" if withheld.hides(submission.grading) else cost_of(submission.grading),
            is_best=best is not None and best.score > 0 and best.grading_id == submission.grading.pk,
            is_counted=submission.is_counted,
            compare_url=_compare_url(submission) if number + 1 < len(rows) else "",
            restore_url=_restore_url(submission, is_own=is_own),
        )
        for number, (submission, row) in enumerate(zip(submissions, rows, strict=True))
    ]
    return History(
        lines=lines,
        compare_url=_compare_url(submissions[0]) if len(lines) > 1 else "",
        accepted_url=_accepted_url(submissions, withheld) if is_own else "",
    )


def _compare_url(submission: Submission) -> str:
    return reverse("learn:compare", args=(submission.pk,))


def _restore_url(submission: Submission, *, is_own: bool) -> str:
    return reverse("learn:restore", args=(submission.pk,)) if is_own and not submission.is_erased else ""


def _accepted_url(submissions: Sequence[Submission], withheld: Withheld) -> str:
    accepted = [
        number
        for number, submission in enumerate(submissions)
        if submission.grading.verdict == Verdict.ACCEPTED and not withheld.hides(submission.grading)
    ]
    return _restore_url(submissions[accepted[0]], is_own=True) if accepted and accepted[0] > 0 else ""
