"""Choosing among exercises in a list: by difficulty, by topic, by how far one is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exercises.choices import Difficulty
from exercises.queries.mastery import ExerciseFacts
from exercises.queries.progress import ExerciseProgress

STATES: dict[str, str | Promise] = {"left": _("Not yet solved"), "solved": _("Solved")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    value: str
    word: str | Promise
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What is asked for; an empty field asks for nothing. What an address names that is no choice asks for nothing."""

    difficulty: str = ""
    topic: str = ""
    state: str = ""

    @property
    def is_set(self) -> bool:
        """Whether anything is left out."""
        return bool(self.difficulty or self.topic or self.state)

    def takes(self, item: ExerciseProgress, facts: ExerciseFacts) -> bool:
        """Whether the exercise is to be shown."""
        return (
            self.difficulty in ("", facts.difficulty)
            and (not self.topic or self.topic in facts.topics)
            and self.state in ("", "solved" if item.is_solved else "left")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterForm:
    """The form above a list, with the choices that there are."""

    difficulties: list[Option]
    topics: list[Option]
    states: list[Option]
    is_set: bool


def read_filter(sent: Mapping[str, str], facts: Iterable[ExerciseFacts]) -> Filter:
    """The filter that the address of a page asks for."""
    topics = set(_topics(facts))
    difficulty, topic, state = sent.get("difficulty", ""), sent.get("topic", ""), sent.get("state", "")
    return Filter(
        difficulty=difficulty if difficulty in Difficulty.values else "",
        topic=topic if topic in topics else "",
        state=state if state in STATES else "",
    )


def filter_form(chosen: Filter, facts: Iterable[ExerciseFacts]) -> FilterForm | None:
    """The form; None where there is nothing to choose among."""
    found = list(facts)
    if not found:
        return None
    present = {item.difficulty for item in found}
    difficulties = {str(level): str(level.label) for level in Difficulty if level in present}
    return FilterForm(
        difficulties=_options(difficulties, chosen.difficulty),
        topics=_options({topic: topic for topic in _topics(found)}, chosen.topic),
        states=_options(STATES, chosen.state),
        is_set=chosen.is_set,
    )


def topic_query(topic: str) -> str:
    """What an address needs at its end to show this topic alone."""
    return "?" + urlencode({"topic": topic})


def _topics(facts: Iterable[ExerciseFacts]) -> list[str]:
    return sorted({topic for item in facts for topic in item.topics}, key=str.casefold)


def _options(words: Mapping[str, str | Promise], chosen: str) -> list[Option]:
    return [Option(value=value, word=word, is_chosen=value == chosen) for value, word in words.items()]
