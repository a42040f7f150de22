"""Plain values as YAML that `read_yaml` takes without a remark, and that people like to read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from exercises.content.yamltext import plain_value, refused_in_bare_text

_BARE = re.compile(r"[^\W\d_](?:[\w .;()+*/=^<>,-]*[\w.)+*/=^<>,-])?")
_BREAKS = "\n\x85\u2028\u2029"
# What stands for itself neither bare nor in single quotes.
_ESCAPED = re.compile('[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff"\\\\]')
_UNUSUAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_INDENT = "  "


def write_yaml(value: Mapping[str, object]) -> str:
    """A mapping as a document; texts of several lines are blocks.

    Raises: TypeError for what YAML of ours has no form for.
    """
    return "".join(f"{line}\n" for line in _mapping(value)) if value else "{}\n"


def _mapping(value: Mapping[str, object]) -> Iterator[str]:
    for key, item in value.items():
        yield from _placed(f"{_text(str(key))}:", item)


def _sequence(value: Sequence[object]) -> Iterator[str]:
    for item in value:
        if _is_empty_or_flat(item):
            yield from _placed("-", item)
            continue
        lines = _mapping(item) if isinstance(item, Mapping) else _sequence(item)  # type: ignore[arg-type]  # no scalar
        for number, line in enumerate(lines):
            yield f"- {line}" if number == 0 else f"{_INDENT}{line}" if line else ""


def _placed(start: str, item: object) -> Iterator[str]:
    """The lines of `item` after `start`, a key or a hyphen: beside it or, indented, below."""
    if isinstance(item, str) and "\n" in item and not _UNUSUAL.search(item):
        yield from _block(start, item)
    elif _is_empty_or_flat(item):
        yield f"{start} {_scalar(item)}"
    else:
        yield start
        lines = _mapping(item) if isinstance(item, Mapping) else _sequence(item)  # type: ignore[arg-type]  # no scalar
        yield from (f"{_INDENT}{line}" if line else "" for line in lines)


def _is_empty_or_flat(item: object) -> bool:
    return not isinstance(item, Mapping | list | tuple) or not item


def _block(start: str, text: str) -> Iterator[str]:
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    # Blank at the beginning would be taken for the indentation.
    indicator = str(len(_INDENT)) if text[:1] in {" ", "\n"} or not body else ""
    yield f"{start} |{indicator}{'' if ends == 1 and body else '+' if ends else '-'}"
    for line in text.removesuffix("\n").split("\n"):
        yield f"{_INDENT}{line}" if line else ""


def _scalar(item: object) -> str:
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, int | float):
        return _number(item)
    if isinstance(item, str):
        return _text(item)
    if isinstance(item, Mapping | list | tuple):
        return "{}" if isinstance(item, Mapping) else "[]"
    raise TypeError(f"expected text, a number, a list or a mapping, found {type(item).__name__}")


def _number(item: float) -> str:
    written = repr(item)
    return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(written, written.removesuffix(".0"))


def _text(text: str) -> str:
    if _BARE.fullmatch(text) and isinstance(plain_value(text), str) and not refused_in_bare_text(text):
        return text
    if not _UNUSUAL.search(text) and "\n" not in text and "\t" not in text:
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    # By number: the short escapes are those that eat TeX, and `read_yaml` refuses some of them.
    code = ord(found[0])
    if found[0] in '"\\':
        return f"\\{found[0]}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
