"""`python -m tests.released.make`: keeps a small site of the version at hand, on the database that is set.

Once plainly, for SQLite, and once under `.ci/with-postgres`. What is kept of a released version is never made again.
"""

import json
import logging
import os
import sys
import tempfile
from pathlib import Path

import django

from tests.released import releases


def main():
    version = releases.current_version()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA=folder, DJANGO_SETTINGS_MODULE="quizsite.settings")
        django.setup()
        logging.disable(logging.WARNING)  # of the broker, which is not there
        rows, vendor = _make(Path(folder), releases.FOLDER / version)
    kept = {"version": version, "migrations": releases.sums_of_migrations(), "rows": rows}
    (releases.FOLDER / version / releases.MANIFEST).write_text(json.dumps(kept, indent=1) + "\n")
    size = releases.archive(version, vendor).stat().st_size
    sys.stdout.write(f"{version} on {vendor}: {sum(rows.values())} rows of {len(rows)} tables, {size} bytes\n")


def _make(folder, target):
    """What the site holds, and on which database; its backup is packed into the target."""
    from django.core.management import call_command  # noqa: PLC0415  (the site is set up by now)
    from django.db import connection  # noqa: PLC0415

    from quizsite.backups.files import SUMS  # noqa: PLC0415
    from quizsite.backups.verbs import SECRET_KEY, make_backup  # noqa: PLC0415
    from tests.released import filling  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    filling.fill()
    make_backup(folder / "backup")
    # The repository holds no key, not even one that opens nothing.
    (folder / "backup" / SECRET_KEY).unlink(missing_ok=True)
    sums = folder / "backup" / SUMS
    sums.write_text("".join(line for line in sums.read_text().splitlines(keepends=True) if SECRET_KEY not in line))
    target.mkdir(exist_ok=True)
    releases.pack(folder / "backup", target / f"{connection.vendor}.tar.xz")
    return filling.rows(), connection.vendor


if __name__ == "__main__":
    main()
