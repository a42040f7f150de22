from __future__ import annotations

import re
from dataclasses import dataclass

# Commands of TeX that are words to a reader; what else Markdown and TeX add is dropped.
_SIGNS = {
    r"\sqrt": "√",
    r"\infty": "∞",
    r"\top": "ᵀ",
    r"\cdot": "·",
    r"\times": "×",
    r"\sum": "∑",
    r"\le": "≤",
    r"\ge": "≥",
}
_COMMAND = re.compile(r"\\[A-Za-z]+")
_MARKS = re.compile(r"[`$|{}*]+|-{3,}|\^|_(?=\{)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of an excerpt; `is_hit` where it is one of the words looked for."""

    text: str
    is_hit: bool


def pieces(excerpt: str, query: str) -> list[Piece]:
    """The excerpt in plain words and signs, cut at the words of the query, whatever their case."""
    signs = _COMMAND.sub(lambda command: _SIGNS.get(command[0], " "), excerpt)
    return marked(" ".join(_MARKS.sub(" ", signs).split()), query)


def marked(text: str, query: str) -> list[Piece]:
    """The text cut at the words of the query, whatever their case. Templates escape each piece, then mark it."""
    # Longer ones first: one word may begin with another.
    words = sorted(query.split(), key=len, reverse=True)
    if not words or not text:
        return [Piece(text=text, is_hit=False)] if text else []
    cut = re.split(f"({'|'.join(re.escape(word) for word in words)})", text, flags=re.IGNORECASE)
    return [Piece(text=text, is_hit=bool(number % 2)) for number, text in enumerate(cut) if text]
