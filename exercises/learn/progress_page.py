"""What the page of one's own progress shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.choices import Difficulty
from exercises.learn.filters import Filter, topic_query
from exercises.learn.rows import ExerciseRow, exercise_rows
from exercises.queries import CourseProgress
from exercises.queries.mastery import ExerciseFacts

WEEK = timedelta(days=7)
DAYS_SHOWN = 28
NO_FACTS = ExerciseFacts()


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicRow:
    name: str
    query: str
    solved: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MasteryRow:
    """An exercise with what it took: `attempts` until it was solved, or so far."""

    exercise: ExerciseRow
    difficulty: str
    topics: tuple[str, ...]
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """`word` is its date as people write it."""

    word: str
    is_active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The last four weeks. `run_sentence` is empty but for who was there on several days up to now."""

    days: list[Day]
    sentence: str
    run_sentence: str
    zone: str


def course_section(
    progress: CourseProgress,
    facts: Mapping[int, ExerciseFacts],
    attempts: Mapping[int, int],
    chosen: Filter,
) -> dict[str, Any]:
    """A course with its topics, and the rows that the filter takes."""
    course, items = progress.course, progress.exercises
    taken = [item for item in items if chosen.takes(item, facts.get(item.exercise.pk, NO_FACTS))]
    rows = zip(taken, exercise_rows(course, taken), strict=True)
    return {
        "slug": course.slug,
        "title": course.title,
        "url": reverse("learn:course", args=(course.slug,)),
        "solved": progress.solved,
        "total": len(items),
        "topics": _topic_rows(progress, facts),
        "rows": [
            _mastery(row, facts.get(item.exercise.pk, NO_FACTS), attempts.get(item.exercise.pk, row.submissions))
            for item, row in rows
        ],
    }


def week_sentence(courses: Iterable[CourseProgress], *, now: datetime) -> str:
    """What the student can do now that they could not do last week."""
    solved = [item.best for course in courses for item in course.exercises if item.best and item.best.solved_at]
    recent = sum(best.solved_at > now - WEEK for best in solved if best.solved_at)
    if not solved:
        return _("Nothing solved yet. The first one is the longest step.")
    if not recent:
        return _("Solved so far: %(count)d. Nothing new in the last seven days.") % {"count": len(solved)}
    return ngettext(
        "One exercise solved in the last seven days.", "%(count)d exercises solved in the last seven days.", recent
    ) % {"count": recent}


def activity(active: set[date], *, now: datetime, zone: ZoneInfo) -> Activity:
    """The days up to today by the clock of the zone."""
    today = now.astimezone(zone).date()
    days = [today - timedelta(days=back) for back in range(DAYS_SHOWN - 1, -1, -1)]
    count = sum(day in active for day in days)
    run = _run_until(today, active)
    return Activity(
        days=[Day(word=formats.date_format(day, "j F"), is_active=day in active) for day in days],
        sentence=_("Here on %(count)d of the last %(days)d days.") % {"count": count, "days": DAYS_SHOWN},
        run_sentence=_("%(run)d of them in a row.") % {"run": run} if run > 1 else "",
        zone=zone.key,
    )


def first_moment_shown(now: datetime, zone: ZoneInfo) -> datetime:
    """When the first of the days began that `activity` shows."""
    first = now.astimezone(zone) - timedelta(days=DAYS_SHOWN - 1)
    return first.replace(hour=0, minute=0, second=0, microsecond=0)


def _run_until(today: date, active: set[date]) -> int:
    """How many days in a row up to today; a day that is not over breaks nothing."""
    day = today if today in active else today - timedelta(days=1)
    run = 0
    while day in active:
        run, day = run + 1, day - timedelta(days=1)
    return run


def _topic_rows(progress: CourseProgress, facts: Mapping[int, ExerciseFacts]) -> list[TopicRow]:
    """The topics of a course that several exercises have, those of most first; all of them where no two share one."""
    total: Counter[str] = Counter()
    solved: Counter[str] = Counter()
    for item in progress.exercises:
        topics = facts.get(item.exercise.pk, NO_FACTS).topics
        total.update(topics)
        solved.update(topics if item.is_solved else ())
    shared = [name for name in total if total[name] > 1] or list(total)
    names = sorted(shared, key=lambda name: (-total[name], name.casefold()))
    return [TopicRow(name=name, query=topic_query(name), solved=solved[name], total=total[name]) for name in names]


def _mastery(row: ExerciseRow, facts: ExerciseFacts, attempts: int) -> MasteryRow:
    difficulty = str(Difficulty(facts.difficulty).label)
    return MasteryRow(exercise=row, difficulty=difficulty, topics=facts.topics, attempts=attempts)
