"""Asking and reporting, and the thread of each question, for its student and for staff."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.asking import kind_word, question_mark, question_rows, subject_of
from exercises.learn.forms import sent_number
from exercises.learn.prose import student_text
from exercises.learn.refusals import refusal
from exercises.learn.stretches import stretch_of
from exercises.models import Exercise, ExerciseVersion, Lesson, Question, Submission
from exercises.queries import exercise_met_by, lesson_for, question_for, questions_asked_by, submission_for
from exercises.queries.conversations import fixes_for

SHOWN = 100


@for_members
@require_POST
def ask_of_lesson(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    found = lesson_for(member(request), course, lesson)
    return _ask(request, found, back_url=reverse("learn:lesson", args=(course, lesson)))


@for_members
@require_POST
def ask_of_exercise(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_met_by(member(request), course, exercise)
    return _ask(request, found, back_url=reverse("learn:exercise", args=(course, exercise)))


@for_members
@require_POST
def ask_of_submission(request: HttpRequest, submission_id: int) -> HttpResponse:
    found = submission_for(member(request), submission_id)
    if found.student_id != member(request).pk:
        raise Submission.DoesNotExist(f"submission {submission_id} is another's")
    return _ask(request, found, back_url=reverse("learn:submission", args=(submission_id,)))


@for_members
@require_GET
def questions(request: HttpRequest) -> HttpResponse:
    stretch = stretch_of(request, questions_asked_by(member(request)), size=SHOWN)
    context = {"section": "inbox", "rows": question_rows(stretch.rows), "stretch": stretch}
    return render(request, "exercises/questions_asked.html", context)


@for_members
@require_GET
def question(request: HttpRequest, question_id: int) -> HttpResponse:
    viewer = member(request)
    found = question_for(viewer, question_id)
    return render(request, "exercises/question.html", _thread(found, is_own=found.student_id == viewer.pk))


@for_members
@require_POST
def reply(request: HttpRequest, question_id: int) -> HttpResponse:
    found = question_for(member(request), question_id)
    try:
        services.reply(found, author=member(request), text=_sent_text(request), fixed_by=_fix(request, found))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:question", args=(question_id,)))
    return redirect("learn:question", question_id)


def _ask(request: HttpRequest, about: Lesson | Exercise | Submission, *, back_url: str) -> HttpResponse:
    kind, text = request.POST.get("kind"), _sent_text(request)
    try:
        asked = services.ask(member(request), about, kind=kind, text=text)
    except ExerciseError as error:
        return refusal(request, error, back_url=back_url)
    if not is_fragment(request):
        return redirect("learn:question", asked.pk)
    response = render(request, "exercises/_asked.html", {"question": asked})
    # Not beside the form, as a refusal is, but in its place: else the same text is sent again by mistake.
    response["HX-Retarget"], response["HX-Reswap"] = "#ask form", "outerHTML"
    return response


def _fix(request: HttpRequest, question: Question) -> ExerciseVersion | None:
    """The version that staff name as the fix, if they do."""
    number = sent_number(request, "fixed_by")
    return fixes_for(question).filter(number=number).first() if isinstance(number, int) else None


def _sent_text(request: HttpRequest) -> str:
    return request.POST.get("text", "").replace("\r\n", "\n")


def _thread(question: Question, *, is_own: bool) -> dict[str, object]:
    submission = question.submission
    said = [
        {
            "author": reply.author or "",
            "is_student": reply.author_id == question.student_id,
            "at": reply.created_at,
            "html": student_text(reply.text),
        }
        for reply in question.replies.all()
    ]
    return {
        "section": "inbox" if is_own else "",
        "fixes": [] if is_own else list(fixes_for(question)),
        "fixed_by": question.fixed_by,
        "question": question,
        "is_own": is_own,
        "kind": kind_word(question),
        "mark": question_mark(question),
        "subject": subject_of(question),
        "html": student_text(question.text),
        "replies": said,
        "submission": submission,
        "lines": submission.source.split("\n") if submission is not None and submission.source else [],
    }
