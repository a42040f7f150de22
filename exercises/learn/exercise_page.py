"""What the page of an exercise shows, computed for one student."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from exercises.choices import Difficulty, Kind
from exercises.content.markdown import render_markdown
from exercises.learn.assignment_items import attempts_word, points_word
from exercises.learn.assignment_page import ExerciseContext, before_handing_in, exercise_context
from exercises.learn.drafts import NO_DRAFT, DraftState, draft_state, fields_to_open_with, filled_in
from exercises.learn.drawn import DrawnQuestion, drawn_question
from exercises.learn.feedback import with_code
from exercises.learn.forms import fresh_key
from exercises.learn.lesson_page import reachable
from exercises.learn.marks import Mark
from exercises.learn.pictures import Picture
from exercises.learn.questions import QuestionForm
from exercises.learn.rows import best_mark
from exercises.learn.shown import Value, expected_of, inputs_of, labels_of
from exercises.learn.values import number_text
from exercises.models import BestScore, Draft, Exercise, ExerciseVersion, Submission
from exercises.queries import BY_ITSELF, Encounter, Terms, attempts_left
from graders.demand_list import demands_in_words

# Each holds the HTML of an exercise's cases: 100 KB or so.
DRAWN_AT_MOST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """`html` once it is open; `url` opens it where it is the next; neither before that."""

    number: int
    html: SafeString
    url: str


@dataclass(frozen=True, kw_only=True)
class VisibleCase:
    name: str
    values: list[Value]

    @cached_property
    def html(self) -> SafeString:
        """The case as it stands on the page. It is the same for everybody, and most of what the page consists of."""
        return render_to_string("exercises/_shown_case.html", {"case": self})

    @property
    def pictures(self) -> list[Picture]:
        """The values that are drawn."""
        return [value.picture for value in self.values if value.picture and value.picture.planes]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExercisePage:
    """`fault` says why a question could not be drawn; it has no prompt and no form then."""

    slug: str
    title: str
    kind_word: str
    points_word: str
    difficulty: str
    is_code: bool
    version: int
    prompt: SafeString
    question: QuestionForm | None
    entry_word: str
    demands: list[SafeString]
    limits: str
    starter: str
    attempts: str
    before: str
    best: Mark | None
    url: str
    submit_url: str
    run_url: str
    draft_url: str
    preview_url: str
    assignment: ExerciseContext | None
    fault: str = ""
    draft: DraftState = NO_DRAFT
    key: str = field(default_factory=fresh_key)


def exercise_page(
    met: Encounter, *, best: BestScore | None, response: Any = None, terms: Terms = BY_ITSELF
) -> ExercisePage:
    """The page's values; `best` is the student's best score, `response` what they answered last.

    `terms` are those on which a hand-in would be taken.
    """
    student, exercise = met.person, met.exercise
    within = exercise_context(met, terms)
    left = None if within else attempts_left(student, exercise, met=met)
    version = exercise.published
    assert version is not None
    content, files = version.definition["exercise"], version.definition["files"]
    if version.is_code:
        drawn = DrawnQuestion(prompt=_prose(content["prompt"]))
    else:
        drawn = drawn_question(student, exercise, response)
    where = (exercise.course.slug, exercise.slug)
    return ExercisePage(
        slug=exercise.slug,
        title=version.title,
        kind_word=str(Kind(version.kind).label),
        points_word=points_word(_points(version, within)),
        difficulty=str(Difficulty(content.get("difficulty", Difficulty.MEDIUM)).label),
        is_code=version.is_code,
        version=version.number,
        prompt=drawn.prompt,
        question=drawn.form,
        fault=drawn.fault,
        entry_word=_entry_word(content),
        demands=[with_code(sentence) for sentence in demands_in_words(content)] if version.is_code else [],
        limits=_limits_word(content) if version.is_code else "",
        starter=files.get("starter.py", ""),
        attempts=within.attempts if within else attempts_word(left),
        before=before_handing_in(within, left),
        best=best_mark(best) if best else None,
        url=reverse("learn:exercise", args=where),
        submit_url=reverse("learn:submit", args=where),
        run_url=reverse("learn:run-cases", args=where),
        draft_url=reverse("learn:draft", args=where),
        preview_url=reverse("learn:preview", args=where),
        assignment=within,
    )


def with_draft(page: ExercisePage, draft: Draft | None, *, latest: Submission | None = None) -> ExercisePage:
    """The page with the student's draft of a question in its form, unless `latest` was handed in after it."""
    fields = fields_to_open_with(draft, latest)
    question = filled_in(page.question, fields) if page.question and fields is not None else page.question
    return replace(page, question=question, draft=draft_state(draft, is_code=page.is_code))


def hint_list(exercise: Exercise, opened: int) -> list[Hint]:
    """All hints of the exercise, of which the student has `opened` so many."""
    assert exercise.published is not None
    hints = exercise.published.definition["exercise"].get("hints", [])
    return [_hint(exercise, number, text, opened) for number, text in enumerate(hints, start=1)]


def shown_cases(version: ExerciseVersion, cases: Iterable[Mapping[str, Any]]) -> list[VisibleCase]:
    """The visible cases with inputs and expected outputs; none before a worker has made them."""
    definition = version.definition
    starter, entry = definition["files"].get("starter.py", ""), definition["exercise"].get("entry", "")
    return _drawn_cases(json.dumps(list(cases)), starter, entry, get_language())


@lru_cache(maxsize=DRAWN_AT_MOST)
def _drawn_cases(cases: str, starter: str, entry: str, _language: str) -> list[VisibleCase]:
    """Drawing takes as long as all else on the page, and its students open the same exercise."""
    labels = labels_of({"files": {"starter.py": starter}, "exercise": {"entry": entry}})
    return [
        VisibleCase(name=case["name"], values=[*inputs_of(case, labels), *expected_of(case, labels)])
        for case in json.loads(cases)
    ]


def _hint(exercise: Exercise, number: int, text: str, opened: int) -> Hint:
    url = reverse("learn:hint", args=(exercise.course.slug, exercise.slug, number)) if number == opened + 1 else ""
    return Hint(number=number, html=_prose(text) if number <= opened else SafeString(), url=url)


def _prose(text: str) -> SafeString:
    return reachable(render_markdown(text)) if text else SafeString()


def _points(version: ExerciseVersion, within: ExerciseContext | None) -> Decimal:
    return version.points if within is None or within.points is None else within.points


def _entry_word(content: dict[str, Any]) -> str:
    if content.get("entry"):
        return _("Your %(entry)s") % {"entry": content["entry"]}
    return _("Your script")


def _limits_word(content: dict[str, Any]) -> str:
    limits = content.get("limits", {})
    seconds, megabytes = limits.get("cpu_seconds"), limits.get("memory_mb")
    if seconds is None or megabytes is None:
        return ""
    return _("Limits: %(seconds)s s of computing, %(megabytes)s MB of memory.") % {
        "seconds": number_text(float(seconds)),
        "megabytes": megabytes,
    }
