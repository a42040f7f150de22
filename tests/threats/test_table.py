"""The table of threats names tests; each of them is there."""

import re

import pytest

from tests.product import ROOT

TABLE = ROOT / "docs" / "security.md"
NAMED = sorted(set(re.findall(r"`((?:tests/|test_)[^`]+)`", TABLE.read_text())))


def is_there(name):
    """Whether there is such a file, or a function of that name in any."""
    if name.startswith("tests/"):
        return (ROOT / name).is_file()
    return any(f"def {name}(" in path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))


@pytest.mark.parametrize("name", NAMED)
def test_what_the_table_names_is_there(name):
    assert is_there(name)


@pytest.mark.parametrize("name", ["tests/threats/test_nothing.py", "test_that_nobody_wrote_down"])
def test_what_is_not_there_would_be_missed(name):
    assert not is_there(name)


def test_every_threat_of_the_web_and_of_grading_is_named():
    numbers = {f"{letter}{int(number):02}" for letter, number in re.findall(r"\b([WT])(\d\d)\b", TABLE.read_text())}
    ranges = {f"T{number:02}" for number in range(6, 12)}

    web, grading = ({f"{letter}{number:02}" for number in range(1, last)} for letter, last in (("W", 44), ("T", 24)))
    assert web | grading <= numbers | ranges
