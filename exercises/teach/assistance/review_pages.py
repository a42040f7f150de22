"""Answers in the order in which they are read, alike ones together; one of them with its rubric."""

from __future__ import annotations

from collections.abc import Sequence
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
from exercises.queries.reviewing import MOST, answers_to, is_disputed, marks_of, with_reviews
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
    html: SafeString
    url: str
    marks: list[Mark]
    is_disputed: bool


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
    found = answers_in(reading)
    if reading.shown == WAITING:
        places: Sequence[Sequence[int]] = likeness_groups(tuple(str(row.response) for row in found))
    else:
        places = [(place,) for place in range(len(found))]
    numbers = {place: number for number, place in enumerate(chain.from_iterable(places), start=1)}
    return [
        Group(
            answers=[_answer(reading, found[place], number=numbers[place]) for place in group],
            url=reading.url("read-alike", found[group[0]].pk) if len(group) > 1 else "",
        )
        for group in places
    ]


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
        html=student_text(text),
        url=reading.url("read-answer", submission.pk),
        marks=[_mark(mark) for mark in marks],
        is_disputed=is_disputed(marks),
    )


def _mark(grading: Grading) -> Mark:
    score = score_text(grading.score, grading.max_score)
    return Mark(id=grading.pk, by=str(grading.reviewer), score=score, in_force=grading.in_force)


def _prose(text: str) -> SafeString:
    return reachable(render_markdown(text)) if text else SafeString()
