"""Proves a course folder sound: its files, its lessons, each of its exercises."""

from __future__ import annotations

import time
from pathlib import Path

from exercises.content import ContentError, CourseFolder, read_course
from worker.checking.exercise import OnProgress, check_read_exercise, finding_of
from worker.checking.findings import CourseReport, Finding, Progress
from worker.checking.lessons import counted, lesson_findings
from worker.solution import Runner


def check_course(folder: Path, runner: Runner, *, tell: OnProgress) -> CourseReport:
    """The report on the course in `folder`. Raises: SandboxError (ours)."""
    started = time.perf_counter()
    try:
        course = read_course(folder)
    except ContentError as error:
        findings = tuple(map(finding_of, error.problems))
        return CourseReport(slug=folder.resolve().name, findings=findings, seconds=time.perf_counter() - started)
    lessons = _check_lessons(course, runner, tell)
    exercises = tuple(
        check_read_exercise(exercise, runner, required_score=course.mutation_score, tell=tell)
        for exercise in course.exercises
    )
    return CourseReport(
        slug=course.slug,
        findings=tuple(lessons),
        facts=counted(course.lessons),
        exercises=exercises,
        seconds=time.perf_counter() - started,
    )


def _check_lessons(course: CourseFolder, runner: Runner, tell: OnProgress) -> list[Finding]:
    found: list[Finding] = []
    for lesson in course.lessons:
        tell(Progress(doing=f"lesson {lesson.slug}"))
        found += lesson_findings(lesson, runner)
    return found
