from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from exercises.made_classes import make_class
from exercises.made_classes.sizes import ClassSize
from exercises.models import Course

UNIT = 1_000_000


class Command(BaseCommand):
    help = (
        "Makes a course with a class at work in it, as large as asked for: to measure, and to look at pages. "
        "Students, hand-ins and mistakes are made up."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--slug", default="class", help="of the course, and before the names of its people")
        parser.add_argument("--students", type=int, default=1100)
        parser.add_argument("--exercises", type=int, default=60)
        parser.add_argument("--submissions", type=int, default=300_000)
        parser.add_argument("--seed", type=int, default=1, help="the same seed and time make the same class")
        parser.add_argument("--until", help="when the class is looked at, as 2026-05-04T10:00; by default now (UTC)")

    def handle(self, *, slug: str, until: str | None, **options: Any) -> None:
        if Course.objects.filter(slug=slug).exists():
            raise CommandError(f"There is a course {slug!r} already: choose another --slug.")
        sizes = {name: options[name] for name in ("students", "exercises", "submissions")}
        if min(sizes.values()) < 1:
            raise CommandError("Students, exercises and submissions must be at least 1 each.")
        size = ClassSize(slug=slug, until=_moment(until), seed=options["seed"], **sizes)
        began = time.monotonic()
        course = make_class(size)
        self.stdout.write(f"{course.title} ({course.slug}): made in {time.monotonic() - began:.0f} s")
        self.stdout.write(f"its instructor is {slug}-instructor: sign in by `create_account {slug}-instructor`")
        self.stdout.write(f"database: {database_bytes() / UNIT:.0f} MB")


def database_bytes() -> int:
    """How large the database is."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])


def _moment(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise CommandError(f"--until must be a moment as 2026-05-04T10:00, not {text!r}.") from error
