"""Lines to be put in order; with indentation it is a Parsons problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from graders import feedback
from graders.errors import DefinitionError, ResponseError
from graders.formats import number
from graders.outcomes import Outcome, Verdict
from graders.questions.responses import flag_field, opaque_id, permuted, texts_field
from graders.scoring import outcome_of_verdict

MAX_INDENT: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`indent` counts levels, not spaces."""

    text: str
    indent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderingQuestion:
    """`lines` in the right order; lines with the same text may stand for each other."""

    lines: tuple[Line, ...]
    distractors: tuple[str, ...] = ()
    indent: bool = False


def from_definition(exercise: Mapping[str, Any]) -> OrderingQuestion:
    """The question that exercise.yaml declares; the step of indentation is the smallest one that occurs.

    Raises:
        DefinitionError: there are fewer than two lines, one is empty, a distractor is also a line, or indentation is
            not in equal steps of spaces.
    """
    indent = flag_field(exercise, "indent")
    texts, distractors = texts_field(exercise, "lines"), texts_field(exercise, "distractors")
    if len(texts) < 2:
        raise DefinitionError("lines", "expected at least two lines")
    lines = _lines(texts) if indent else tuple(Line(text=text.strip()) for text in texts)
    extra = tuple(text.strip() for text in distractors)
    both = sorted({line.text for line in lines} & set(extra))
    if both:
        raise DefinitionError("distractors", f"“{both[0]}” is also one of the lines")
    return OrderingQuestion(lines=lines, distractors=extra, indent=indent)


def presented(question: OrderingQuestion, seed: str) -> list[tuple[str, str]]:
    """`(id, text)` of each line and distractor as the student of this seed sees them."""
    named = _named(question, seed)
    return [(name, named[name]) for name in permuted(seed, list(named))]


def form(question: OrderingQuestion, seed: str) -> dict[str, Any]:
    """What a form needs: the lines in this student's order, and whether they are to be indented."""
    lines = [{"id": name, "text": text} for name, text in presented(question, seed)]
    return {"lines": lines, "indent": question.indent}


def response_schema(question: OrderingQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response: `[[id, indent], …]`; without indentation ids alone will do."""
    name = {"type": "string", "enum": [name for name, _ in presented(question, seed)]}
    indent = {"type": "integer", "minimum": 0, "maximum": MAX_INDENT if question.indent else 0}
    pair = {"type": "array", "prefixItems": [name, indent], "minItems": 2, "maxItems": 2}
    entry = pair if question.indent else {"anyOf": [pair, name]}
    return {"type": "array", "items": entry, "minItems": 1, "uniqueItems": True}


def grade(question: OrderingQuestion, response: object, seed: str) -> Outcome:
    """The outcome of lines in some order, each with its indentation; all or nothing.

    Raises:
        ResponseError: an entry names no line, a line stands twice, or an indentation is none.
    """
    chosen = _chosen(question, response, seed)
    if tuple(chosen) == question.lines:
        return outcome_of_verdict(Verdict.ACCEPTED, feedback.of_right_response())
    in_place = len(list(takewhile(_are_equal, zip(chosen, question.lines, strict=False))))
    following = (chosen[in_place : in_place + 1], question.lines[in_place : in_place + 1])
    only_indent = all(following) and following[0][0].text == following[1][0].text
    found = feedback.of_ordering(
        in_place,
        superfluous=any(line.text in question.distractors for line in chosen),
        too_few=len(chosen) < len(question.lines),
        only_indent=only_indent,
    )
    return outcome_of_verdict(Verdict.WRONG_ANSWER, found)


def right_response(question: OrderingQuestion, seed: str) -> object:
    """The lines in their order, each with its indentation."""
    names = list(_named(question, seed))
    return [[name, line.indent] for name, line in zip(names, question.lines, strict=False)]


def _are_equal(pair: tuple[Line, Line]) -> bool:
    return pair[0] == pair[1]


def _chosen(question: OrderingQuestion, response: object, seed: str) -> list[Line]:
    if not isinstance(response, list) or not response:
        raise ResponseError("expected a list of [id, indent]")
    named = _named(question, seed)
    entries = [_entry(item, question) for item in response]
    unknown = [name for name, _ in entries if name not in named]
    if unknown:
        raise ResponseError(f"there is no line with the id {number(unknown[0])}")
    if len({name for name, _ in entries}) < len(entries):
        raise ResponseError("a line stands twice")
    return [Line(text=named[name], indent=indent) for name, indent in entries]


def _entry(item: object, question: OrderingQuestion) -> tuple[str, int]:
    match item:
        case str() if not question.indent:
            return item, 0
        case [str() as name, int() as indent] if not isinstance(indent, bool):
            if 0 <= indent <= (MAX_INDENT if question.indent else 0):
                return name, indent
    wanted = f"[id, indent] with an indent from 0 to {MAX_INDENT}" if question.indent else "ids of lines"
    raise ResponseError(f"expected a list of {wanted}")


def _named(question: OrderingQuestion, seed: str) -> dict[str, str]:
    """The text of each line and distractor by its id; equal texts have different ids."""
    named: dict[str, str] = {}
    texts = [line.text for line in question.lines] + list(question.distractors)
    for place, text in enumerate(texts):
        named[opaque_id(seed, "line", text, str(texts[:place].count(text)))] = text
    return named


def _lines(texts: list[str]) -> tuple[Line, ...]:
    depths = [len(text) - len(text.lstrip(" ")) for text in texts]
    step = min((depth for depth in depths if depth), default=1)
    for place, (text, depth) in enumerate(zip(texts, depths, strict=True)):
        if text.lstrip(" ").startswith("\t") or depth % step or depth // step > MAX_INDENT:
            raise DefinitionError(f"lines[{place}]", f"expected an indentation in steps of {step} spaces")
    return tuple(Line(text=text.strip(), indent=depth // step) for text, depth in zip(texts, depths, strict=True))
