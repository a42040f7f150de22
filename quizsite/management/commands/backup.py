from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from quizsite.backups.files import BackupError
from quizsite.backups.verbs import about_this_site, make_backup


class Command(BaseCommand):
    help = "Copies database and secrets into a folder, with sums, while the product runs. `restore` brings them back."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="a new or empty folder")
        what.add_argument("--about", action="store_true", help="make none; only say what it would say of itself")
        parser.add_argument("--force", action="store_true", help="replace an earlier backup in FOLDER")

    def handle(self, *, folder: Path | None, force: bool, **options: Any) -> None:
        os.umask(0o077)
        begun = time.monotonic()
        try:
            if folder is None:
                self.stdout.write(about_this_site().to_json(), ending="")
                return
            size = make_backup(folder, force=force)
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"Backed up to {folder}: {size / 1e6:.1f} MB in {time.monotonic() - begun:.1f} s. It holds secrets and "
            "people's work: keep it where nobody else can read it, and not on this disk alone."
        )
