from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.db.models import F, Q

from exercises.models import Course, Lesson, User
from exercises.queries.courses import exercises_shown_to

MOST_WORDS = 8
MOST_HITS = 20
CHARACTERS_AROUND = 80
TITLE = "published__title"
PROMPT = "published__definition__exercise__prompt"
"""The only part of a definition that is searched: the rest holds keys and references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A lesson or an exercise where all the words were found, and the text around the first of them."""

    kind: Literal["lesson", "exercise"]
    course: Course
    slug: str
    title: str
    excerpt: str


def search(user: User, q: str) -> list[Hit]:
    """Lessons, then exercises, of the user's courses that hold every word of `q`; at most 20 of each."""
    words = q.replace("\0", " ").split()[:MOST_WORDS]
    if not words:
        return []
    return [*_lessons(user, words), *_exercises(user, words)]


def _lessons(user: User, words: list[str]) -> Iterable[Hit]:
    lessons = Lesson.objects.filter(
        _all_words(words, "title", "search_text"), is_retired=False, course__memberships__user=user
    )
    for lesson in lessons.select_related("course").order_by("course", "position")[:MOST_HITS]:
        excerpt = _excerpt(lesson.search_text, words)
        yield Hit(kind="lesson", course=lesson.course, slug=lesson.slug, title=lesson.title, excerpt=excerpt)


def _exercises(user: User, words: list[str]) -> Iterable[Hit]:
    found = exercises_shown_to(user).filter(_all_words(words, TITLE, PROMPT), course__memberships__user=user)
    rows = found.select_related("course").annotate(title=F(TITLE), prompt=F(PROMPT)).order_by("course", "position")
    for exercise in rows[:MOST_HITS]:
        excerpt = _excerpt(exercise.prompt or "", words)
        yield Hit(kind="exercise", course=exercise.course, slug=exercise.slug, title=exercise.title, excerpt=excerpt)


def _all_words(words: list[str], *fields: str) -> Q:
    every = Q()
    for word in words:
        anywhere = Q()
        for field in fields:
            anywhere |= Q(**{f"{field}__icontains": word})
        every &= anywhere
    return every


def _excerpt(text: str, words: list[str]) -> str:
    plain = " ".join(text.split())
    places = [place for word in words if (place := plain.lower().find(word.lower())) >= 0]
    start = max(min(places, default=0) - CHARACTERS_AROUND, 0)
    end = start + 2 * CHARACTERS_AROUND
    return f"{'…' if start else ''}{plain[start:end]}{'…' if end < len(plain) else ''}"
