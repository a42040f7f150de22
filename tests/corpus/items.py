"""The published set of submissions, item by item, as `tests/submissions/index.yaml` lists it."""

from dataclasses import dataclass
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parents[1] / "submissions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry: its hand-ins, the exercise that they are for, and the verdict that each must get."""

    id: str
    name: str
    exercise: str
    files: tuple[Path, ...]
    is_sequence: bool
    verdict: str | None


def _item(entry):
    return Item(
        id=entry["id"],
        name=entry["name"],
        exercise=entry["exercise"],
        files=tuple(FOLDER / file for file in entry["files"]),
        is_sequence=entry.get("order") == "sequence",
        verdict=entry["verdict"],
    )


ITEMS = tuple(_item(entry) for entry in yaml.safe_load((FOLDER / "index.yaml").read_text(encoding="utf-8")))
GRADED = tuple(item for item in ITEMS if item.verdict is not None)
