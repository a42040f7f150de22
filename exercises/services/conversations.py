"""What students ask the staff of a course, or report to them, and what is said to it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import Asked
from exercises.errors import InvalidFieldError, NotAllowedError, TooManyQuestionsError
from exercises.models import Course, Exercise, ExerciseVersion, Lesson, Question, Reply, Submission, User
from exercises.queries.conversations import may_ask
from exercises.queries.courses import is_staff_of
from exercises.services.locks import lock_student
from exercises.services.notices import tell

LONGEST_TEXT = 10_000
MOST_IN_WINDOW = 6
WINDOW = timedelta(minutes=10)

About = Lesson | Exercise | Submission


@transaction.atomic
def ask(student: User, about: About, *, kind: Any, text: Any) -> Question:
    """A question or report to the staff of the course; of an exercise goes with the student's last hand-in to it.

    Raises:
        NotAllowedError: the course has no staff who could answer, or the student is staff there.
        InvalidFieldError: there is no such kind, or the text is none, empty or too long.
        TooManyQuestionsError: the student wrote six texts within ten minutes.
    """
    lesson, exercise, submission = _attached(student, about)
    course = _course_of(about)
    if not may_ask(student, course):
        raise NotAllowedError("Nobody is there to ask in this course.")
    if kind not in Asked.values:
        raise InvalidFieldError("kind", "Choose whether you ask or report.")
    checked = _checked_text(text)
    _require_pause(student)
    return Question.objects.create(
        course=course,
        student=student,
        kind=kind,
        lesson=lesson,
        exercise=exercise,
        submission=submission,
        text=checked,
    )


@transaction.atomic
def reply(question: Question, *, author: User, text: Any, fixed_by: ExerciseVersion | None = None) -> Reply:
    """Something said to a question. What staff say answers it, and its student is told; what the student says opens it.

    Staff may name the version of the exercise that puts right what was reported.

    Raises:
        NotAllowedError: the author is neither its student nor staff of the course.
        InvalidFieldError, TooManyQuestionsError: as of `ask`; the latter for students alone. The former also where the
            version is of another exercise.
    """
    checked = _checked_text(text)
    if author.pk == question.student_id:
        _require_pause(author)
        _mark(question, None, at=None)
    elif is_staff_of(author, question.course):
        if fixed_by is not None:
            _name_fix(question, fixed_by)
        _mark(question, author, at=timezone.now())
        _tell(question, "was answered" if fixed_by is None else "was answered, and the exercise corrected")
    else:
        raise NotAllowedError("Only its student and the staff of the course take part.")
    return Reply.objects.create(question=question, author=author, text=checked)


@transaction.atomic
def close_question(question: Question, *, by: User) -> None:
    """Count the question as answered without a word more; its student is told. Closing what is closed changes nothing.

    Raises:
        NotAllowedError: the person is not staff of the course.
    """
    if not is_staff_of(by, question.course):
        raise NotAllowedError("Only the staff of a course may do this.")
    if question.answered_at is None:
        _mark(question, by, at=timezone.now())
        _tell(question, "was closed")


def _name_fix(question: Question, version: ExerciseVersion) -> None:
    if version.exercise_id != question.exercise_id:
        raise InvalidFieldError("fixed_by", "This version is of another exercise.")
    question.fixed_by = version
    question.save(update_fields=["fixed_by"])


def _mark(question: Question, by: User | None, *, at: datetime | None) -> None:
    question.answered_at, question.answered_by = at, by
    question.save(update_fields=["answered_at", "answered_by"])


def _tell(question: Question, what: str) -> None:
    noun = "report" if question.kind == Asked.REPORT else "question"
    text = f"Your {noun} in “{question.course.title}” {what}."
    tell(question.student_id, text, url=reverse("learn:question", args=(question.pk,)))


def _course_of(about: About) -> Course:
    return about.exercise.course if isinstance(about, Submission) else about.course


def _attached(student: User, about: About) -> tuple[Lesson | None, Exercise | None, Submission | None]:
    if isinstance(about, Lesson):
        return about, None, None
    if isinstance(about, Exercise):
        return None, about, about.submissions.filter(student=student).first()
    if about.student_id != student.pk:
        raise NotAllowedError("One asks about one's own submissions.")
    return None, about.exercise, about


def _checked_text(text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise InvalidFieldError("text", "Write something first.")
    if "\0" in text or len(text) > LONGEST_TEXT:
        raise InvalidFieldError("text", f"A text of at most {LONGEST_TEXT} characters is taken.")
    return text.strip()


def _require_pause(student: User) -> None:
    lock_student(student.pk)
    since = timezone.now() - WINDOW
    asked = Question.objects.filter(student=student, asked_at__gt=since).values_list("asked_at", flat=True)
    said = Reply.objects.filter(author=student, created_at__gt=since, question__student=student)
    times = sorted([*asked, *said.values_list("created_at", flat=True)])
    if len(times) >= MOST_IN_WINDOW:
        left = times[-MOST_IN_WINDOW] - since
        raise TooManyQuestionsError(
            "You have written a good deal just now. Wait some minutes, or put it all into one text.",
            retry_after=int(left.total_seconds()) + 1,
        )
