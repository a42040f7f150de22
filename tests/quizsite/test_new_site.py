"""A new site's tables are made at once; here they are held against those that the migrations make."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.db import connection

from quizsite.new_site import make_tables
from tests.product import ROOT

AT_ONCE = ("shell", "--no-imports", "-c", "from quizsite import embedded; embedded.migrate()")
KILLED = """
import os
from django.db.migrations.executor import MigrationExecutor
from quizsite.new_site import make_tables
MigrationExecutor.record_migration = lambda *_: os._exit(7)
make_tables()
"""
STEP_BY_STEP = ("migrate", "--verbosity=0")
# Before a column, or a constraint of the whole table.
PART = re.compile(r", (?=\"|CONSTRAINT |CHECK |UNIQUE )")


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_tables_made_at_once_are_those_that_migrations_make(tmp_path):
    at_once, step_by_step = made_by(tmp_path / "at-once", AT_ONCE), made_by(tmp_path / "step-by-step", STEP_BY_STEP)

    assert at_once["rows"]["django_migrations"] > 40
    assert at_once == step_by_step


def test_making_of_tables_that_is_cut_short_leaves_none(tmp_path):
    status = manage(tmp_path, "shell", "--no-imports", "-c", KILLED)

    with closing(sqlite3.connect(tmp_path / "quizsite.sqlite3")) as database:
        assert (status, database.execute("SELECT name FROM sqlite_master").fetchall()) == (7, [])


def test_database_that_has_tables_is_left_alone(db):
    before = connection.introspection.table_names()

    assert not make_tables()
    assert connection.introspection.table_names() == before


def manage(data, *arguments):
    """The exit status of a command with this folder."""
    environment = {**os.environ, "DATA": str(data), "DJANGO_SETTINGS_MODULE": "quizsite.settings"}
    environment.pop("DATABASE_URL", None)
    return subprocess.run([sys.executable, ROOT / "manage.py", *arguments], cwd=ROOT, env=environment).returncode


def made_by(data, arguments):
    """What a command makes of an empty folder."""
    data.mkdir()
    assert manage(data, *arguments) == 0
    with closing(sqlite3.connect(data / "quizsite.sqlite3")) as database:
        return looked_at(database)


def looked_at(database):
    """Tables and indexes as they are declared, whatever the order of columns; migrations; the number of rows."""
    declared = {
        (kind, name): sorted(PART.split(text.partition("(")[2].removesuffix(")"))) if text else None
        for kind, name, text in database.execute("SELECT type, name, sql FROM sqlite_master")
    }
    tables = [name for kind, name in declared if kind == "table" and name != "sqlite_sequence"]
    return {
        "declared": declared,
        "migrations": database.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall(),
        "rows": {name: database.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0] for name in tables},
    }
