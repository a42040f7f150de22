"""Additions to YAML that an author wrote: everything else stays as it stands, comments and all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from exercises.content.problems import ContentError, Problem
from exercises.content.yamltext import read_yaml
from exercises.content.yamlwriting import write_yaml

Keys = tuple[str, ...]


def with_equivalent(text: str, *, change: str, reason: str, file: str) -> str:
    """exercise.yaml in which the author says that nobody can see this change of the reference. Raises: ContentError."""
    said = {"change": change, "reason": " ".join(reason.split())}
    return _with_addition(text, ("mutants", "equivalent"), [said], file=file)


def with_mistake(text: str, slug: str, *, title: str, feedback: str, file: str) -> str:
    """exercise.yaml in which a listed mistake has title and feedback. Raises: ContentError."""
    return _with_addition(text, ("mistakes",), {slug: {"title": title, "feedback": feedback}}, file=file)


def _with_addition(text: str, keys: Keys, addition: list[Any] | dict[str, Any], *, file: str) -> str:
    document = read_yaml(text, file)
    if document.is_broken or not isinstance(document.value, dict):
        problems = document.problems or (Problem(file=file, message="expected fields, found something else"),)
        raise ContentError(problems)
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    assert node is not None
    for depth, key in enumerate(keys):
        below = _value_of(node, key)
        if below is None:
            return _appended(text, node, _nested(keys[depth:], addition))
        if not _is_block(below):
            return _replaced(
                text, below, _joined(_plain(document.value, keys[: depth + 1]), keys[depth + 1 :], addition)
            )
        node = below
    return _appended(text, node, addition)


def _value_of(node: yaml.Node, key: str) -> yaml.Node | None:
    assert isinstance(node, yaml.MappingNode)
    return next((value for name, value in node.value if name.value == key), None)


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _nested(keys: Keys, addition: Any) -> Any:
    for key in reversed(keys):
        addition = {key: addition}
    return addition


def _plain(value: Any, keys: Keys) -> Any:
    for key in keys:
        value = value[key]
    return value


def _joined(value: Any, keys: Keys, addition: Any) -> Any:
    """The value with the addition in it, as a new one."""
    if keys:
        inner = value or {}
        return {**inner, keys[0]: _joined(inner.get(keys[0]), keys[1:], addition)}
    return {**(value or {}), **addition} if isinstance(addition, Mapping) else [*(value or ()), *addition]


def _appended(text: str, node: yaml.Node, addition: Any) -> str:
    """The text with the addition behind the last line of a collection of several lines."""
    lines = text.splitlines(keepends=True)
    last = _last_line(node)
    if lines and not lines[last].endswith("\n"):
        lines[last] += "\n"
    indent = " " * node.start_mark.column
    lines.insert(last + 1, "".join(f"{indent}{line}\n" for line in _block(addition)))
    return "".join(lines)


def _replaced(text: str, node: yaml.Node, value: Any) -> str:
    """The text with the value of a key, which stood beside it, written below; a remark behind it stays with the key."""
    line_start = text.rfind("\n", 0, node.start_mark.index) + 1
    indent = " " * (len(text[line_start:]) - len(text[line_start:].lstrip(" ")) + 2)
    block = "".join(f"\n{indent}{line}" for line in _block(value))
    line_end = text.find("\n", node.end_mark.index)
    line_end = len(text) if line_end < 0 else line_end
    beside = text[node.end_mark.index : line_end].rstrip()
    return text[: node.start_mark.index].rstrip(" ") + beside + block + text[line_end:]


def _block(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return write_yaml(value).splitlines()
    return [line[2:] for line in write_yaml({"list": value}).splitlines()[1:]]


def _last_line(node: yaml.Node) -> int:
    """The line, from 0, of the last thing in it: what ends a collection itself may be remarks behind it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    end = node.end_mark
    # A block of text ends where the next line begins.
    return end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line
