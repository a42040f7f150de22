"""Wrong answers to questions, counted as misconceptions are: what was chosen or typed instead of what is right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from exercises.choices import Kind
from exercises.models import Exercise, ExerciseVersion
from exercises.queries.analysis import SAMPLES, Misconception, counted_gradings
from graders.outcomes import Verdict
from graders.questions.responses import opaque_id

LONGEST = 80
MOST_COUNTED: Final = 20_000
TYPED = (Kind.NUMERIC, Kind.TEXT)


def wrong_answers(exercise: Exercise, version: ExerciseVersion, versions: Sequence[int]) -> list[Misconception]:
    """Wrong options of a choice by their texts, wrong numbers and texts as typed, by how many students gave them.

    Of kinds whose answers have many parts there are none. Counted are the last 20,000 hand-ins. One query.
    """
    if version.kind not in (Kind.CHOICE, *TYPED):
        return []
    rows = counted_gradings(exercise, versions).exclude(verdict=Verdict.ACCEPTED).order_by("-submission_id")
    wrong = _Options(version) if version.kind == Kind.CHOICE else None
    newest: dict[str, dict[int, int]] = defaultdict(dict)
    hand_ins: dict[str, int] = defaultdict(int)
    columns = rows.values_list("student_id", "submission_id", "submission__response", "submission__seed")
    # One after the other: a text may be long, and of each only its beginning is kept.
    for student, submission, response, seed in columns[:MOST_COUNTED].iterator():
        for answer in wrong.texts(response, seed) if wrong else [_typed(response)]:
            newest[answer].setdefault(student, submission)
            hand_ins[answer] += 1
    found = [
        Misconception(
            cause=answer,
            students=len(mine),
            hand_ins=hand_ins[answer],
            samples=tuple(sorted(mine.values(), reverse=True)[:SAMPLES]),
        )
        for answer, mine in newest.items()
    ]
    return sorted(found, key=lambda item: (-item.students, -item.hand_ins, item.cause))


class _Options:
    """Tells the wrong options by the ids that they have for a student."""

    def __init__(self, version: ExerciseVersion) -> None:
        options = version.definition["exercise"].get("options", ())
        self._texts = [option["text"] for option in options if not option.get("correct")]
        self._by_seed: dict[str, dict[str, str]] = {}

    def texts(self, response: Any, seed: str) -> list[str]:
        """The texts of the wrong ones among those chosen."""
        if seed not in self._by_seed:
            self._by_seed[seed] = {opaque_id(seed, "option", text): text for text in self._texts}
        named = self._by_seed[seed]
        chosen = response if isinstance(response, list) else [response]
        return [named[one] for one in chosen if isinstance(one, str) and one in named]


def _typed(response: Any) -> str:
    text = " ".join(str(response).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
