from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.content.schemas import SCHEMA_NAMES, schema_file


class Command(BaseCommand):
    help = "Prints the JSON Schema of exercise.yaml, or writes those of exercise.yaml and course.yaml into a folder."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", nargs="?", help="such as my-course/.schema")
        parser.add_argument("--course", action="store_true", help="print that of course.yaml")

    def handle(self, *, folder: Path | None, course: bool, **options: Any) -> None:
        if folder is None:
            self.stdout.write(schema_file("course" if course else "exercise").decode(), ending="")
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name in SCHEMA_NAMES:
                (folder / f"{name}.json").write_bytes(schema_file(name))
                self.stdout.write(f"+ {folder / name}.json")
        except OSError as error:
            raise CommandError(str(error)) from error
