"""Answers in the order in which they are read, alike ones together; one of them with its rubric."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exercises.content.markdown import render_markdown
from exercises.learn.answered import asked_prompt
from exercises.learn.lesson_page import reachable
from exercises.learn.prose import student_text
from exercises.learn.rows import score_text
from exercises.learn.values import number_text
from exercises.models import Exercise, Grading, Submission
from exercises.queries.reviewing import MOST, answers_to, is_disputed, marks_of, texts_of, with_reviews
from exercises.teach.assistance.likeness import likeness_groups

WAITING, READ, DISPUTED = "waiting", "read", "disputed"
SHOWN = (WAITING, READ, DISPUTED)
EXCERPT = 220
POINTS = "points-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Which answers to an exercise are read, and whether names are hidden."""

    exercise: Exercise
    shown: str = WAITING
    is_anonymous: bool = False

    @property
    def query(self) -> str:
        """What goes with every address, so that the choice is kept."""
        return f"?show={self.shown}{'&anonymous=1' if self.is_anonymous else ''}"

    def url(self, name: str, *arguments: object) -> str:
        """The address of a page about this reading."""
        where = (self.exercise.course.slug, self.exercise.slug, *arguments)
        return reverse(f"teach:{name}", args=where) + self.query


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What one reader gave."""

    id: int
    by: str
    score: str
    in_force: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer; `name` is its author's, or its place where names are hidden."""

    id: int
    name: str
    excerpt: str
    text: str
    url: str
    marks: list[Mark]
    is_disputed: bool

    @property
    def html(self) -> SafeString:
        """All of it."""
        return student_text(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Answers that are alike; `url` reads them together, where there are several."""

    answers: list[Answer]
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A line of the rubric; `number` is its key, `value` what it has so far."""

    number: int
    name: str
    field: str
    most: str
    description: SafeString
    value: str


def groups_of(reading: Reading) -> list[Group]:
    """The answers in groups of alike ones, the largest first; of what is read already each stands alone."""
    found = {row.pk: row for row in answers_in(reading)}
    places = _alike(reading.exercise, found) if reading.shown == WAITING else [[pk] for pk in found]
    numbers = {pk: number for number, pk in enumerate(chain.from_iterable(places), start=1)}
    return [
        Group(
            answers=[_answer(reading, found[pk], number=numbers[pk]) for pk in group],
            url=reading.url("read-alike", group[0]) if len(group) > 1 else "",
        )
        for group in places
    ]


def _alike(exercise: Exercise, waiting: Collection[int]) -> list[list[int]]:
    """The ids of those that wait in groups of alike ones, the largest first.

    Compared are those that were read already too: so the groups stay while somebody reads, and are found once.
    """
    texts = texts_of(exercise)
    groups = likeness_groups(tuple(text for _pk, text in texts))
    left = [[pk for place in group if (pk := texts[place][0]) in waiting] for group in groups]
    known = {pk for pk, _text in texts}
    return sorted(filter(None, left), key=_size) + [[pk] for pk in waiting if pk not in known]


def answers_in(reading: Reading) -> list[Submission]:
    """The answers of this reading, the oldest first."""
    found = list(answers_to(reading.exercise, is_read=reading.shown != WAITING)[:MOST])
    return [row for row in found if is_disputed(marks_of(row))] if reading.shown == DISPUTED else found


def one_answer(reading: Reading, submission: Submission) -> Answer:
    """An answer by itself, whether it is among those that are being read or not."""
    found = with_reviews(Submission.objects.filter(pk=submission.pk)).get()
    return _answer(reading, found, number=found.pk)


def criteria_of(submission: Submission, given: dict[int, object]) -> list[Criterion]:
    """The rubric as a form; `given` are points by the number of the criterion, where somebody gave some."""
    rubric = submission.version.definition["exercise"]["rubric"]
    return [
        Criterion(
            number=number + 1,
            name=item["criterion"],
            field=f"{POINTS}{number}",
            most=number_text(float(item["points"])),
            description=_prose(item.get("description", "")),
            value=number_text(float(str(given[number]))) if number in given else "",
        )
        for number, item in enumerate(rubric)
    ]


def question_of(submission: Submission) -> dict[str, SafeString]:
    """What was asked, and one way to answer it."""
    model = submission.version.definition["exercise"].get("model_answer", "")
    return {"asked": asked_prompt(submission), "model_answer": _prose(model)}


def _answer(reading: Reading, submission: Submission, *, number: int) -> Answer:
    text, marks = str(submission.response), marks_of(submission)
    line = " ".join(text.split())
    return Answer(
        id=submission.pk,
        name=_("Answer %(number)d") % {"number": number} if reading.is_anonymous else str(submission.student),
        excerpt=line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…",
        text=text,
        url=reading.url("read-answer", submission.pk),
        marks=[_mark(mark) for mark in marks],
        is_disputed=is_disputed(marks),
    )


def _mark(grading: Grading) -> Mark:
    score = score_text(grading.score, grading.max_score)
    return Mark(id=grading.pk, by=str(grading.reviewer), score=score, in_force=grading.in_force)


def _prose(text: str) -> SafeString:
    return reachable(render_markdown(text)) if text else SafeString()


def _size(group: list[int]) -> int:
    return -len(group)
