"""The database of the embedded mode: copied while it is written to, and put in the place of another."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

from quizsite.backups.files import BackupError

FILE = "database.sqlite3"
# Beside the database, SQLite keeps what is not yet in it.
_COMPANIONS = ("-wal", "-shm", "-journal")


def copy_out(connection: BaseDatabaseWrapper, target: Path) -> None:
    """A copy of the database as it is at one moment, in one file, checked. Nobody who writes has to wait.

    Raises: BackupError where the copy is not sound or cannot be written.
    """
    connection.ensure_connection()
    try:
        with closing(sqlite3.connect(target)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            problems = [row[0] for row in copy.execute("PRAGMA integrity_check(3)")]
    except sqlite3.Error as error:
        raise BackupError(f"The database cannot be copied: {error}.") from None
    if problems != ["ok"]:
        raise BackupError(f"The database is damaged: {'; '.join(problems)}. Keep your earlier backups.")


def holds_data(path: Path) -> bool:
    """Whether this is a site's database with somebody or something in it, or cannot be read at all."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    try:
        with closing(sqlite3.connect(path)) as database:
            return any(_has_rows(database, table) for table in ("exercises_user", "exercises_course"))
    except sqlite3.DatabaseError:
        return True


def files_of(path: Path) -> list[Path]:
    """The database's file and those that belong to it, as far as they exist."""
    return [file for file in (path, *(path.with_name(path.name + end) for end in _COMPANIONS)) if file.exists()]


def _has_rows(database: sqlite3.Connection, table: str) -> bool:
    known = database.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    return bool(known and database.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()[0])  # noqa: S608  (a name of ours)
