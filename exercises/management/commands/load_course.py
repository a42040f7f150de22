from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises import services
from exercises.content import ContentError, read_course

SIGNS = {"added": "+", "changed": "~", "retired": "-", "unchanged": " "}


class Command(BaseCommand):
    help = "Loads a course folder into the database. Repeatable: a changed exercise becomes a new version."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="the folder with course.yaml; its name is the course's slug")

    def handle(self, *, folder: Path, **options: Any) -> None:
        try:
            course = read_course(folder)
        except ContentError as error:
            count = len(error.problems)
            found = f"{count} problem{'s' if count > 1 else ''}"
            raise CommandError(f"{found} in {folder}, nothing was loaded.\n{error}") from error
        changes = services.load_course(course)
        self.stdout.write(f"{course.title} ({course.slug})")
        for noun, changed in (("lesson", changes.lessons), ("exercise", changes.exercises)):
            for slug, change in changed.items():
                self.stdout.write(f"{SIGNS[change]} {noun} {slug}: {change}")
