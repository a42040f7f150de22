"""The published set of submissions is complete: every item, every file, every exercise."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from exercises.content.exercise import read_exercise
from graders.outcomes import Verdict

FOLDER = Path(__file__).resolve().parents[1] / "submissions"
INDEX = yaml.safe_load((FOLDER / "index.yaml").read_text(encoding="utf-8"))
# How many items each group of the published set has; 96 in all.
GROUPS = {"R": 14, "E": 13, "C": 11, "S": 10, "P": 15, "K": 16, "L": 17}


def test_every_item_of_every_group_is_there():
    ids = {entry["id"] for entry in INDEX}

    assert Counter(name[0] for name in ids) == GROUPS
    assert len(ids) == 96


def test_every_file_is_listed_exactly_once():
    listed = [file for entry in INDEX for file in entry["files"]]
    found = [
        path.relative_to(FOLDER).as_posix()
        for kind in ("correct", "wrong", "hostile")
        for path in (FOLDER / kind).glob("*.py")
    ]

    assert sorted(listed) == sorted(found)


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: f"{entry['id']}-{entry['name']}")
def test_entry_is_in_good_form(entry):
    assert (FOLDER / "exercises" / entry["exercise"] / "exercise.yaml").is_file()
    assert entry["verdict"] in (None, *(verdict.value for verdict in Verdict if verdict is not Verdict.INTERNAL_ERROR))
    assert (len(entry["files"]) > 1) == (entry.get("order") in ("variants", "sequence"))
    assert {"correct": "accepted", "wrong": None}.get(entry["files"][0].partition("/")[0], entry["verdict"]) in (
        None,
        entry["verdict"],
    )


@pytest.mark.parametrize("folder", sorted((FOLDER / "exercises").iterdir()), ids=lambda folder: folder.name)
def test_exercise_is_in_good_form(folder):
    assert read_exercise(folder).kind == "code"


def test_sources_may_be_handed_in():
    assert all(len((FOLDER / file).read_bytes()) <= 256 * 1024 for entry in INDEX for file in entry["files"])
