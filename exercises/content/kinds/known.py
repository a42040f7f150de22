"""What of a stored exercise this release does not know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from exercises.content.kinds import KINDS

_NOT_KNOWN = frozenset({"extra_forbidden", "literal_error"})


def unknown_fields(exercise: Mapping[str, Any]) -> list[str]:
    """The fields of a validated exercise.yaml, by their path, that this release lacks or whose words it lacks.

    None of an exercise that it can read, or could before a rule for authors became stricter.
    """
    shape = KINDS.get(exercise["kind"])
    if shape is None:
        return ["kind"]
    try:
        # By way of JSON, in which lists stand for tuples.
        shape.model_validate_json(json.dumps(exercise))
    except ValidationError as error:
        return [".".join(map(str, each["loc"])) for each in error.errors() if _is_unknown(each["type"], each["loc"])]
    return []


def _is_unknown(kind: str, path: tuple[int | str, ...]) -> bool:
    # A property is a text, whose word belongs to a closed vocabulary.
    return kind in _NOT_KNOWN or (kind == "content" and path[0] == "properties" and path[-1] == "property")
