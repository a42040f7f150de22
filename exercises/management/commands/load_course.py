from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from exercises import services
from exercises.content import ContentError, CourseFolder, read_course, read_course_files
from exercises.content.zips import read_zip

SIGNS = {"added": "+", "changed": "~", "retired": "-", "unchanged": " "}


class Command(BaseCommand):
    help = "Loads a course folder into the database. Repeatable: a changed exercise becomes a new version."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder",
            type=Path,
            metavar="FOLDER|FILE.zip",
            help="the folder with course.yaml, or a zip of it; its name is the course's slug",
        )
        parser.add_argument(
            "--require-certificates", action="store_true", help="refuse a course with an exercise not proven sound"
        )

    def handle(self, *, folder: Path, require_certificates: bool, **options: Any) -> None:
        try:
            course = _read(folder)
        except ContentError as error:
            count = len(error.problems)
            found = f"{count} problem{'s' if count > 1 else ''}"
            raise CommandError(f"{found} in {folder}, nothing was loaded.\n{error}") from error
        with transaction.atomic():
            changes = services.load_course(course)
            if require_certificates and changes.unproven:
                raise CommandError("Nothing was loaded.\n" + "\n".join(_unproven(changes)))
        self.stdout.write(f"{course.title} ({course.slug})")
        for noun, changed in (("lesson", changes.lessons), ("exercise", changes.exercises)):
            for slug, change in changed.items():
                self.stdout.write(f"{SIGNS[change]} {noun} {slug}: {change}")
        for line in _unproven(changes):
            self.stdout.write(line)


def _read(folder: Path) -> CourseFolder:
    if folder.suffix != ".zip" or not folder.is_file():
        return read_course(folder)
    with folder.open("rb") as file:
        return read_course_files(folder.stem, read_zip(file))


def _unproven(changes: services.CourseChanges) -> list[str]:
    return [
        f"! exercise {slug} is not proven sound: {missing}"
        + (" (certificate.json is of another version)" if slug in changes.stale_certificates else "")
        for slug, missing in changes.unproven.items()
    ]
