from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from exercises.content import ContentError, ExerciseFolder, read_exercise
from worker.cases import CasesError
from worker.files import FileError, GradedFile, grade_files
from worker.runners import any_runner
from worker.sandbox.job import SandboxError
from worker.solution import Runner


class Command(BaseCommand):
    help = "Grades files against an exercise folder, without database or broker."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="an exercise folder with its exercise.yaml")
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file with a submission; graded in parallel")
        parser.add_argument("--json", action="store_true", help="one line of JSON for each file, in order")
        parser.add_argument("--seed", help="draw hidden cases from this text instead of the exercise's content")
        parser.add_argument("--draws", type=int, nargs="+", default=(), metavar="SEED", help="the seed of each draw")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            folder = read_exercise(options["folder"])
            with any_runner(settings.RUNNER_SOCKET) as runner:
                for graded in _graded(folder, runner, options):
                    self.stdout.write(json.dumps(graded.to_json()) if options["json"] else _report(graded))
                    self.stdout.flush()
        except (ContentError, CasesError, FileError, SandboxError) as error:
            raise CommandError(str(error)) from error


def _graded(folder: ExerciseFolder, runner: Runner, options: dict[str, Any]) -> Iterator[GradedFile]:
    return grade_files(folder, options["files"], runner, seed=options["seed"], draws=options["draws"])


def _report(graded: GradedFile) -> str:
    outcome = graded.outcome
    lines = [f"{graded.file}: {outcome.verdict.value}, {outcome.score:g} of {outcome.max_score:g}"]
    lines += [
        f"  {'visible' if case.visible else 'hidden '}  {case.verdict.value:16}  {case.name}"
        f"{': ' if case.feedback.summary else ''}{case.feedback.summary}"
        for case in outcome.cases
    ]
    if outcome.feedback.hint:
        lines.append(f"  {outcome.feedback.hint}")
    return "\n".join(lines)
