from __future__ import annotations

import re
from dataclasses import dataclass

# What Markdown and TeX add to the words.
_MARKS = re.compile(r"[`$|{}*]+|\\[A-Za-z]+|-{3,}|\^|_(?=\{)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of an excerpt; `is_hit` where it is one of the words looked for."""

    text: str
    is_hit: bool


def pieces(excerpt: str, query: str) -> list[Piece]:
    """The excerpt cut at the words of the query, whatever their case."""
    words = query.split()
    excerpt = " ".join(_MARKS.sub(" ", excerpt).split())
    if not words or not excerpt:
        return [Piece(text=excerpt, is_hit=False)] if excerpt else []
    cut = re.split(f"({'|'.join(re.escape(word) for word in words)})", excerpt, flags=re.IGNORECASE)
    return [Piece(text=text, is_hit=bool(number % 2)) for number, text in enumerate(cut) if text]
