"""Exercises: begun, written, duplicated, put away."""

from __future__ import annotations

import itertools
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from exercises import services
from exercises.choices import Kind
from exercises.content import Problem
from exercises.content.writing import Stored
from exercises.errors import ExerciseError, StaleRevisionError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.forms import sent_number
from exercises.models import Exercise, Revision
from exercises.queries import files_of, head_of
from exercises.teach.authoring.access import course_of_staff, course_to_change, exercise_of
from exercises.teach.authoring.answers import back_with, course_page, exercise_page, form_refused
from exercises.teach.authoring.beginnings import beginning
from exercises.teach.authoring.forms import NewExerciseForm, slug_of
from exercises.teach.authoring.previews import preview_html, read_or_problems
from exercises.teach.authoring.sources import (
    anchor_of,
    binaries_of,
    has_sent_files,
    missing_of,
    sent_files,
    tabs_of,
    with_addition,
)

BAD_REQUEST, CONFLICT = 400, 409


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def new_exercise(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    form = NewExerciseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        title, kind = form.cleaned_data["title"], Kind(form.cleaned_data["kind"])
        try:
            made = services.create_exercise(
                found, form.cleaned_data["slug"], files=beginning(kind, title), author=member(request)
            )
        except ExerciseError as error:
            form_refused(form, error)
        else:
            return redirect("authoring:exercise", found.slug, made.slug)
    status = BAD_REQUEST if form.errors else 200
    return course_page(request, found, "new_exercise.html", form=form, status=status)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def exercise(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """The editor; with `?from=7` on the text of that revision."""
    if request.method == "POST":
        return _save(request, exercise_of(course_to_change(request, course), exercise))
    found = exercise_of(course_of_staff(request, course), exercise)
    opened = sent_number_of(request.GET.get("from", ""))
    text = found.revisions.get(number=opened) if opened else None
    return show_editor(request, found, text=text)


@for_members
@require_POST
def preview(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """What is wrong in the files of the form, and the page that a student will see; nothing is stored."""
    found = exercise_of(course_of_staff(request, course), exercise)
    files = _files_in_form(request, found)
    folder, problems = read_or_problems(found, files)
    html = preview_html(request, found, folder) if folder else ""
    return JsonResponse({"problems": [_problem(problem) for problem in problems], "html": html})


@for_members
@require_POST
def duplicate(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_to_change(request, course), exercise)
    slug = request.POST.get("slug", "").strip() or _free_slug(found)
    try:
        made = services.duplicate_exercise(found, slug, author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    messages.success(request, _("This is the copy. Give it a title of its own."))
    return redirect("authoring:exercise", made.course.slug, made.slug)


@for_members
@require_POST
def move(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_to_change(request, course), exercise)
    services.move_exercise(found, by=-1 if request.POST.get("to") == "before" else 1, author=member(request))
    return redirect(f"{reverse('authoring:course', args=(course,))}#exercises")


@for_members
@require_POST
def retire(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """Puts the exercise away, or brings it back."""
    found = exercise_of(course_to_change(request, course), exercise)
    if found.is_retired:
        services.bring_back_exercise(found, author=member(request))
    else:
        services.retire_exercise(found, author=member(request))
    return redirect(f"{reverse('authoring:course', args=(course,))}#exercises")


def _free_slug(exercise: Exercise) -> str:
    """An address for a copy that no exercise of the course has yet."""
    taken = set(exercise.course.exercises.values_list("slug", flat=True))
    start = slug_of(f"{exercise.slug[:40]} copy")
    return next(slug for number in itertools.count(1) if (slug := f"{start}-{number}") not in taken)


def show_editor(
    request: HttpRequest,
    exercise: Exercise,
    *,
    text: Revision | None = None,
    files: dict[str, Stored] | None = None,
    **context: Any,
) -> HttpResponse:
    """The editor on the head, on another revision, or on files that were sent and not taken."""
    head = head_of(exercise)
    kept = text or head
    shown = files if files is not None else files_of(kept) if kept else {}
    folder, problems = read_or_problems(exercise, shown)
    return exercise_page(
        request,
        exercise,
        "exercise.html",
        head=head,
        opened=text,
        tabs=tabs_of(shown, problems),
        binaries=binaries_of(shown),
        problems=[_problem(problem) for problem in problems],
        preview=preview_html(request, exercise, folder) if folder else "",
        missing=missing_of(shown),
        takes_programs="reference.py" in shown,
        takes_driver="cases.py" in shown and "driver.py" not in shown,
        **context,
    )


def sent_number_of(text: str) -> int | None:
    """A whole number, or none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _save(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    based_on = sent_number(request, "based_on")
    if not isinstance(based_on, int) or not has_sent_files(request):
        return _refused(request, exercise, _("The form was sent without its files."), {})
    files = _files_in_form(request, exercise)
    try:
        files = with_addition(request, files, request.POST.get("action", "save"))
        saved = services.save_revision(exercise, files=files, based_on=based_on, author=member(request))
    except StaleRevisionError as error:
        return _stale(request, exercise, error)
    except ExerciseError as error:
        return _refused(request, exercise, str(error), files)
    if is_fragment(request):
        return JsonResponse(_saved_json(exercise, saved))
    return redirect(_address(exercise))


def _files_in_form(request: HttpRequest, exercise: Exercise) -> dict[str, Stored]:
    """What was sent; what forms cannot hold is that of the revision that was opened, else of the head."""
    opened = sent_number_of(request.POST.get("opened", "")) or sent_number_of(request.POST.get("based_on", ""))
    before = exercise.revisions.filter(number=opened).first() if opened else head_of(exercise)
    if not has_sent_files(request):
        return files_of(before) if before else {}
    return sent_files(request, files_of(before) if before else {})


def _stale(request: HttpRequest, exercise: Exercise, error: StaleRevisionError) -> HttpResponse:
    where = reverse("authoring:history", args=(exercise.course.slug, exercise.slug))
    address = f"{where}?older=r{error.head.number}&newer=r{error.set_aside.number}"
    if is_fragment(request):
        return JsonResponse({"message": str(error), "url": address}, status=CONFLICT)
    messages.warning(request, str(error))
    return redirect(address)


def _refused(request: HttpRequest, exercise: Exercise, message: str, files: dict[str, Stored]) -> HttpResponse:
    if is_fragment(request):
        return JsonResponse({"message": message}, status=BAD_REQUEST)
    return show_editor(request, exercise, files=files or None, refusal=message, status=BAD_REQUEST)


def _saved_json(exercise: Exercise, saved: Revision) -> dict[str, Any]:
    problems = read_or_problems(exercise, saved.files)[1]
    return {
        "revision": saved.number,
        "saved_at": saved.saved_at.isoformat(),
        "problems": [_problem(problem) for problem in problems],
    }


def _problem(problem: Problem) -> dict[str, Any]:
    field = f"`{problem.field}`: " if problem.field else ""
    return {
        "file": problem.file,
        "anchor": anchor_of(problem.file),
        "line": problem.line,
        "message": f"{field}{problem.message}",
        "text": str(problem),
    }


def _address(exercise: Exercise) -> str:
    return reverse("authoring:exercise", args=(exercise.course.slug, exercise.slug))
