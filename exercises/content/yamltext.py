"""YAML without surprises: plain values with their lines, and what YAML would do behind an author's back refused.

Mappings become dicts, sequences tuples, scalars text, whole numbers, numbers, booleans or None. `1e-3` is a number.
Anchors, aliases, tags, duplicate keys, bare yes/no/on/off, 12:30, dates, bare `{{` and TeX that double quotes mangle
are refused with the correction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from exercises.content.problems import Problem

LARGEST_BYTES = 256 * 1024
DEEPEST = 20

Path = tuple[str | int, ...]
Plain = str | int | float | bool | None | tuple["Plain", ...] | dict[str, "Plain"]

_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_NUMBER = re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE)
_SWITCH = re.compile(r"yes|no|on|off", re.IGNORECASE)
_BOOLEAN = re.compile(r"true|false", re.IGNORECASE)
_TIME = re.compile(r"[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?")
# Escapes that no prose needs, and those of white space when they begin a command of TeX.
_MANGLED = re.compile(
    r"""(?<!\\)(?:\\\\)*(?P<found>
        \\[abefv0_NLP][A-Za-z]*
        | \\n(?:abla|atural|e|eg|eq|exists|i|mid|ot|otin|u|orm)\b
        | \\r(?:ho|ight|ightarrow|angle|brace|brack|ceil|floor|vert|Vert|m)(?![a-z])
        | \\t(?:an|anh|au|ext|extbf|extit|extrm|exttt|frac|heta|ilde|imes|o|op|riangle)(?![a-z])
    )""",
    re.VERBOSE,
)
# Escapes can make them; neither databases nor pages can hold them.
_UNUSABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_BARE_BRACES = re.compile(r"""(:|-)\s+[^"'|>\s][^"']*\{\{|(:|-)\s+\{\{""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a file says. `lines`: where the key or item stands; `text_lines`: where a text's first line stands.

    `is_broken`: a fault of syntax hides the values. Other problems leave them, as far as they can be told.
    """

    value: Plain
    is_broken: bool
    problems: tuple[Problem, ...]
    lines: dict[Path, int]
    text_lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """The line of `path`, or of what it lies in."""
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]


def read_yaml(text: str, file: str, *, lines_before: int = 0) -> Document:
    """The values of `text` and what is wrong with it; `lines_before` is what stands above it in `file`."""
    reader = _Reader(text=text, file=file, lines_before=lines_before)
    value: Plain = None
    broken: Problem | None = None
    try:
        reader.events = yaml.parse(_sized(text), Loader=yaml.SafeLoader)
        value = reader.read()
    except yaml.YAMLError as error:
        broken = _syntax_problem(error, text, file, lines_before)
    except _RefusedError as error:
        broken = Problem(file=file, line=error.line, message=str(error))
    # Where a refused value also breaks the syntax of its line, the refusal says it better.
    if broken is not None and broken.line not in {problem.line for problem in reader.problems}:
        reader.problems.append(broken)
    return Document(
        value=value,
        is_broken=broken is not None,
        problems=tuple(reader.problems),
        lines=reader.lines,
        text_lines=reader.text_lines,
    )


def _sized(text: str) -> str:
    size = len(text.encode())
    if size > LARGEST_BYTES:
        raise _RefusedError(f"expected at most {LARGEST_BYTES // 1024} KiB of YAML, found {size // 1024} KiB")
    return text


class _RefusedError(Exception):
    """Reading stops here."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Builds values from the parser's events, so that nothing is expanded or constructed by the library."""

    text: str
    file: str
    lines_before: int
    events: Iterator[yaml.Event] = field(default_factory=lambda: iter(()))
    problems: list[Problem] = field(default_factory=list)
    lines: dict[Path, int] = field(default_factory=dict)
    text_lines: dict[Path, int] = field(default_factory=dict)

    def read(self) -> Plain:
        self.lines[()] = 1 + self.lines_before
        value: Plain = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse(event, (), "expected one document, found a second one after `---`")
            elif isinstance(event, yaml.NodeEvent):
                value = self._value(event, ())
        return value

    def _value(self, event: yaml.Event, path: Path) -> Plain:
        if len(path) > DEEPEST:
            raise _RefusedError(f"expected lists and mappings at most {DEEPEST} deep, found more", self._line(event))
        self.lines.setdefault(path, self._line(event))
        self._refuse_references(event, path)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(event, path)
        return None

    def _refuse_references(self, event: yaml.Event, path: Path) -> None:
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, path, f"expected a value, found the alias *{event.anchor}; write the value out")
        elif anchor := getattr(event, "anchor", None):
            self._refuse(event, path, f"expected a value, found the anchor &{anchor}; leave it away")
        if tag := getattr(event, "tag", None):
            self._refuse(event, path, f"expected a value, found the tag {tag}; leave it away")

    def _sequence(self, path: Path) -> Plain:
        items: list[Plain] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items))))
        return tuple(items)

    def _mapping(self, start: yaml.MappingStartEvent, path: Path) -> Plain:
        begin = _position(start.start_mark)
        if self.text.startswith("{{", begin):
            self._refuse(start, path, _braces(self.text[begin:]))
            self._skip()
            return None
        found: dict[str, Plain] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(event, path)
            inner = (*path, key)
            if key in found:
                self._refuse(event, inner, f"given twice, first in line {self.lines[inner]}")
                self._value(next(self.events), (*inner, "(again)"))
                continue
            self.lines[inner] = self._line(event)
            found[key] = self._value(next(self.events), inner)
        return found

    def _key(self, event: yaml.Event, path: Path) -> str:
        self._refuse_references(event, path)
        if isinstance(event, yaml.ScalarEvent):
            if event.style is None and (advice := refused_in_bare_text(event.value)):
                self._refuse(event, path, advice)
            return str(event.value)
        self._refuse(event, path, "expected a name before the colon, found a list or a mapping")
        if isinstance(event, yaml.CollectionStartEvent):
            self._skip()
        return "?"

    def _skip(self) -> None:
        depth = 1
        while depth:
            event = next(self.events)
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)

    def _scalar(self, event: yaml.ScalarEvent, path: Path) -> Plain:
        self.text_lines[path] = self._line(event) + (event.style in {"|", ">"})
        if event.style is None:
            if advice := refused_in_bare_text(event.value):
                self._refuse(event, path, advice)
            return plain_value(event.value)
        if event.style == '"':
            raw = self.text[_position(event.start_mark) : _position(event.end_mark)]
            if mangled := _MANGLED.search(raw):
                line = self._line(event) + raw.count("\n", 0, mangled.start())
                self._refuse(event, path, _escape_advice(mangled["found"]), line=line)
            elif unusable := _UNUSABLE.search(event.value):
                self._refuse(event, path, f"expected text, found the character U+{ord(unusable[0]):04X}")
        return str(event.value)

    def _line(self, event: yaml.Event) -> int:
        assert event.start_mark is not None
        return int(event.start_mark.line) + 1 + self.lines_before

    def _refuse(self, event: yaml.Event, path: Path, message: str, *, line: int | None = None) -> None:
        self.problems.append(
            Problem(file=self.file, line=line or self._line(event), field=dotted(path), message=message)
        )


def _position(mark: Any) -> int:
    # Untyped: the parser in Python and the one in C have marks of their own.
    return int(mark.index)


def dotted(path: Path) -> str:
    """`compare.rtol`, `options[2].text` (items counted from 1, as people do)."""
    words = ""
    for part in path:
        words += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if words else part
    return words


def plain_value(text: str) -> Plain:
    """What bare text is: a number, a truth value, nothing, or text."""
    if text in {"", "~"} or text.lower() == "null":
        return None
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    # Longer ones are no numbers that anybody wrote on purpose, and Python refuses to read them.
    if _WHOLE.fullmatch(text) and len(text) <= 30:
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    if _SPECIAL_NUMBER.fullmatch(text):
        return float(text.replace(".", ""))
    return text


def refused_in_bare_text(text: str) -> str:
    """What is wrong with bare text that YAML reads as something else; nothing if it does not."""
    if _SWITCH.fullmatch(text):
        meant = "true" if text.lower() in {"yes", "on"} else "false"
        return f'expected {meant}, or "{text}" in quotes, found the bare word {text}, which YAML may read as {meant}'
    if _TIME.fullmatch(text):
        return f'expected "{text}" in quotes, found it bare, which YAML may read as a number to the base 60'
    if _DATE.fullmatch(text):
        return f'expected "{text}" in quotes, found it bare, which YAML may read as a date'
    return ""


def _braces(text: str) -> str:
    shown = text.splitlines()[0].strip()
    end = shown.find("}}")
    shown = shown[: end + 2] if end > 0 else "{{ … }}"
    return f'expected a value, found {shown} without quotes, which YAML reads as a mapping; write "{shown}"'


def _escape_advice(found: str) -> str:
    return (
        f"double quotes turn the {found[:2]} of {found} into another character; "
        "write the text in single quotes or as a block after |, where a backslash stays one"
    )


def _syntax_problem(error: yaml.YAMLError, text: str, file: str, lines_before: int) -> Problem:
    if isinstance(error, yaml.reader.ReaderError):
        line = text.count("\n", 0, int(error.position)) + 1 + lines_before
        return Problem(file=file, line=line, message=f"expected text, found the character U+{error.character:04X}")
    # The reader's is the only error without a mark.
    assert isinstance(error, yaml.MarkedYAMLError)
    assert error.problem_mark is not None
    line = int(error.problem_mark.line)
    message = _syntax_message(str(error.problem), text.splitlines()[line : line + 1])
    return Problem(file=file, line=line + 1 + lines_before, message=message)


def _syntax_message(problem: str, line: list[str]) -> str:
    shown = line[0] if line else ""
    if _BARE_BRACES.search(shown):
        return _braces(shown[shown.index("{{") :]).replace('; write "', '; write the whole text in quotes: "')
    if "escape" in problem:
        found = re.search(r"(?<!\\)(?:\\\\)*(\\[^\W\d_][A-Za-z]*)", shown)
        return _escape_advice(found[1]) if found else f"not YAML: {problem}"
    if "\\t" in problem or "\t" in problem:
        return "expected spaces, found a tab; YAML indents with spaces only"
    if problem.startswith("mapping values are not allowed"):
        return "a colon with a space behind it stands in bare text; put the text in quotes, or indent the line rightly"
    return f"not YAML: {problem}"
