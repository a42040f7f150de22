"""Questions and reports on pages: the form beside what is asked about, and lines of lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exercises.choices import Asked
from exercises.learn.marks import Mark
from exercises.models import Lesson, Question, Submission, User
from exercises.queries import Encounter, may_ask

OPEN = Mark(icon="clock", word=gettext_lazy("Open"), tone="warn")
ANSWERED = Mark(icon="check", word=gettext_lazy("Answered"), tone="good")
EXCERPT = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class AskForm:
    """Where a question about this page goes, and what goes with it."""

    url: str
    attached: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a question is about; without an address where there is nothing to open any more."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    url: str
    excerpt: str
    kind: str
    student: str
    subject: Subject
    asked_at: datetime
    mark: Mark
    receipt: str
    why_url: str


def form_about_lesson(student: User, lesson: Lesson) -> AskForm | None:
    """The form to ask about the lesson; None where nobody would answer."""
    address = reverse("learn:ask-of-lesson", args=(lesson.course.slug, lesson.slug))
    attached = _("It names this lesson.")
    return AskForm(url=address, attached=attached) if may_ask(student, lesson.course) else None


def form_about_exercise(met: Encounter, *, has_submissions: bool) -> AskForm | None:
    """The form to ask about the exercise; None where nobody would answer."""
    exercise = met.exercise
    address = reverse("learn:ask-of-exercise", args=(exercise.course.slug, exercise.slug))
    with_submission = _("Your last submission of this exercise goes with it.")
    attached = with_submission if has_submissions else _("It names this exercise.")
    return AskForm(url=address, attached=attached) if met.may_ask else None


def form_about_submission(met: Encounter, submission: Submission) -> AskForm | None:
    """The form to ask about one's own submission; None where it is another's, or nobody would answer."""
    if submission.student_id != met.person.pk or not met.may_ask:
        return None
    address = reverse("learn:ask-of-submission", args=(submission.pk,))
    return AskForm(url=address, attached=_("This submission goes with it."))


def subject_of(question: Question) -> Subject:
    """What the question is about."""
    course, lesson, exercise = question.course, question.lesson, question.exercise
    if lesson is not None:
        url = "" if lesson.is_retired else reverse("learn:lesson", args=(course.slug, lesson.slug))
        return Subject(title=lesson.title, url=url)
    if exercise is not None:
        title = exercise.published.title if exercise.published else exercise.slug
        is_shown = exercise.published is not None and not exercise.is_retired
        url = reverse("learn:exercise", args=(course.slug, exercise.slug)) if is_shown else ""
        return Subject(title=title, url=url)
    return Subject(title=course.title, url=reverse("learn:course", args=(course.slug,)))


def kind_word(question: Question) -> str:
    """In a word what it is."""
    return _("Report of a fault") if question.kind == Asked.REPORT else _("Question")


def question_mark(question: Question) -> Mark:
    """Whether somebody still has to answer."""
    return OPEN if question.answered_at is None else ANSWERED


def question_rows(questions: Iterable[Question]) -> list[QuestionRow]:
    """A line for each question; what they are about must have been fetched."""
    return [
        QuestionRow(
            url=reverse("learn:question", args=(question.pk,)),
            excerpt=_excerpt(question.text),
            kind=kind_word(question),
            student=str(question.student),
            subject=subject_of(question),
            asked_at=question.asked_at,
            mark=question_mark(question),
            receipt=question.submission.receipt if question.submission else "",
            why_url=_why_url(question),
        )
        for question in questions
    ]


def _why_url(question: Question) -> str:
    """Where staff see why what goes with it was judged so."""
    if question.submission_id is None:
        return ""
    return reverse("teach:submission", args=(question.course.slug, question.submission_id))


def _excerpt(text: str) -> str:
    """Its beginning in one line, without the marks of code."""
    line = " ".join(text.replace("`", "").split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…"
