"""What the page about one student says."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from exercises.choices import Role
from exercises.learn.rows import best_mark, score_text
from exercises.models import BestScore, Course, Exercise, Membership, Override, User
from exercises.queries import shown_exercises
from exercises.queries.timeline import overrides_of, timeline_of
from exercises.teach.assistance.timeline import lines_of, title_of

EVENTS = 50


def student_page(membership: Membership, *, before: datetime | None, may_change: bool) -> dict[str, Any]:
    """The context of the page."""
    course, student = membership.course, membership.user
    overrides = list(overrides_of(student, course))
    events = timeline_of(student, course, overrides, before=before, most=EVENTS + 1)
    shown = events[:EVENTS]
    return {
        "course": course,
        "student": student,
        "membership": membership,
        "exercises": _exercises(course, student),
        "overrides": _overrides(overrides),
        "lines": lines_of(course.slug, shown),
        "before": before,
        "older": shown[-1].at.isoformat() if len(events) > EVENTS else "",
        "may_set": may_change and membership.role == Role.STUDENT,
    }


def _exercises(course: Course, student: User) -> list[dict[str, Any]]:
    """Each exercise of which something was judged or set, with the student's best; also what students see hidden."""
    best = BestScore.objects.filter(student=student, exercise__course=course).select_related("grading")
    scores = {row.exercise_id: row for row in best.defer("grading__feedback")}
    exercises = shown_exercises().filter(course=course)
    return [_exercise(exercise, scores[exercise.pk]) for exercise in exercises if exercise.pk in scores]


def _exercise(exercise: Exercise, best: BestScore) -> dict[str, Any]:
    return {
        "title": title_of(exercise),
        "mark": best_mark(best),
        "score": score_text(best.score, best.max_score),
        "submissions": best.submissions,
        "submission": best.grading.submission_id if best.grading else None,
        "by_hand": best.override_id is not None,
    }


def _overrides(overrides: Iterable[Override]) -> list[dict[str, Any]]:
    return [
        {
            "id": row.pk,
            "at": row.at,
            "title": title_of(row.exercise),
            "assignment": row.assignment.title if row.assignment else "",
            "score": score_text(row.score, row.max_score),
            "reason": row.reason,
            "by": str(row.by or ""),
        }
        for row in overrides
        if row.withdrawn_at is None
    ]
