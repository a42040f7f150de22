"""TeX to MathML, on the server: no script has to run for a formula to be read."""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element, SubElement, tostring

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element

from exercises.content.sanitise import MATHS_ATTRIBUTES
from exercises.errors import ExerciseError

LONGEST_FORMULA = 4000
DEEPEST_BRACES = 30

# What the converter raises has no common base; the last seven are how it stumbles over what it does not foresee.
_FAILURES: tuple[type[Exception], ...] = (
    *(value for value in vars(exceptions).values() if isinstance(value, type) and issubclass(value, Exception)),
    IndexError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
    StopIteration,
)
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_KEPT_COMMAND = re.compile(r"\\[A-Za-z]+")

# A few of them, each using the one before twice, would grow without bound.
_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|def|DeclareMathOperator|(?:re)?newenvironment)(?![A-Za-z])"
)


class MathsError(ExerciseError):
    """A formula that cannot be set; the message says why."""


def mathml(tex: str, *, display: bool = False) -> str:
    """A `<math>` element for `tex`, which it keeps as `alttext` and as annotation.

    Raises: MathsError if the formula is too long, unbalanced, or uses a command that is not known.
    """
    tex = tex.strip()
    _check_braces(tex)
    if definition := _DEFINITION.search(tex):
        raise MathsError(f"the formula {_short(tex)} defines a command with {definition[0]}, which is not supported")
    try:
        made = convert_to_element(tex, display="block" if display else "inline")
    except _FAILURES as error:
        raise MathsError(f"the formula {_short(tex)} cannot be read{_reason(error)}") from error
    math = Element("math", {"display": "block" if display else "inline", "alttext": tex})
    semantics = SubElement(math, "semantics")
    row = SubElement(semantics, "mrow")
    row.extend([_checked(child, tex) for child in made])
    SubElement(semantics, "annotation", {"encoding": "application/x-tex"}).text = tex
    return tostring(math, encoding="unicode")


def _check_braces(tex: str) -> None:
    if not tex:
        raise MathsError("expected a formula between the dollar signs, found nothing")
    if len(tex) > LONGEST_FORMULA:
        raise MathsError(f"a formula may have {LONGEST_FORMULA} characters, found {len(tex)}")
    depth = 0
    for mark in re.sub(r"\\.", "", tex, flags=re.DOTALL):
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            raise MathsError(f"the formula {_short(tex)} closes a brace that it did not open")
        if depth > DEEPEST_BRACES:
            raise MathsError(f"the formula {_short(tex)} nests braces more than {DEEPEST_BRACES} deep")
    if depth:
        raise MathsError(f"the formula {_short(tex)} leaves {depth} brace{'s' if depth > 1 else ''} open")


def _checked(element: Element, tex: str) -> Element:
    """A copy of `element` with known attributes only, its text plain."""
    copy = Element(element.tag, {name: value for name, value in element.attrib.items() if name in MATHS_ATTRIBUTES})
    # The converter writes its symbols as character references, for a serialiser that does not escape.
    copy.text = html.unescape(element.text or "")
    if element.tag != "mtext" and (command := _KEPT_COMMAND.search(copy.text)):
        raise MathsError(f"the formula {_short(tex)} uses {command[0]}, which is not known")
    if copy.text == "&":
        raise MathsError(f"the formula {_short(tex)} has an & outside a table; write \\&")
    copy.extend([_checked(child, tex) for child in element])
    return copy


def _reason(error: Exception) -> str:
    name = type(error).__name__
    if not hasattr(exceptions, name):
        return ""
    return ": " + _WORDS.sub(" ", name.removesuffix("Error")).lower()


def _short(tex: str) -> str:
    return f"${tex}$" if len(tex) <= 60 else f"${tex[:57]}…$"
