"""Lines of lists: exercises with how far a student is, submissions of a history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from exercises.choices import Kind
from exercises.learn.marks import GIVEN_UP, NOT_STARTED, TRIED, UNDER_REVIEW, Mark, verdict_mark, work_mark
from exercises.learn.values import number_text
from exercises.models import BestScore, Course, Exercise, Submission
from exercises.queries.progress import ExerciseProgress
from exercises.queries.withheld import NOTHING_WITHHELD, Withheld
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseRow:
    slug: str
    title: str
    url: str
    kind: str
    mark: Mark
    score: str
    submissions: int
    solved_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionRow:
    url: str
    receipt: str
    created_at: datetime
    mark: Mark
    score: str


def score_text(score: object, max_score: object) -> str:
    """As `3 / 4`; empty before there is a score."""
    if score is None or max_score is None:
        return ""
    return f"{number_text(float(str(score)))} / {number_text(float(str(max_score)))}"


def best_mark(best: BestScore | None, *, is_given_up: bool = False) -> Mark:
    """Whether an exercise is solved, given up, tried or none of it: of several failures none is the best."""
    if best is not None and best.solved_at:
        return verdict_mark(Verdict.ACCEPTED)
    if is_given_up:
        return GIVEN_UP
    return NOT_STARTED if best is None else TRIED


def exercise_url(course: Course, exercise: Exercise) -> str:
    """The page of the exercise."""
    return reverse("learn:exercise", args=(course.slug, exercise.slug))


def exercise_rows(course: Course, items: Iterable[ExerciseProgress]) -> list[ExerciseRow]:
    """A line for each exercise, with the student's best; `published` must have been fetched."""
    return [_exercise_row(course, item) for item in items]


def submission_rows(submissions: Iterable[Submission], *, withheld: Withheld = NOTHING_WITHHELD) -> list[SubmissionRow]:
    """A line for each submission, with the outcomes that are not withheld; gradings must have been fetched."""
    return [_submission_row(submission, withheld) for submission in submissions]


def _submission_row(submission: Submission, withheld: Withheld) -> SubmissionRow:
    grading = submission.grading
    is_hidden = withheld.hides(grading)
    return SubmissionRow(
        url=reverse("learn:submission", args=(submission.pk,)),
        receipt=submission.receipt,
        created_at=submission.created_at,
        mark=UNDER_REVIEW if is_hidden else work_mark(state=grading.state, verdict=grading.verdict),
        score="" if is_hidden else score_text(grading.score, grading.max_score),
    )


def _mark(item: ExerciseProgress) -> Mark:
    if item.is_waiting and not item.is_solved and not item.is_given_up:
        return UNDER_REVIEW
    return best_mark(item.best, is_given_up=item.is_given_up)


def _exercise_row(course: Course, item: ExerciseProgress) -> ExerciseRow:
    exercise, best = item.exercise, item.best
    version = exercise.published
    assert version is not None
    return ExerciseRow(
        slug=exercise.slug,
        title=version.title,
        url=exercise_url(course, exercise),
        kind=str(Kind(version.kind).label),
        mark=_mark(item),
        score=score_text(best.score, best.max_score) if best else "",
        submissions=best.submissions if best else 0,
        solved_at=best.solved_at if best else None,
    )
