"""What the two commands share: a runner, progress, and the report as text or JSON."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from worker.checking.certificates import put_certificate
from worker.checking.exercise import OnProgress
from worker.checking.findings import CourseReport, ExerciseReport, Progress
from worker.checking.noting import NotingRunner
from worker.checking.report import Paint
from worker.runners import any_runner
from worker.sandbox.job import SandboxError
from worker.solution import Runner

Report = TypeVar("Report", ExerciseReport, CourseReport)

_STYLES: Final = {
    "good": "SUCCESS",
    "bad": "ERROR",
    "remark": "WARNING",
    "quiet": "HTTP_INFO",
    "title": "MIGRATE_HEADING",
}
_CLEAR_LINE: Final = "\r\x1b[K"
_WIDEST: Final = 78


class CheckCommand(BaseCommand, Generic[Report]):
    """Checks a folder and reports; says what it does meanwhile where somebody watches."""

    requires_system_checks = []
    folder_help: str
    lines: Callable[[Report, Paint], Iterator[str]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help=self.folder_help)
        parser.add_argument("--json", action="store_true", help="the report as one JSON document")
        parser.add_argument(
            "--write-certificates",
            action="store_true",
            help="put a certificate.json beside each exercise that is proven sound, and take away any other",
        )

    def check_folder(self, folder: Path, runner: Runner, tell: OnProgress, **options: Any) -> Report:
        """The report on the folder. Raises: SandboxError."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        watched = sys.stderr.isatty() and not options["json"]
        try:
            with any_runner(settings.RUNNER_SOCKET) as runner:
                noting = NotingRunner(runner=runner)
                report = self.check_folder(options["folder"], noting, self._tell if watched else _say_nothing)
        except SandboxError as error:
            raise CommandError(str(error)) from error
        if watched:
            self.stderr.write(_CLEAR_LINE, ending="")
        if options["json"]:
            self.stdout.write(json.dumps(report.to_json(), ensure_ascii=False))
        else:
            self.stdout.write("\n".join(type(self).lines(report, self._paint)))
        if options["write_certificates"]:
            self._write_certificates(options["folder"], report, noting.torch_version)
        if not report.is_sound:
            sys.exit(1)

    def exercises_in(self, folder: Path, report: Report) -> dict[Path, ExerciseReport]:
        """The report on each exercise by its folder."""
        raise NotImplementedError

    def _write_certificates(self, folder: Path, report: Report, torch_version: str) -> None:
        try:
            for exercise, own in self.exercises_in(folder, report).items():
                change = put_certificate(exercise, own, torch_version=torch_version)
                if change in {"written", "removed"}:
                    self.stderr.write(f"certificate of {own.slug}: {change}")
        except OSError as error:
            raise CommandError(f"A certificate cannot be written: {error}") from error

    def _tell(self, progress: Progress) -> None:
        self.stderr.write(f"{_CLEAR_LINE}{progress.doing[:_WIDEST]}", ending="")
        self.stderr.flush()

    def _paint(self, word: str, text: str) -> str:
        painted: str = getattr(self.style, _STYLES[word])(text)
        return painted


def _say_nothing(progress: Progress) -> None:
    """Nobody watches."""
