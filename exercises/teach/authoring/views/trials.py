"""The working copy as a student meets it. What is tried here counts nowhere."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.content import ExerciseFolder
from exercises.errors import ExerciseError, InvalidFieldError, NotSoundError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.forms import sent_source
from exercises.learn.refusals import refusal
from exercises.learn.run_panels import run_panel
from exercises.models import Exercise
from exercises.queries import files_of, head_of
from exercises.responses import sent_response
from exercises.teach.authoring.access import course_of_staff, exercise_of
from exercises.teach.authoring.answers import exercise_page
from exercises.teach.authoring.previews import (
    Tried,
    read_or_problems,
    shown_to_student,
    try_response,
    with_assets,
)
from exercises.teach.authoring.sources import has_sent_files, sent_files
from graders.errors import GraderError


@for_members
@require_GET
def page(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """A student's own page, with the working copy in it."""
    found = exercise_of(course_of_staff(request, course), exercise)
    head = head_of(found)
    folder, problems = read_or_problems(found, files_of(head) if head else {})
    if folder is None:
        return exercise_page(request, found, "unreadable.html", head=head, problems=problems)
    return HttpResponse(with_assets(_student_page(request, found, folder), found))


@for_members
@require_POST
def answer(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """Judges a response to a question: to the files in the form, where it holds them, else to the head."""
    found = exercise_of(course_of_staff(request, course), exercise)
    address = reverse("authoring:try", args=(course, exercise))
    try:
        folder = _folder(request, found)
        shown = shown_to_student(member(request), found, folder)
        if shown.page.is_code or shown.exercise.published is None:
            raise InvalidFieldError("response", "Code is run, not answered.")
        tried = _tried(request, found, folder, sent_response(request.POST, shown.exercise.published))
    except ExerciseError as error:
        return refusal(request, error, back_url=address)
    if is_fragment(request):
        return render(request, "exercises/authoring/_tried.html", {"tried": tried})
    html = _student_page(request, found, folder, tried=tried)
    return HttpResponse(with_assets(html, found))


@for_members
@require_POST
def run(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """Runs the visible cases of the head."""
    found = exercise_of(course_of_staff(request, course), exercise)
    try:
        started = services.start_trial(found, source=sent_source(request), author=member(request))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("authoring:try", args=(course, exercise)))
    if not is_fragment(request):
        return redirect("learn:run", started.pk)
    return render(request, "exercises/_run_panel.html", {"panel": run_panel(started)})


def _student_page(request: HttpRequest, exercise: Exercise, folder: ExerciseFolder, **context: Any) -> str:
    shown = shown_to_student(member(request), exercise, folder)
    shared = {
        "course": exercise.course,
        "exercise": exercise,
        "page": shown.page,
        "cases": shown.cases,
        "hints": [{"number": number, "html": html} for number, html in enumerate(shown.hints, start=1)],
        "history": [],
        "draft": {"source": shown.page.starter, "revision": 0, "saved_at": None},
        "section": "author",
    }
    return render_to_string("exercises/authoring/try.html", {**shared, **context}, request)


def _folder(request: HttpRequest, exercise: Exercise) -> ExerciseFolder:
    head = head_of(exercise)
    files = files_of(head) if head else {}
    if has_sent_files(request):
        files = sent_files(request, files)
    folder, problems = read_or_problems(exercise, files)
    if folder is None:
        raise NotSoundError(f"This is no exercise yet. {problems[0]}.")
    return folder


def _tried(request: HttpRequest, exercise: Exercise, folder: ExerciseFolder, response: Any) -> Tried:
    try:
        return try_response(member(request), exercise, folder, response)
    except GraderError as error:
        raise InvalidFieldError("response", str(error)) from error
