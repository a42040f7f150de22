"""Making a backup of this site, and putting one in its place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from quizsite import embedded
from quizsite.backups import postgresql, sqlite
from quizsite.backups.files import ABOUT, About, BackupError, new_backup, sync, verified

SECRET_KEY = "secret_key"  # noqa: S105  (a file's name)


def about_this_site() -> About:
    """What a backup of this site says of itself. Raises: BackupError where there is no site yet."""
    if _is_sqlite() and not _database_file().exists():
        raise BackupError(f"There is no site in {settings.DATA} yet. Set DATA to the folder of the one to back up.")
    applied = MigrationRecorder(connection).applied_migrations()
    if not applied:
        raise BackupError("There is no site in this database yet.")
    migrations = tuple(sorted(f"{app}.{name}" for app, name in applied))
    return About(database=connection.vendor, made_at=timezone.now().isoformat(), migrations=migrations)


def make_backup(folder: Path, *, force: bool = False) -> int:
    """A backup of this site in `folder`, while it runs; how many bytes. By `force` it takes an earlier one's place.

    Raises: BackupError where it cannot be made, or `folder` holds something.
    """
    about = about_this_site()
    with new_backup(folder, force=force) as draft:
        (draft / ABOUT).write_text(about.to_json())
        if _is_sqlite():
            sqlite.copy_out(connection, draft / sqlite.FILE)
        else:
            postgresql.copy_out(connection, draft / postgresql.FILE)
        if settings.IS_EMBEDDED and settings.SECRET_FILE.exists():
            shutil.copyfile(settings.SECRET_FILE, draft / SECRET_KEY)
        return sum(path.stat().st_size for path in draft.iterdir())


def restore_backup(folder: Path, *, force: bool = False) -> Path | None:
    """Put a backup in the place of this site, which must not run. Only by `force` where it holds anything.

    Gives the folder to which files that had to make room were moved, where there were any.

    Raises: BackupError where the backup is damaged, of another kind of database or of a later version; nothing has
        changed then.
    """
    require_fits(verified(folder))
    with _alone():
        require_room(force=force)
        if not _is_sqlite():
            postgresql.copy_in(connection, folder / postgresql.FILE)
        replaced = _restore_files(folder)
        call_command("migrate", interactive=False, verbosity=0)
        connections.close_all()
    return replaced


def require_fits(about: About) -> None:
    """Raises: BackupError where this version, with the database that it is set to, cannot take such a backup."""
    if about.database != connection.vendor:
        raise BackupError(f"The backup is of {about.database}; this site is set to {connection.vendor}.")
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = sorted(set(about.migrations) - known)
    if unknown:
        raise BackupError(f"The backup was made by a later version, with {', '.join(unknown)}. Install that one.")


def require_room(*, force: bool) -> None:
    """Raises: BackupError while PostgreSQL is in use, or where this site holds anything, unless by `force`."""
    if not _is_sqlite():
        postgresql.require_alone(connections[DEFAULT_DB_ALIAS])
    holds_data = sqlite.holds_data(_database_file()) if _is_sqlite() else postgresql.holds_data(connection)
    if holds_data and not force:
        raise BackupError("This site holds data, which would be replaced. Back it up first; then add --force.")


def _is_sqlite() -> bool:
    return connection.vendor == "sqlite"


def _database_file() -> Path:
    return Path(connection.settings_dict["NAME"])


@contextmanager
def _alone() -> Iterator[None]:
    """While nobody else uses DATA. Raises: BackupError where the product runs there."""
    if not settings.IS_EMBEDDED:
        yield
        return
    try:
        with embedded.locked(settings.DATA):
            yield
    except embedded.CannotStartError as error:
        raise BackupError(str(error)) from None


def _restore_files(folder: Path) -> Path | None:
    """Files into their places; first all of them whole beside those, so that a full disk changes nothing."""
    places = {SECRET_KEY: settings.SECRET_FILE, sqlite.FILE: _database_file()}
    fresh = [(_copy_beside(folder / name, place), place) for name, place in places.items() if (folder / name).exists()]
    connections.close_all()
    replaced = _make_room([file for _, place in fresh for file in sqlite.files_of(place)])
    for copy, place in fresh:
        copy.replace(place)
        sync(place.parent)
    return replaced


def _copy_beside(source: Path, place: Path) -> Path:
    copy = place.with_name(f"{place.name}.restored")
    copy.touch(mode=0o600)
    shutil.copyfile(source, copy)
    sync(copy)
    return copy


def _make_room(files: list[Path]) -> Path | None:
    """Move files into a folder of their own in DATA: whoever restored the wrong backup still has them."""
    if not files:
        return None
    folder: Path = settings.DATA / f"replaced-{datetime.now():%Y%m%d-%H%M%S-%f}"
    folder.mkdir(mode=0o700)
    for file in files:
        file.rename(folder / file.name)
    return folder
