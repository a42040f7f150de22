from __future__ import annotations

from pathlib import Path
from typing import Any

from worker.checking.command import CheckCommand
from worker.checking.course import check_course
from worker.checking.exercise import OnProgress
from worker.checking.findings import CourseReport, ExerciseReport
from worker.checking.report import course_lines
from worker.solution import Runner


class Command(CheckCommand[CourseReport]):
    help = "Proves a course folder sound, with its lessons and exercises; exits with 0 only if it may be published."
    folder_help = "a course folder with its course.yaml"
    lines = staticmethod(course_lines)

    def check_folder(self, folder: Path, runner: Runner, tell: OnProgress, **options: Any) -> CourseReport:
        return check_course(folder, runner, tell=tell)

    def exercises_in(self, folder: Path, report: CourseReport) -> dict[Path, ExerciseReport]:
        return {folder / "exercises" / exercise.slug: exercise for exercise in report.exercises}
