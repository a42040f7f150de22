"""A site of each released version, brought back by this one: on SQLite; under `.ci/with-postgres` on PostgreSQL."""

import json
import re
import subprocess
import sys
from importlib import import_module

import pytest
from django.db.migrations.operations.base import Operation

from tests.product import ROOT
from tests.quizsite.test_backup import SERVER, Place
from tests.released import releases

VENDOR = "postgresql" if SERVER else "sqlite"
KEPT = releases.kept_versions()
# Names of migrations that cannot be taken back, each with its reason in docs/operations.md.
IRREVERSIBLE = frozenset()
RELEASED = re.compile(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", re.MULTILINE)

TAG = re.compile(r"(?:QUIZSITE_VERSION:-|newTag: )\"?([\w.]+)")


@pytest.fixture
def elsewhere(tmp_path):
    made = Place(tmp_path / "elsewhere")
    yield made
    made.remove()


@pytest.mark.parametrize("version", KEPT)
@pytest.mark.timeout(240)
def test_site_of_a_released_version_comes_back_whole(version, elsewhere, tmp_path):
    releases.unpack(version, VENDOR, tmp_path / "backup")
    manifest = releases.manifest(version)

    elsewhere.manage("restore", tmp_path / "backup")
    found = look(elsewhere)

    assert {label: found["rows"][label] for label in manifest["rows"]} == manifest["rows"]
    assert found["rows_after"] == found["rows"]
    assert found["pages"] == {"status": 200, "is_accepted": True}
    assert found["waiting"] == "ada"


def look(place):
    """What `tests.released.look` says of a place."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.released.look", "--back"],
        cwd=ROOT,
        env=place.environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_released_version_has_its_site_kept():
    released = RELEASED.findall((ROOT / "CHANGELOG.md").read_text())

    assert sorted(released) == KEPT
    assert releases.current_version() in KEPT
    for version in KEPT:
        for vendor in ("sqlite", "postgresql"):
            assert 0 < releases.archive(version, vendor).stat().st_size < 300_000


@pytest.mark.parametrize("file", ["docker-compose.yml", "deploy/kubernetes/kustomization.yaml"])
def test_images_are_named_by_the_version_that_they_are_built_from(file):
    tags = set(TAG.findall((ROOT / file).read_text()))

    assert tags == {releases.current_version()}


@pytest.mark.parametrize("version", KEPT)
def test_kept_site_has_something_in_every_table(version):
    assert [label for label, count in releases.manifest(version)["rows"].items() if not count] == []


@pytest.mark.parametrize("version", KEPT)
def test_migration_that_was_released_is_never_edited(version):
    released, today = releases.manifest(version)["migrations"], releases.sums_of_migrations()

    assert {name: today.get(name) for name in released} == released


def test_edited_migration_has_another_sum(tmp_path):
    (tmp_path / "0001_initial.py").write_bytes((releases.MIGRATIONS / "0001_initial.py").read_bytes() + b"\n")

    assert releases.sums_of_migrations(tmp_path) != {
        "0001_initial": releases.manifest("0.1.0")["migrations"]["0001_initial"]
    }


def test_migrations_can_be_taken_back_or_are_named():
    irreversible = {
        name
        for name in releases.sums_of_migrations()
        for operation in import_module(f"exercises.migrations.{name}").Migration.operations
        if not operation.reversible
    }

    assert Operation.reversible
    assert irreversible == IRREVERSIBLE
