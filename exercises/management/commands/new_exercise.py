from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.content.beginning import SCHEMA_FOLDER, new_exercise_files, schema_files
from exercises.content.fields import slug_problem
from exercises.content.folders import FolderInUseError, write_folder
from exercises.content.kinds import KINDS


class Command(BaseCommand):
    help = "Makes an exercise folder with a small sound exercise of a kind, to write your own over. Needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, my-course/exercises/<slug>")
        parser.add_argument("--kind", choices=list(KINDS), required=True, help="what students answer with")

    def handle(self, *, folder: Path, kind: str, **options: Any) -> None:
        slug = folder.resolve().name
        if message := slug_problem(slug):
            raise CommandError(f"The folder's name is the exercise's slug: {message}.")
        course = folder.resolve().parent.parent
        is_in_course = (course / "course.yaml").is_file()
        files = new_exercise_files(kind, f"../../{SCHEMA_FOLDER}" if is_in_course else SCHEMA_FOLDER)
        try:
            write_folder(folder, files)
            _write_schemas(course if is_in_course else folder)
        except (FolderInUseError, OSError) as error:
            raise CommandError(str(error)) from error
        for path in files:
            self.stdout.write(f"+ {folder / path}")
        self.stdout.write(f"\nWrite your own exercise over it, and embed it in a lesson:  ::: exercise {slug}")
        self.stdout.write(f"Prove it sound: python manage.py check_exercise {folder}")


def _write_schemas(folder: Path) -> None:
    for path, content in schema_files().items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)
