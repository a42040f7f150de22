"""The commands as an operator gives them, on SQLite; under `.ci/with-postgres` on PostgreSQL."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import uuid
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.product import ROOT

pytestmark = pytest.mark.timeout(240)
SERVER = os.environ.get("DATABASE_URL", "")
NAMES = {"about.json", "SHA256SUMS", "secret_key", "database.dump" if SERVER else "database.sqlite3"}


class Place:
    """Where a site may be: a folder and, on PostgreSQL, a database of its own."""

    def __init__(self, folder: Path, like: "Place | None" = None):
        """An empty one, or one like another that nobody uses."""
        self.folder, self.name = folder, f"backup_{uuid.uuid4().hex}"
        if SERVER:
            with psycopg.connect(SERVER, autocommit=True) as server:
                server.execute(f"CREATE DATABASE {self.name} {f'TEMPLATE {like.name}' if like else ''}")
        if like:
            shutil.copytree(like.folder, folder)

    @property
    def url(self):
        return urlsplit(SERVER)._replace(path=f"/{self.name}").geturl()

    @property
    def environment(self):
        """Of a program that works at this place."""
        place = {"DATA": str(self.folder), "DJANGO_SETTINGS_MODULE": "quizsite.settings"}
        return {**os.environ, **place, **({"DATABASE_URL": self.url} if SERVER else {})}

    def manage(self, *arguments, status=0, text=None):
        """What a command says, on either stream, when it ends with this status."""
        command = [sys.executable, ROOT / "manage.py", *map(str, arguments)]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, input=text, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def connect(self):
        return closing(psycopg.connect(self.url) if SERVER else sqlite3.connect(self.folder / "quizsite.sqlite3"))

    def do(self, statement):
        with self.connect() as database:
            database.execute(statement)
            database.commit()

    def people(self):
        with self.connect() as database:
            return [name for (name,) in database.execute("SELECT username FROM exercises_user").fetchall()]

    def remove(self):
        if SERVER:
            with psycopg.connect(SERVER, autocommit=True) as server:
                server.execute(f"DROP DATABASE {self.name} WITH (FORCE)")


@pytest.fixture(scope="module")
def pattern(tmp_path_factory):
    """A site with one account, that tests take copies of."""
    made = Place(tmp_path_factory.mktemp("pattern") / "data")
    made.folder.mkdir(mode=0o700)
    (made.folder / "secret_key").write_text(f"{uuid.uuid4().hex * 2}\n")
    made.manage("migrate", "--verbosity=0")
    made.manage("create_account", "ada")
    yield made
    made.remove()


@pytest.fixture
def site(pattern, tmp_path):
    made = Place(tmp_path / "site", like=pattern)
    yield made
    made.remove()


@pytest.fixture
def elsewhere(tmp_path):
    """Where no site is yet."""
    made = Place(tmp_path / "elsewhere")
    yield made
    made.remove()


def test_site_comes_back_in_another_place_with_its_key(site, elsewhere, tmp_path):
    said = site.manage("backup", tmp_path / "backup")
    restored = elsewhere.manage("restore", tmp_path / "backup")

    assert said.startswith(f"Backed up to {tmp_path / 'backup'}: ")
    assert restored.startswith(f"Restored from {tmp_path / 'backup'} in ")
    assert elsewhere.people() == site.people() == ["ada"]
    assert (elsewhere.folder / "secret_key").read_bytes() == (site.folder / "secret_key").read_bytes()
    assert {path.name for path in (tmp_path / "backup").iterdir()} == NAMES
    assert elsewhere.manage("restore", "--check", tmp_path / "backup").startswith("Whole: a ")


def test_site_with_data_is_replaced_by_force_alone(site, tmp_path):
    site.manage("backup", tmp_path / "backup")
    site.do("UPDATE exercises_user SET username = 'grace'")

    refusal = site.manage("restore", tmp_path / "backup", status=1)
    untouched = site.people()
    site.manage("restore", tmp_path / "backup", "--force")

    assert "This site holds data, which would be replaced." in refusal
    assert (untouched, site.people()) == (["grace"], ["ada"])


def test_damaged_backup_changes_nothing(site, tmp_path):
    site.manage("backup", tmp_path / "backup")
    (file,) = (tmp_path / "backup").glob("database.*")
    file.write_bytes(file.read_bytes()[:-1])
    site.do("UPDATE exercises_user SET username = 'grace'")

    said = site.manage("restore", tmp_path / "backup", "--force", status=1)

    assert f"is damaged: {file.name}." in said
    assert site.people() == ["grace"]


def test_backup_that_does_not_fit_is_refused(site):
    about = json.loads(site.manage("backup", "--about"))
    later = {**about, "migrations": [*about["migrations"], "exercises.9999_later"]}
    other = {**about, "database": "a card index"}

    assert "made by a later version, with exercises.9999_later" in refusal_of(site, later)
    assert "is of a card index;" in refusal_of(site, other)
    assert "COMMIT" not in (accepted := site.manage("restore", "--prologue", "--force", text=json.dumps(about)))
    assert "BEGIN;" in accepted


def refusal_of(site, about):
    return site.manage("restore", "--prologue", "--force", text=json.dumps(about), status=1)


def test_place_without_a_site_has_nothing_to_back_up(elsewhere, tmp_path):
    said = elsewhere.manage("backup", tmp_path / "backup", status=1)

    assert "There is no site in" in said
    assert not (tmp_path / "backup").exists()
    assert not elsewhere.folder.exists()


def test_copy_is_of_what_was_committed_when_it_is_made(site, tmp_path):
    """Somebody who is in the middle of a change is neither waited for nor half copied."""
    with site.connect() as database:
        database.execute("UPDATE exercises_user SET username = 'half-done'")
        site.manage("backup", tmp_path / "backup")
        database.rollback()

    site.manage("restore", tmp_path / "backup", "--force")

    assert site.people() == ["ada"]


@pytest.mark.skipif(not SERVER, reason="PostgreSQL only; make test runs it there")
class TestPostgreSQL:
    def test_nothing_is_restored_while_others_use_the_database(self, site, tmp_path):
        site.manage("backup", tmp_path / "backup")

        with site.connect():
            said = site.manage("restore", tmp_path / "backup", "--force", status=1)

        assert "Others are connected to the database (1)." in said

    def test_dump_that_ends_early_changes_nothing(self, site, tmp_path):
        site.manage("backup", tmp_path / "backup")
        dump = tmp_path / "backup" / "database.dump"
        dump.write_bytes(dump.read_bytes()[:-1000])
        sums = subprocess.run(
            ["sha256sum", "about.json", "database.dump", "secret_key"], cwd=dump.parent, capture_output=True
        )
        (tmp_path / "backup" / "SHA256SUMS").write_bytes(sums.stdout)
        site.do("UPDATE exercises_user SET username = 'grace'")

        said = site.manage("restore", tmp_path / "backup", "--force", status=1)

        assert "Nothing was changed: " in said
        assert site.people() == ["grace"]

    def test_tables_that_the_dump_does_not_know_go(self, site, tmp_path):
        site.manage("backup", tmp_path / "backup")
        site.do("CREATE TABLE later (user_id bigint REFERENCES exercises_user)")

        site.manage("restore", tmp_path / "backup", "--force")

        with site.connect() as database:
            assert database.execute("SELECT to_regclass('later')").fetchone() == (None,)

    def test_missing_program_is_named(self, site, tmp_path, monkeypatch):
        monkeypatch.setenv("PATH", str(tmp_path))

        assert "pg_dump is missing." in site.manage("backup", tmp_path / "backup", status=1)


@pytest.mark.skipif(bool(SERVER), reason="SQLite only; make test runs it there as well")
class TestSQLite:
    def test_what_was_replaced_is_kept_beside(self, site, tmp_path):
        site.manage("backup", tmp_path / "backup")
        site.do("UPDATE exercises_user SET username = 'grace'")

        said = site.manage("restore", tmp_path / "backup", "--force")

        (kept,) = site.folder.glob("replaced-*")
        assert f"What was here before is in {kept}" in said
        with closing(sqlite3.connect(kept / "quizsite.sqlite3")) as database:
            assert database.execute("SELECT username FROM exercises_user").fetchall() == [("grace",)]

    def test_damaged_site_is_replaced(self, site, tmp_path):
        site.manage("backup", tmp_path / "backup")
        (site.folder / "quizsite.sqlite3").write_bytes(b"no database" * 1000)

        refusal = site.manage("restore", tmp_path / "backup", status=1)
        site.manage("restore", tmp_path / "backup", "--force")

        assert "This site holds data" in refusal
        assert site.people() == ["ada"]

    def test_damaged_database_is_not_taken_for_a_backup(self, site, tmp_path):
        with (site.folder / "quizsite.sqlite3").open("r+b") as file:
            file.seek(8 * 4096)
            file.write(b"\xff" * 4096 * 8)

        said = site.manage("backup", tmp_path / "backup", status=1)

        assert "The database " in said
        assert not list((tmp_path / "backup").iterdir())
