"""Rows into what the API answers. Nothing is taken from a definition but what is named here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from django.utils import timezone

from exercises import live
from exercises.choices import LAST_VALUE, Lane, State
from exercises.models import (
    Assignment,
    BestScore,
    Course,
    Exercise,
    ExerciseVersion,
    Grading,
    Run,
    Submission,
    User,
)
from exercises.queries import (
    CourseProgress,
    Encounter,
    ExerciseProgress,
    Window,
    assignments_of,
    attempts_left,
    definition_of,
    feedback_of,
    may_view_solution,
    response_form,
    response_schema,
    result_of,
    stated_prompt,
    terms_of,
)
from exercises.queries.windows import own_window
from graders.demand_list import demands_in_words
from graders.outcomes import Stage

DONE = (State.GRADED, State.SUPERSEDED)
NO_DEMANDS: Final[Mapping[str, Any]] = {
    "inputs_unchanged": False,
    "gradients": [],
    "forbid": {"names": [], "operators": [], "loops": False},
    "properties": [],
    "training": None,
}


def course_line(course: Course) -> dict[str, Any]:
    """A course with the role that `visible_courses` has found."""
    role = getattr(course, "role", None)
    return {"slug": course.slug, "title": course.title, "summary": course.summary, "role": role}


def course_answer(found: CourseProgress, caller: User) -> dict[str, Any]:
    """A course of the caller, with its assignments, lessons and exercises."""
    lessons = [
        {"slug": item.lesson.slug, "title": item.lesson.title, "summary": item.lesson.summary} for item in found.lessons
    ]
    return {
        **course_line(found.course),
        "assignments": [_assignment_line(row, own_window(row)) for row in assignments_of(caller, found.course)],
        "lessons": lessons,
        "exercises": [_exercise_line(item) for item in found.exercises],
    }


def _assignment_line(assignment: Assignment, window: Window) -> dict[str, Any]:
    return {
        "slug": assignment.slug,
        "title": assignment.title,
        "is_quiz": assignment.is_quiz,
        "opens_at": window.opens_at,
        "due_at": window.due_at,
        "closes_at": window.closes_at,
    }


def progress_answer(found: CourseProgress) -> dict[str, Any]:
    """How far the caller is in a course."""
    lessons = [
        {
            "slug": item.lesson.slug,
            "title": item.lesson.title,
            "is_solved": item.is_solved,
            "exercises": [exercise.exercise.slug for exercise in item.exercises],
        }
        for item in found.lessons
    ]
    return {
        "course": found.course.slug,
        "title": found.course.title,
        "solved": found.solved,
        "exercises": [_exercise_line(item) for item in found.exercises],
        "lessons": lessons,
    }


def exercise_answer(exercise: Exercise, student: User) -> dict[str, Any]:
    """An exercise as the student may see it: never its reference, hidden cases, mistakes or key."""
    definition, met = definition_of(exercise), Encounter(student, exercise)
    stated, version = definition["exercise"], published(exercise)
    form = {} if exercise.is_code else response_form(student, exercise)
    terms = terms_of(student, exercise, at=timezone.now(), met=met)
    left = attempts_left(student, exercise, assignment=terms.assignment, met=met) if terms.is_counted else None
    return {
        **_exercise_line(ExerciseProgress(exercise=exercise, best=met.best)),
        "course": exercise.course.slug,
        "version": version.number,
        "difficulty": stated.get("difficulty", ""),
        "tags": stated.get("tags", []),
        "prompt": stated["prompt"] if exercise.is_code else stated_prompt(student, exercise),
        "starter": definition["files"].get("starter.py"),
        "entry": stated.get("entry"),
        "limits": stated.get("limits"),
        "demands": _demands(stated),
        "response_schema": response_schema(student, exercise),
        "cases": finite(met.cases),
        "attempts_left": left,
        "is_solution_open": may_view_solution(student, exercise, met=met),
        **form,
    }


def submission_answer(submission: Submission, viewer: User) -> dict[str, Any]:
    """A submission as the viewer may see it; while it runs, with the cases judged so far.

    While an assignment withholds what was judged it waits for that, whatever is known here.
    """
    grading, met = submission.grading, Encounter(viewer, submission.exercise)
    seen, is_hidden = feedback_of(grading, viewer, met=met), met.withheld.hides(grading)
    is_done = grading.state in DONE and not is_hidden
    return {
        "id": submission.pk,
        "receipt": submission.receipt,
        "course": submission.exercise.course.slug,
        "exercise": submission.exercise.slug,
        "assignment": submission.assignment.slug if submission.assignment else None,
        "counted": submission.is_counted,
        "version": submission.version.number,
        "state": State.QUEUED if is_hidden else grading.state,
        "awaiting": "release" if is_hidden else _awaited(grading),
        "verdict": None if is_hidden else grading.verdict or None,
        "score": None if is_hidden else grading.score,
        "max_score": None if is_hidden else grading.max_score,
        "feedback": finite(seen["feedback"]),
        "cases": finite(seen["cases"]),
        "hidden_case": finite(seen["hidden_case"]),
        "stdout": seen["stdout"] if is_done else None,
        "error": finite(_error(seen["feedback"])),
        "created_at": submission.created_at,
        "graded_at": grading.finished_at if is_done and grading.state == State.GRADED else None,
        "events_url": None if is_done or is_hidden else live.events_url(submission.topic),
    }


def _awaited(grading: Grading) -> str | None:
    if grading.state in DONE:
        return None
    return "review" if grading.lane == Lane.REVIEW else "worker"


def run_answer(run: Run) -> dict[str, Any]:
    """A run of the caller's own."""
    is_done = run.state in DONE
    result = result_of(run)
    tensors = result.get("tensors", [])
    return {
        "id": run.pk,
        "kind": run.kind,
        "state": run.state,
        "verdict": run.verdict or None,
        "stdout": result.get("stdout", "") if is_done else None,
        "error": finite(result.get("error")),
        "value": result.get("value"),
        "value_tensor": finite(next((tensor for tensor in tensors if tensor["name"] == LAST_VALUE), None)),
        "tensors": finite([tensor for tensor in tensors if tensor["name"] != LAST_VALUE]),
        "cases": finite(result.get("cases", [])),
        "created_at": run.queued_at,
        "finished_at": run.finished_at,
        "events_url": None if is_done else live.events_url(run.topic),
    }


def finite(value: Any) -> Any:
    """The same JSON with numbers that JSON has not (NaN and the infinities) as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return value


def published(exercise: Exercise) -> ExerciseVersion:
    """The published version. Raises: Exercise.DoesNotExist where nothing is published."""
    if exercise.published is None:
        raise Exercise.DoesNotExist
    return exercise.published


def _demands(stated: Mapping[str, Any]) -> dict[str, Any]:
    """What code is asked for beside values: as it is declared, and in words."""
    declared = {name: stated.get(name) or nothing for name, nothing in NO_DEMANDS.items()}
    return {**declared, "words": demands_in_words(stated)}


def _exercise_line(item: ExerciseProgress) -> dict[str, Any]:
    version = published(item.exercise)
    return {
        "slug": item.exercise.slug,
        "kind": version.kind,
        "title": version.title,
        "points": version.points,
        "best": None if item.best is None else _best(item.best),
    }


def _best(best: BestScore) -> dict[str, Any]:
    return {
        "verdict": best.verdict,
        "score": best.score,
        "max_score": best.max_score,
        "solved_at": best.solved_at,
    }


def _error(feedback: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The exception of source that did not load or of the case that decided, where there is one to show."""
    if not feedback or feedback["stage"] != Stage.EXCEPTION:
        return None
    details = feedback["details"] or {}
    return {name: details[name] for name in ("type", "message", "line", "traceback") if name in details} or None
