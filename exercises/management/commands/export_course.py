from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.content.folders import FolderInUseError, update_folder, write_folder
from exercises.content.zips import write_zip
from exercises.models import Course
from exercises.queries import course_files


class Command(BaseCommand):
    help = "Writes a course as a folder, or as a zip file: what was loaded comes out byte by byte."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the course")
        parser.add_argument("target", type=Path, metavar="FOLDER|FILE.zip", help="where to")
        parser.add_argument(
            "--working-copies", action="store_true", help="what authors saved last, published or not, of every exercise"
        )
        parser.add_argument(
            "--update", action="store_true", help="into a folder that holds the course: remove what it has no more"
        )

    def handle(self, *, slug: str, target: Path, working_copies: bool, update: bool, **options: Any) -> None:
        course = Course.objects.filter(slug=slug).first()
        if course is None:
            known = ", ".join(Course.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no course {slug!r}. There are: {known}.")
        files = course_files(course, heads=working_copies)
        try:
            gone = _write(target, files, course, update=update)
        except FolderInUseError as error:
            raise CommandError(f"{error} Name a new folder, or give --update for one that holds the course.") from error
        except OSError as error:
            raise CommandError(str(error)) from error
        for path in gone:
            self.stdout.write(f"- {path}")
        self.stdout.write(f"{course.title} ({slug}): {len(files)} files in {target}")


def _write(target: Path, files: dict[str, bytes], course: Course, *, update: bool) -> list[str]:
    """The paths of files that were removed."""
    if target.suffix == ".zip":
        target.write_bytes(write_zip(files, folder=course.slug))
    elif update:
        return update_folder(target, files)
    else:
        write_folder(target, files)
    return []
