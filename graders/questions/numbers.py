"""Reads a number as people write it, exactly: `1/8`, `12.5 %`, `0,125`, `1e-3`, `2 * 3^2`, `sqrt(64)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from graders.errors import ResponseError

MAX_CHARACTERS: Final = 100
_MAX_BITS: Final = 4096
_MAX_EXPONENT: Final = 400
_MAX_DEPTH: Final = 20

# Everything that looks like a minus: hyphens, dashes, those of other widths.
_MINUS: Final = dict.fromkeys("−–—‐‑‒﹣－", "-")
_SPELLINGS: Final = str.maketrans(
    {
        **_MINUS,
        **{"×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "/", "⁄": "/", "∕": "/", "√": "sqrt ", "π": "pi "},
        **{"½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)", "⅛": "(1/8)"},
    }
)
_RAISED: Final = re.compile(r"(?<=[\w)])⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED: Final = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_GROUPED: Final = re.compile(r"[+-]?\d{1,3}([ _'’\u00a0\u2009\u202f]\d{3})+([.,]\d+)?")
_HEXADECIMAL: Final = re.compile(r"0[xbo][0-9a-f]")
_NOT_FINITE: Final = re.compile(r"[+-]?\s*(nan|inf|infinity|∞)")
_COMMA: Final = re.compile(r"[+-]?\d+,\d+(\s*%|e[+-]?\d+)?")
_THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}(?!\d)")
# A number, a name or a sign.
_TOKEN: Final = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[a-zA-Z_]\w*|\*\*|[-+*/^()%])")

_CONSTANTS: Final = {"pi": Fraction(math.pi), "e": Fraction(math.e)}
_FUNCTIONS: Final[dict[str, Callable[[float], float]]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,  # the natural one, as in torch
    "ln": math.log,
}
RESERVED: Final = frozenset({*_CONSTANTS, *_FUNCTIONS})
_NO_NAMES: Final[Mapping[str, Fraction]] = {}


def read_number(response: object) -> Fraction:
    """The number that a JSON number or a text says. Functions and roots are worked out in float64.

    Raises:
        ResponseError: it is none, is not finite, or is too long.
    """
    if isinstance(response, str):
        return _read_text(response)
    if isinstance(response, bool) or not isinstance(response, int | float):
        raise ResponseError("expected a number, or a text such as 1/8, 0.125 or 1e-3")
    if isinstance(response, float):
        if not math.isfinite(response):
            raise ResponseError("NaN and infinity are no answers here: expected a finite number")
        return Fraction(repr(response))
    return _checked(Fraction(response))


def evaluate(expression: str, names: Mapping[str, Fraction]) -> Fraction:
    """The number that an expression gives in which `names` stand for numbers.

    Raises:
        ResponseError: it cannot be read, or gives no finite number.
    """
    return _Reader(_spelt_out(expression), names).read()


def _read_text(text: str) -> Fraction:
    if len(text) > MAX_CHARACTERS:
        raise ResponseError(f"expected a number in at most {MAX_CHARACTERS} characters, found {len(text)}")
    plain = _spelt_out(text.strip().lower())
    if not plain:
        raise ResponseError("expected a number, found nothing")
    if _NOT_FINITE.fullmatch(plain):
        raise ResponseError("NaN and infinity are no answers here: expected a finite number")
    if _HEXADECIMAL.search(plain):
        raise ResponseError("expected a decimal number, found one in another base")
    if _GROUPED.fullmatch(plain):
        raise ResponseError("expected the digits of a number without anything between them")
    return _Reader(_with_point(plain)).read()


def _spelt_out(text: str) -> str:
    """The text with signs of a keyboard for those of print: `10⁻³` is `10^-3`."""
    return _RAISED.sub(_as_power, text).translate(_SPELLINGS)


def _as_power(found: re.Match[str]) -> str:
    return "^" + found[0].translate(_LOWERED)


def _with_point(text: str) -> str:
    """The text with a decimal point for a decimal comma, where the comma can mean nothing else."""
    if "," not in text:
        return text
    if _THOUSANDS.match(text):
        raise ResponseError("a comma before three digits may mean two things: write a point, or no separator")
    if not _COMMA.fullmatch(text):
        raise ResponseError("expected one number: a comma may only stand for the decimal point")
    return text.replace(",", ".")


class _Reader:
    """Reads one expression: sums of products of powers, with brackets, functions and percent signs."""

    def __init__(self, text: str, names: Mapping[str, Fraction] = _NO_NAMES) -> None:
        self._names = {**_CONSTANTS, **names}
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0

    def read(self) -> Fraction:
        value = self._sum()
        if self._next < len(self._tokens):
            raise ResponseError(f"expected the end of the number before “{self._tokens[self._next]}”")
        return value

    def _sum(self) -> Fraction:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ResponseError("expected a number with fewer brackets")
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = _checked(value + other if sign == "+" else value - other)
        self._depth -= 1
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while sign := self._take("*", "/"):
            other = self._signed()
            if sign == "/" and other == 0:
                raise ResponseError("expected a number, found a division by zero")
            value = _checked(value * other if sign == "*" else value / other)
        return value

    def _signed(self) -> Fraction:
        negative = False
        while sign := self._take("+", "-"):
            negative ^= sign == "-"
        value = self._power()
        return -value if negative else value

    def _power(self) -> Fraction:
        base = self._atom()
        while self._take("%"):
            base /= 100
        return _power(base, self._signed_exponent()) if self._take("^", "**") else base

    def _signed_exponent(self) -> Fraction:
        negative = bool(self._take("-"))
        exponent = self._power()
        return -exponent if negative else exponent

    def _atom(self) -> Fraction:
        token = self._tokens[self._next] if self._next < len(self._tokens) else ""
        self._next += 1
        if token[:1].isdigit() or token[:1] == ".":
            return _decimal(token)
        if token in self._names:
            return self._names[token]
        if token in _FUNCTIONS:
            return _applied(token, self._atom())
        if token == "(":  # noqa: S105  (a bracket, no password)
            value = self._sum()
            if not self._take(")"):
                raise ResponseError("expected a closing bracket")
            return value
        raise ResponseError(f"expected a number, found “{token}”" if token else "expected a number at the end")

    def _take(self, *signs: str) -> str:
        token = self._tokens[self._next] if self._next < len(self._tokens) else ""
        if token not in signs:
            return ""
        self._next += 1
        return token


def _tokens(text: str) -> list[str]:
    tokens = []
    place = 0
    while place < len(text.rstrip()):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ResponseError(f"expected a number, found “{text[place:].strip()[:10]}”")
        tokens.append(found.group(1))
        place = found.end()
    return tokens


def _decimal(token: str) -> Fraction:
    _, _, exponent = token.lower().partition("e")
    if exponent and (len(exponent) > 5 or abs(int(exponent)) > _MAX_EXPONENT):
        raise ResponseError(f"expected an exponent from -{_MAX_EXPONENT} to {_MAX_EXPONENT}")
    return Fraction(token)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        return _in_float64(math.pow, base, exponent)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * bits > _MAX_BITS:
        raise ResponseError("expected a smaller number")
    if base == 0 and exponent < 0:
        raise ResponseError("expected a number, found a division by zero")
    return base ** int(exponent)


def _applied(name: str, value: Fraction) -> Fraction:
    root = Fraction(math.isqrt(max(value.numerator, 0)), math.isqrt(value.denominator))
    if name == "sqrt" and root * root == value:
        return root
    return _in_float64(_FUNCTIONS[name], value)


def _in_float64(function: Callable[..., float], *arguments: Fraction) -> Fraction:
    try:
        return Fraction(function(*map(float, arguments)))
    except (ValueError, OverflowError):
        raise ResponseError("expected a finite number: this one is not") from None


def _checked(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise ResponseError("expected a number with fewer digits")
    return value
