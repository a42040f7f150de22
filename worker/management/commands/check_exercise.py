from __future__ import annotations

from pathlib import Path
from typing import Any

from exercises.content import mutation_score_for
from worker.checking.command import CheckCommand
from worker.checking.exercise import OnProgress, check_exercise
from worker.checking.findings import ExerciseReport
from worker.checking.report import exercise_lines
from worker.solution import Runner


class Command(CheckCommand[ExerciseReport]):
    help = "Proves an exercise folder sound; exits with 0 only if it may be published."
    folder_help = "an exercise folder with its exercise.yaml"
    lines = staticmethod(exercise_lines)

    def check_folder(self, folder: Path, runner: Runner, tell: OnProgress, **options: Any) -> ExerciseReport:
        return check_exercise(folder, runner, required_score=mutation_score_for(folder), tell=tell)

    def exercises_in(self, folder: Path, report: ExerciseReport) -> dict[Path, ExerciseReport]:
        return {folder: report}
