"""Every setting that a file of the deployment or a page names exists, and every setting is documented once."""

import re
import subprocess

import pytest

from tests.product import ROOT

PAGE = (ROOT / "docs/operations.md").read_text()
COMPOSE = [ROOT / "docker-compose.yml", *sorted((ROOT / "deploy").glob("*.yml"))]
# Handed from one of our processes to another.
OWN_USE = {"QUIZSITE_PREVIEW"}


def committed(*folders):
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def read_by_settings():
    """By name: whether the value may come from a file as well."""
    source = (ROOT / "quizsite/settings.py").read_text()
    calls = re.findall(r'(_text|_flag|_number|_secret|environ\.get)\(\s*"([A-Z_]+)"', source)
    return {name: reader == "_secret" for reader, name in calls}


def read_by_product():
    """Those of the settings, and what our programs read beside them."""
    sources = "".join(path.read_text() for path in committed("quizsite/*.py", "worker/*.py", "exercises/*.py"))
    found = read_by_settings()
    files = {f"{name}_FILE" for name, is_secret in found.items() if is_secret}
    return found.keys() | files | set(re.findall(r'_VARIABLE = "([A-Z_]+)"', sources))


def read_by_compose():
    return {name for path in COMPOSE for name in re.findall(r"(?<!\$)\$\{([A-Z_]+)", path.read_text())}


def documented():
    """What the first columns of the page's tables name, in full."""
    cells = re.findall(r"(?m)^\| (`[A-Z].*?) \|", PAGE)
    return [name for cell in cells for name in re.findall(r"`([A-Z][A-Z_]+)`", cell)]


@pytest.mark.parametrize("folder", ["deploy", "docs", "docker-compose.yml", "Dockerfile", "Makefile", "README.md"])
def test_settings_that_are_named_exist(folder):
    named = {
        name
        for path in committed(folder)
        if path.suffix != ".png"
        for name in re.findall(r"\bQUIZSITE_[A-Z_]*[A-Z]\b(?!_…)", path.read_text())
    }

    assert named <= read_by_product() | read_by_compose()


def test_compose_hands_on_only_what_is_read():
    handed_on = {name for path in COMPOSE for name in re.findall(r"(?m)^ +(QUIZSITE_[A-Z_]+):", path.read_text())}

    assert handed_on
    assert handed_on <= read_by_product()


def test_each_setting_is_documented_once():
    wanted = {name for name in read_by_product() if not name.endswith("_FILE")} | read_by_compose()
    found = documented()

    assert wanted - OWN_USE - set(found) == set()
    assert sorted(name for name in set(found) if found.count(name) > 1) == []
    assert set(found) - wanted - {name for name in found if name.endswith("_FILE")} == set()
