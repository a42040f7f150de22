"""Files as responses to questions, for whoever has no form at hand and knows no ids."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from exercises.choices import Kind
from graders.errors import ResponseError
from graders.questions.responses import opaque_id

SEED: Final = ""
ARROW: Final = "=>"


def read_response(exercise: Mapping[str, Any], text: str) -> object:
    """The response that a file holds: JSON, or text as a student would type it.

    For a choice the texts of options, one a line; for an ordering its lines, indented; for a matching `left => right`.

    Raises:
        ResponseError: the lines cannot be told apart.
    """
    return _READERS.get(Kind(exercise["kind"]), _json_or_text)(exercise, text)


def _json_or_text(exercise: Mapping[str, Any], text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


def _text(exercise: Mapping[str, Any], text: str) -> object:
    return text.strip()


def _choice(exercise: Mapping[str, Any], text: str) -> object:
    chosen = [opaque_id(SEED, "option", line.strip()) for line in text.splitlines() if line.strip()]
    return chosen if exercise["multiple"] else "".join(chosen)


def _ordering(exercise: Mapping[str, Any], text: str) -> object:
    lines = [line.rstrip() for line in text.expandtabs(4).splitlines() if line.strip()]
    depths = [len(line) - len(line.lstrip()) for line in lines]
    step = min((depth for depth in depths if depth), default=1) if exercise["indent"] else 0
    seen: Counter[str] = Counter()
    response = []
    for line, depth in zip(map(str.strip, lines), depths, strict=True):
        response.append([opaque_id(SEED, "line", line, str(seen[line])), depth // step if step else 0])
        seen[line] += 1
    return response


def _matching(exercise: Mapping[str, Any], text: str) -> object:
    response = {}
    for line in filter(str.strip, text.splitlines()):
        left, arrow, right = line.partition(ARROW)
        if not arrow:
            raise ResponseError(f"expected lines such as `left {ARROW} right`, found {line.strip()[:60]!r}")
        response[opaque_id(SEED, "left", left.strip())] = opaque_id(SEED, "right", right.strip())
    return response


_READERS: Final[dict[Kind, Callable[[Mapping[str, Any], str], object]]] = {
    Kind.CHOICE: _choice,
    Kind.TEXT: _text,
    Kind.ORDERING: _ordering,
    Kind.MATCHING: _matching,
}
