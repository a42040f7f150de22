"""A database of PostgreSQL: dumped by pg_dump, brought back in one transaction."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO, Any

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.backends.postgresql.client import DatabaseClient

from quizsite.backups.files import BackupError

FILE = "database.dump"
# All that this product keeps in a database are tables and what hangs on them. A transaction that `COMMIT` ends.
PROLOGUE = """\
\\set ON_ERROR_STOP on
BEGIN;
SET LOCAL lock_timeout = '30s';
SET LOCAL client_min_messages = warning;
DO $$
DECLARE found record;
BEGIN
    FOR found IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('DROP TABLE public.%I CASCADE', found.tablename);
    END LOOP;
END $$;
"""
# Whoever has just been stopped is on the list for a moment longer.
_LEAVE_SECONDS = 5.0
_PAUSE_SECONDS = 0.1
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


def copy_out(connection: BaseDatabaseWrapper, target: Path) -> None:
    """A dump of the database as it is at one moment; nobody who writes has to wait.

    Raises: BackupError where pg_dump is missing or fails.
    """
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--file={target}"]
    command, environment = _command(connection, "pg_dump", *options)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackupError(f"pg_dump failed: {done.stderr.strip()[-500:]}")


def copy_in(connection: BaseDatabaseWrapper, source: Path) -> None:
    """Put the dump in the place of all tables; when it does not get to its end, they stay as they are.

    Raises: BackupError where psql or pg_restore is missing or fails.
    """
    command, environment = _command(connection, "psql", "--no-psqlrc", "--quiet")
    read = [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(source)]
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints
        ) as psql:
            assert psql.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                is_whole = _feed(psql.stdin, read, complaints)
                psql.stdin.close()
        if psql.returncode or not is_whole:
            complaints.seek(0)
            raise BackupError(f"Nothing was changed: {complaints.read().decode(errors='replace').strip()[-500:]}")


def _feed(psql: IO[bytes], read: list[str], complaints: IO[bytes]) -> bool:
    """Send the whole of it, and only then `COMMIT`; whether it came to that."""
    psql.write(PROLOGUE.encode())
    psql.flush()
    if subprocess.run(read, stdout=psql, stderr=complaints, check=False).returncode:
        return False
    psql.write(b"COMMIT;\n")
    psql.flush()
    return True


def holds_data(connection: BaseDatabaseWrapper) -> bool:
    """Whether it is a site's database with somebody or something in it."""
    tables = {"exercises_user", "exercises_course"} & set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {table})")  # noqa: S608  (a name of ours)
            if cursor.fetchone()[0]:
                return True
    return False


def require_alone(connection: BaseDatabaseWrapper) -> None:
    """Raises: BackupError while anybody else is connected to the database."""
    assert isinstance(connection, DatabaseWrapper)
    # A pool may hold several connections of our own.
    connection.close()
    connection.close_pool()
    end = time.monotonic() + _LEAVE_SECONDS
    with psycopg.connect(**connection.get_connection_params()) as own:
        while others := _connected_besides(own):
            if time.monotonic() > end:
                raise BackupError(f"Others are connected to the database ({others}). Stop web, worker and beat first.")
            time.sleep(_PAUSE_SECONDS)


def _connected_besides(own: psycopg.Connection[Any]) -> int:
    with own.transaction():
        row = own.execute(_OTHERS).fetchone()
    assert row is not None
    return int(row[0])


def _command(connection: BaseDatabaseWrapper, name: str, *options: str) -> tuple[list[str], dict[str, str]]:
    """A program that speaks to this database: its words, and its environment with the password."""
    words, changes = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    return [_program(name), *options, *words[1:]], {**os.environ, **(changes or {})}


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise BackupError(
            f"{name} is missing. Install PostgreSQL's client programs, at least as new as the server (on Debian: "
            "apt-get install postgresql-client). With Compose: deploy/backup and deploy/restore."
        )
    return path
