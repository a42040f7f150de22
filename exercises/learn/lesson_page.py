"""A lesson's stored HTML as a page: actions under its snippets, exercises in their places, a list of its sections.

What is replaced stands in the HTML exactly as `exercises.content.markdown` promises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from urllib.parse import urljoin

from django.utils.safestring import SafeString, mark_safe

_ACTIONS = re.compile(r'<div class="snippet-actions" data-snippet="(\d+)"></div>')
_EMBEDDED = re.compile(r'<div class="embedded-exercise" data-exercise="([a-z0-9-]+)"></div>')
_HEADING = re.compile(r'<h([23]) id="(s-[^"]+)">(.*?)<a class="heading-anchor"', re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_HREF = re.compile(r'href="((?!#|https?:|mailto:)[^"]*)"')
_SCROLLING = re.compile(r'<(pre class="[^"]*"|div class="(?:math-block|table)")>')


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading of a lesson: `level` 2 or 3, `anchor` the id to link to."""

    level: int
    anchor: str
    title: str


def sections(html: str) -> list[Section]:
    """The headings of a lesson, in order."""
    return [
        Section(level=int(level), anchor=anchor, title=unescape(_TAG.sub("", title)).strip())
        for level, anchor, title in _HEADING.findall(html)
    ]


def with_parts(html: str, *, actions: Mapping[int, str], exercises: Mapping[str, str]) -> SafeString:
    """The lesson with `actions` under its snippets (by number) and `exercises` in their places (by slug).

    An exercise that is not among them, since it was retired, leaves nothing behind.
    """
    # Exercises first: text that an exercise brings in must not be taken for a place in the lesson.
    pieces = _EMBEDDED.split(html)
    lesson = [_ACTIONS.sub(lambda found: actions.get(int(found[1]), ""), reachable(piece)) for piece in pieces[::2]]
    embedded = [exercises.get(slug, "") for slug in pieces[1::2]] + [""]
    # Sanitised when it was stored; the parts are rendered templates.
    return mark_safe("".join(text for pair in zip(lesson, embedded, strict=True) for text in pair))  # noqa: S308


def with_full_links(html: str, address: str) -> SafeString:
    """The content with the full address in each link that leads elsewhere, seen from the page at `address`."""
    # Sanitised or rendered before; an address that was quoted for HTML stays quoted.
    return mark_safe(_HREF.sub(lambda found: f'href="{urljoin(address, found[1])}"', html))  # noqa: S308


def reachable(html: str) -> SafeString:
    """Content whose code, formulas and tables can be scrolled by key; `html` was sanitised when it was rendered."""
    return mark_safe(_SCROLLING.sub(r'<\1 tabindex="0">', html))  # noqa: S308
