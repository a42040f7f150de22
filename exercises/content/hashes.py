"""The two hashes of an exercise."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from exercises.content.kinds import Exercise

# Seen by the student or the author only: no verdict depends on them. The fields of exercise.yaml that are graded are
# taken one by one.
_UNGRADED_FILES = frozenset({"starter.py", "exercise.yaml"})


def content_hash(definition: dict[str, Any]) -> str:
    """Of everything: a new one makes a new version."""
    return _digest(definition)


def grading_hash(exercise: Exercise, files: dict[str, str]) -> str:
    """Of what a verdict depends on: a new one draws new cases and offers a regrade.

    The listed mistakes' code belongs to it, since their outputs are stored with the cases.
    """
    graded = {path: text for path, text in files.items() if path not in _UNGRADED_FILES}
    return _digest({"kind": exercise.kind, "grading": exercise.grading(), "files": graded})


def _digest(value: dict[str, Any]) -> str:
    plain = json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()
