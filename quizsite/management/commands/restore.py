from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from quizsite.backups.files import BackupError, read_about, verified
from quizsite.backups.postgresql import PROLOGUE
from quizsite.backups.verbs import require_fits, require_room, restore_backup


class Command(BaseCommand):
    help = "Puts what `backup` copied in the place of this site, which must be stopped. Every file is verified first."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="what `backup` made")
        what.add_argument(
            "--prologue",
            action="store_true",
            help="restore nothing: read about.json from the input, and print what psql must be told before the dump",
        )
        parser.add_argument("--force", action="store_true", help="also where this site holds data, which is replaced")
        parser.add_argument("--check", action="store_true", help="change nothing; only say whether FOLDER is whole")

    def handle(self, *, folder: Path | None, force: bool, check: bool, **options: Any) -> None:
        os.umask(0o077)
        try:
            if folder is None:
                self._say_prologue(sys.stdin.read(), force=force)
            elif check:
                about = verified(folder)
                self.stdout.write(f"Whole: a {about.database} database as of {about.made_at}.")
            else:
                self._restore(folder, force=force)
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(str(error)) from None

    def _restore(self, folder: Path, *, force: bool) -> None:
        begun = time.monotonic()
        replaced = restore_backup(folder, force=force)
        self.stdout.write(f"Restored from {folder} in {time.monotonic() - begun:.1f} s. Start the product again.")
        if replaced:
            self.stdout.write(f"What was here before is in {replaced}; remove it once nobody misses anything.")

    def _say_prologue(self, about: str, *, force: bool) -> None:
        require_fits(read_about(about))
        require_room(force=force)
        self.stdout.write(PROLOGUE)
