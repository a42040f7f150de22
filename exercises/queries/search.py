from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape
from typing import Literal

from django.db.models import Case, F, Q, Value, When

from exercises.models import Course, Lesson, User
from exercises.queries.courses import exercises_shown_to

MOST_WORDS = 8
MOST_HITS = 20
CHARACTERS_AROUND = 80
TITLE = "published__title"
PROMPT = "published__definition__exercise__prompt"
"""The only part of a definition that is searched: the rest holds keys and references."""

_HEADING = re.compile(r'<h[23] id="(s-[^"]+)">')
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A lesson or an exercise where all the words were found, and the text around the first of them.

    `anchor` is that of the section of a lesson which holds most of the words; empty before the first heading.
    """

    kind: Literal["lesson", "exercise"]
    course: Course
    slug: str
    title: str
    excerpt: str
    anchor: str = ""


def search(user: User, q: str) -> list[Hit]:
    """Lessons, then exercises, of the user's courses that hold every word of `q`; at most 20 of each.

    Those come first whose titles hold them all. Capitals make no difference, on either database.
    """
    words = q.replace("\0", " ").split()[:MOST_WORDS]
    if not words:
        return []
    return [*_lessons(user, words), *_exercises(user, words)]


def _lessons(user: User, words: list[str]) -> Iterable[Hit]:
    lessons = Lesson.objects.filter(
        _all_words(words, "title", "search_text"), is_retired=False, course__memberships__user=user
    )
    rows = lessons.select_related("course").defer("source", "snippets").order_by(*_order(words, "title"))
    for lesson in rows[:MOST_HITS]:
        yield Hit(
            kind="lesson",
            course=lesson.course,
            slug=lesson.slug,
            title=lesson.title,
            excerpt=_excerpt(lesson.search_text, words),
            anchor=_anchor(lesson.html, words),
        )


def _exercises(user: User, words: list[str]) -> Iterable[Hit]:
    found = exercises_shown_to(user).filter(_all_words(words, TITLE, PROMPT), course__memberships__user=user)
    rows = found.select_related("course").annotate(title=F(TITLE), prompt=F(PROMPT)).order_by(*_order(words, TITLE))
    for exercise in rows[:MOST_HITS]:
        excerpt = _excerpt(exercise.prompt or "", words)
        yield Hit(kind="exercise", course=exercise.course, slug=exercise.slug, title=exercise.title, excerpt=excerpt)


def _order(words: list[str], title: str) -> tuple[Case | str, ...]:
    return Case(When(_all_words(words, title), then=Value(0)), default=Value(1)), "course", "position"


def _all_words(words: list[str], *fields: str) -> Q:
    every = Q()
    for word in words:
        anywhere = Q()
        for field in fields:
            for spelling in _spellings(word):
                anywhere |= Q(**{f"{field}__icontains": spelling})
        every &= anywhere
    return every


def _spellings(word: str) -> set[str]:
    """SQLite knows of capitals in ASCII only: beyond it the usual ways to write a word are looked for one by one."""
    return {word} if word.isascii() else {word, word.lower(), word.upper(), word.capitalize()}


def _anchor(html: str, words: list[str]) -> str:
    before, *sections = _HEADING.split(html)
    best, most = "", _number_of(before, words)
    for anchor, section in zip(sections[::2], sections[1::2], strict=True):
        if (found := _number_of(section, words)) > most:
            best, most = anchor, found
    return best


def _number_of(html: str, words: list[str]) -> int:
    text = unescape(_TAG.sub("", html)).lower()
    return sum(word.lower() in text for word in words)


def _excerpt(text: str, words: list[str]) -> str:
    plain = " ".join(text.split())
    places = [place for word in words if (place := plain.lower().find(word.lower())) >= 0]
    first = min(places, default=0)
    start = max(first - CHARACTERS_AROUND, 0)
    end = start + 2 * CHARACTERS_AROUND
    # Cut between words, where there are any.
    if start and (space := plain.find(" ", start, first)) >= 0:
        start = space + 1
    if end < len(plain) and (space := plain.rfind(" ", first, end)) >= 0:
        end = space
    return f"{'…' if start else ''}{plain[start:end]}{'…' if end < len(plain) else ''}"
