"""A lesson as a Jupyter notebook: prose as Markdown, runnable fences as cells with what they print as published."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urljoin

import nbformat
from markdown_it.token import Token

from exercises.content.directives import BOXES
from exercises.content.files import plain
from exercises.content.markdown import lesson_tokens, split_front_matter
from exercises.models import Lesson

MEDIA_TYPE = "application/x-ipynb+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
Cell = dict[str, Any]
_CHECK = re.compile(r"\{check:(?:[^{}]|\{[^{}]*\})*\}")
_FENCE = re.compile(r"^(\s*`{3,}|\s*~{3,})[ \t]*python[ \t]+run.*$", re.MULTILINE)
_EMBEDDED = re.compile(r"^\s*:::+[ \t]*exercise[ \t]+([a-z0-9-]+)[ \t]*$", re.MULTILINE)
_CLOSING = re.compile(r"^\s*:::+[ \t]*$", re.MULTILINE)
_TARGET = re.compile(r"(\]\()(?!https?:|mailto:)([^)\s]+)")
_ASSET = re.compile(r"(?:\.\./)?assets/")


def lesson_notebook(lesson: Lesson, *, address: str, exercises: Mapping[str, tuple[str, str]]) -> str:
    """The notebook as JSON, in format 4. `address` is the lesson's own, in full: links lead back to the site.

    `exercises` are those that the reader meets, by slug: title and full address. Others leave nothing behind.
    """
    body = split_front_matter(plain(lesson.source))[1]
    cells = [_title_cell(lesson, address), *_cells(body, address, exercises)]
    # Ids by number, so that the same lesson gives the same file.
    numbered = [{"id": f"cell-{number}", **cell} for number, cell in enumerate(cells)]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": METADATA, "cells": numbered}
    nbformat.validate(notebook)
    return f"{json.dumps(notebook, ensure_ascii=False, indent=1)}\n"


def _title_cell(lesson: Lesson, address: str) -> Cell:
    parts = [f"# {lesson.title}", lesson.summary, f"[{address}]({address})"]
    return _markdown("\n\n".join(part for part in parts if part))


def _cells(body: str, address: str, exercises: Mapping[str, tuple[str, str]]) -> Iterator[Cell]:
    tokens, references = lesson_tokens(body)
    lines = body.split("\n")
    defined = "".join(f"\n[{name}]: {_full(target, address)}" for name, target in references.items())
    prose: list[str] = []
    for token in tokens:
        if token.level or token.map is None:
            continue
        if "snippet" not in token.meta:
            prose.append(_block(token, lines))
            continue
        yield from _prose_cells(prose, defined, address, exercises)
        prose = []
        yield _code_cell(token)
    yield from _prose_cells(prose, defined, address, exercises)


def _block(token: Token, lines: Sequence[str]) -> str:
    assert token.map is not None
    first, last = token.map
    if token.type == "box_open":
        quoted = [f"**{BOXES[token.info]}**", "", *lines[first + 1 : last]]
        return "\n".join(f"> {line}".rstrip() for line in quoted)
    return "\n".join(lines[first:last]).rstrip()


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def _code_cell(token: Token) -> Cell:
    printed = token.meta["output"]
    outputs = [] if printed is None else [{"output_type": "stream", "name": "stdout", "text": printed}]
    source = token.content.rstrip("\n")
    return {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": outputs, "source": source}


def _prose_cells(
    prose: Sequence[str], defined: str, address: str, exercises: Mapping[str, tuple[str, str]]
) -> Iterator[Cell]:
    text = "\n\n".join(prose)
    text = _EMBEDDED.sub(lambda found: _link_to(exercises.get(found[1])), text)
    text = _CLOSING.sub("", _FENCE.sub(r"\1python", _CHECK.sub("", text)))
    text = _TARGET.sub(lambda found: found[1] + _full(found[2], address), text).strip()
    if text:
        yield _markdown(text + (f"\n{defined}" if defined else ""))


def _link_to(exercise: tuple[str, str] | None) -> str:
    return "" if exercise is None else f"**Exercise:** [{exercise[0]}]({exercise[1]})"


def _full(target: str, address: str) -> str:
    """The full address of what a lesson links to; pictures lie beside all lessons of the course."""
    if _ASSET.match(target):
        target = _ASSET.sub("../../assets/", target, count=1)
    return urljoin(address, target)
