"""What the pages of spaced review show: the list, and an exercise to be solved from memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import formats, timezone

from exercises.choices import Kind
from exercises.learn.asking import form_about_exercise
from exercises.learn.exercise_page import exercise_page, hint_list, shown_cases
from exercises.models import Exercise, ReviewCard, User
from exercises.queries import Encounter


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRow:
    """`due` is the day by the course's clock; empty where it has come."""

    title: str
    course: str
    kind: str
    url: str
    due: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewNote:
    """What the page of an exercise says of its review: `next_due` is empty while it is due."""

    url: str
    next_due: str


def review_url(exercise: Exercise) -> str:
    """The page on which the exercise is solved from memory."""
    return reverse("learn:review", args=(exercise.course.slug, exercise.slug))


def review_rows(cards: Iterable[ReviewCard], *, now: datetime) -> list[ReviewRow]:
    """A line for each card; exercise, course and version must have been fetched."""
    return [_row(card, now) for card in cards]


def review_context(student: User, exercise: Exercise, card: ReviewCard) -> dict[str, Any]:
    """The values of the page of an exercise, as if nothing had been written or handed in before."""
    where, met = (exercise.course.slug, exercise.slug), Encounter(student, exercise)
    page = replace(
        exercise_page(met, best=None),
        attempts="",
        assignment=None,
        url=review_url(exercise),
        submit_url=reverse("learn:submit-review", args=where),
        draft_url="",
    )
    return {
        "course": exercise.course,
        "page": page,
        "review": ReviewNote(url=reverse("learn:reviews"), next_due=_due_word(card, timezone.now())),
        "cases": shown_cases(exercise.published, met.cases) if page.is_code and exercise.published else [],
        "hints": hint_list(exercise, met.hints_opened),
        "ask": form_about_exercise(met, has_submissions=False),
        "draft": {"source": page.starter, "revision": 0, "saved_at": None} if page.is_code else None,
    }


def _row(card: ReviewCard, now: datetime) -> ReviewRow:
    exercise = card.exercise
    assert exercise.published is not None
    return ReviewRow(
        title=exercise.published.title,
        course=exercise.course.title,
        kind=str(Kind(exercise.published.kind).label),
        url=review_url(exercise),
        due=_due_word(card, now),
    )


def _due_word(card: ReviewCard, now: datetime) -> str:
    if card.due_at <= now:
        return ""
    return formats.date_format(card.due_at.astimezone(ZoneInfo(card.exercise.course.time_zone)), "D j F")
