"""The fields of a question's form, with what the student answered last. Each kind has a template of its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe

from exercises.choices import Kind
from exercises.content.gaps import cut_at_gaps
from exercises.content.markdown import render_markdown
from exercises.content.rendering import python_html
from exercises.learn.lesson_page import reachable
from exercises.learn.values import number_text
from exercises.literals import literal_of

DEEPEST_INDENT = 8
_WRAPPED = re.compile(r"<p>(.*)</p>\s*", re.DOTALL)
_MARKED = re.compile(r"<(?!/?p>)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of a choice, or of a select: `id` is the student's own."""

    id: str
    text: SafeString | str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """HTML, or after it a gap with what stands in it."""

    html: SafeString
    gap: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line to be placed; `words` is its text without marks, for labels."""

    id: str
    text: SafeString
    words: str
    places: list[Option]
    indents: list[Option]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A text on the left, and the select of what belongs to it."""

    id: str
    text: SafeString
    words: str
    options: list[Option]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionForm:
    """What the form of a kind shows; each has some of these.

    `legend` explains the letters of the options of a matching, where their texts hold more than words.
    """

    template: str
    value: str = ""
    options: list[Option]
    pieces: list[Piece]
    lines: list[Line]
    left: list[Left]
    legend: list[Option]
    rubric: list[tuple[str, str]]
    is_multiple: bool = False
    is_code: bool = False


def question_form(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> QuestionForm:
    """The form of a question: its definition, what the grader says that its form needs, and a response or None."""
    shown: dict[str, Any] = {name: [] for name in ("options", "pieces", "lines", "left", "legend", "rubric")}
    build = _BUILDERS.get(Kind(question["kind"]), _one_field)
    return QuestionForm(
        template=f"exercises/questions/{question['kind']}.html", **{**shown, **build(question, form, response)}
    )


def inline(text: str) -> SafeString:
    """Markdown for one line of a form: without its paragraph."""
    html = render_markdown(text)
    wrapped = _WRAPPED.fullmatch(html)
    inner = wrapped[1] if wrapped and "<p>" not in wrapped[1] else html
    return mark_safe(inner)  # noqa: S308  (sanitised when it was rendered)


def words_of(html: str) -> str:
    """What HTML says, without its marks."""
    return " ".join(strip_tags(html).split())


def line_html(text: str, *, is_code: bool) -> SafeString:
    """A line of an ordering."""
    return mark_safe(python_html(text)) if is_code else inline(text)  # noqa: S308  (Pygments escapes)


def _one_field(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> dict[str, Any]:
    return {"value": "" if response is None else str(response)}


def _choice(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> dict[str, Any]:
    chosen = response if isinstance(response, list) else [response]
    options = [
        Option(id=option["id"], text=reachable(render_markdown(option["text"])), is_chosen=option["id"] in chosen)
        for option in form["options"]
    ]
    return {"options": options, "is_multiple": form["multiple"]}


def _tensor(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> dict[str, Any]:
    return {"value": "" if response is None else literal_of(response)}


def _blanks(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> dict[str, Any]:
    filled = response if isinstance(response, dict) else {}
    cut = [*cut_at_gaps(question["template"]), ""]
    pieces = [
        Piece(html=reachable(html), gap=gap, value=str(filled.get(gap, "")))
        for html, gap in zip(cut[::2], cut[1::2], strict=True)
    ]
    return {"pieces": pieces}


def _ordering(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> dict[str, Any]:
    placed = response if isinstance(response, list) else []
    at = {name: (str(place), str(indent)) for place, (name, indent) in enumerate(map(_entry, placed), start=1)}
    is_code = form["indent"]
    numbers = [str(number) for number in range(1, len(form["lines"]) + 1)]
    depths = [str(depth) for depth in range(DEEPEST_INDENT + 1)] if is_code else []
    lines = []
    for line in form["lines"]:
        place, depth = at.get(line["id"], ("", "0"))
        html = line_html(line["text"], is_code=is_code)
        lines.append(
            Line(
                id=line["id"],
                text=html,
                words=words_of(html),
                places=_numbered(numbers, place),
                indents=_numbered(depths, depth),
            )
        )
    return {"lines": lines, "is_code": is_code}


def _entry(item: Any) -> tuple[str, int]:
    return (item[0], item[1]) if isinstance(item, list) else (item, 0)


def _numbered(numbers: list[str], chosen: str) -> list[Option]:
    return [Option(id=number, text=number, is_chosen=number == chosen) for number in numbers]


def _matching(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> dict[str, Any]:
    chosen = response if isinstance(response, dict) else {}
    right = [(item["id"], inline(item["text"])) for item in form["right"]]
    is_marked = any(_MARKED.search(html) for _id, html in right)
    letters = dict(zip((name for name, _html in right), _letters(len(right)), strict=True))
    labels = {name: f"{letters[name]}: {words_of(html)}" if is_marked else words_of(html) for name, html in right}
    left = []
    for item in form["left"]:
        html = inline(item["text"])
        options = [
            Option(id=name, text=label, is_chosen=chosen.get(item["id"]) == name) for name, label in labels.items()
        ]
        left.append(Left(id=item["id"], text=html, words=words_of(html), options=options))
    legend = [Option(id=letters[name], text=html) for name, html in right] if is_marked else []
    return {"left": left, "legend": legend}


def _letters(count: int) -> list[str]:
    """A, B, …, Z, AA, AB, …"""
    twice = [first + second for first in ascii_uppercase for second in ascii_uppercase]
    return [*ascii_uppercase, *twice][:count]


def _explain(question: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> dict[str, Any]:
    rubric = [(item["criterion"], number_text(item["points"])) for item in form["rubric"]]
    return {"value": response or "", "rubric": rubric}


_BUILDERS: dict[Kind, Callable[[Mapping[str, Any], Mapping[str, Any], Any], dict[str, Any]]] = {
    Kind.CHOICE: _choice,
    Kind.TENSOR: _tensor,
    Kind.BLANKS: _blanks,
    Kind.ORDERING: _ordering,
    Kind.MATCHING: _matching,
    Kind.EXPLAIN: _explain,
}
