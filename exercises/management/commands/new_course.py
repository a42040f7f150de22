from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.content.beginning import new_course_files
from exercises.content.fields import slug_problem
from exercises.content.folders import FolderInUseError, write_folder


class Command(BaseCommand):
    help = "Makes a course folder with a lesson and two exercises, to write your own over. Needs no database."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder; its name is the course's slug")
        parser.add_argument("--title", help="what the course is called; without it, the name of the folder")

    def handle(self, *, folder: Path, title: str | None, **options: Any) -> None:
        name = folder.resolve().name
        if message := slug_problem(name):
            raise CommandError(f"The folder's name is the course's slug: {message}.")
        files = new_course_files(title or name.replace("-", " ").capitalize())
        try:
            write_folder(folder, files)
        except (FolderInUseError, OSError) as error:
            raise CommandError(str(error)) from error
        for path in files:
            self.stdout.write(f"+ {folder / path}")
        self.stdout.write(f"\nLook at it:    python manage.py preview {folder}")
        self.stdout.write(f"Prove it sound: python manage.py check_course {folder}")
