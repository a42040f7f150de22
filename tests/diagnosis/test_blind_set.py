"""The blind set is what it says: right solutions agree with the reference, wrong ones do not, each for its own cause.

It was written before any diagnosis was, which is measured by it; this test knows nothing of the graders.
"""

import collections
import functools
import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
EXERCISES = sorted(path.name for path in (HERE / "exercises").iterdir())
INDEX = yaml.safe_load((HERE / "index.yaml").read_text())
CAUSES = set(yaml.safe_load((HERE / "causes.yaml").read_text()))
LARGEST_GAP = 0.1  # of the tolerance: right solutions keep ten times the observed rounding gap
SMALLEST_ERROR = 3  # of the tolerance: a wrong one is not a matter of rounding


every_exercise = pytest.mark.parametrize("slug", EXERCISES)


@functools.cache
def found_in(slug: str) -> dict:
    """What running every file of one exercise showed, in a process of its own since torch is loaded there.

    Cached and not a fixture: with tests in random order a fixture would be made again for almost every test.
    """
    command = [sys.executable, "-m", "tests.diagnosis.check", slug]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def differs(report: dict) -> bool:
    """Whether a file is found wrong whatever the seed of its hidden cases."""
    return bool(report["visible"]) or all(report["hidden"])


@pytest.mark.slow
@every_exercise
def test_reference_runs_and_mistakes_are_explained(slug: str) -> None:
    found = found_in(slug)
    mistakes = sorted(name.removesuffix(".py") for name in found["mistakes"])

    assert found["reference"] == [""]
    assert found["titles"] == mistakes
    assert all(differs(report) for report in found["mistakes"].values())


@pytest.mark.slow
@every_exercise
def test_mistakes_differ_from_one_another(slug: str) -> None:
    found = found_in(slug)
    equal = {name.removesuffix(".py"): report["equals"] for name, report in found["mistakes"].items()}

    assert equal == {slug: [slug] for slug in equal}


@pytest.mark.slow
@every_exercise
def test_right_solutions_agree_with_a_tenth_of_the_tolerance(slug: str) -> None:
    found = found_in(slug)
    refused = {
        name: report
        for name, report in found["right"].items()
        if report["visible"] or any(report["hidden"]) or report["error"] > LARGEST_GAP or report["equals"]
    }

    assert refused == {}
    assert len(found["right"]) >= 5


@pytest.mark.slow
@every_exercise
def test_wrong_solutions_differ(slug: str) -> None:
    found = found_in(slug)
    accepted = [name for name, report in found["wrong"].items() if not differs(report)]
    close = [
        name
        for name, report in found["wrong"].items()
        if {report["visible"], *report["hidden"]} <= {"", "values"} and report["error"] < SMALLEST_ERROR
    ]

    assert accepted == []
    assert close == []
    assert len(found["wrong"]) >= 6


@pytest.mark.slow
@every_exercise
def test_index_tells_listed_mistakes_and_visible_only(slug: str) -> None:
    found = found_in(slug)
    entries = {entry["file"]: entry for entry in INDEX if entry["exercise"] == slug}
    listed = {name: [entry["listed"]] if entry["listed"] else [] for name, entry in entries.items()}
    visible_only = [name for name, entry in entries.items() if entry["cause"] == "visible_only"]

    assert listed == {name: report["equals"] for name, report in found["wrong"].items()}
    assert [name for name in visible_only if found["wrong"][name]["visible"]] == []


def test_index_uses_the_closed_list_of_causes() -> None:
    files = collections.Counter((entry["exercise"], entry["file"]) for entry in INDEX)

    assert {entry["cause"] for entry in INDEX} <= CAUSES
    assert {entry["exercise"] for entry in INDEX} == set(EXERCISES)
    assert max(files.values()) == 1


def test_unnamed_causes_are_few() -> None:
    share = sum(entry["cause"] == "other" for entry in INDEX) / len(INDEX)

    assert share <= 0.1
