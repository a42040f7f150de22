"""Checks of an exercise: started, followed, read; and what is done about what they found."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.content.case_lists import with_case
from exercises.content.exercise import YAML_FILE
from exercises.content.yamlediting import with_equivalent
from exercises.errors import ExerciseError, InvalidFieldError
from exercises.learn.access import for_members, member
from exercises.learn.forms import sent_number
from exercises.models import Check, Exercise, Revision
from exercises.queries import certificate_for, head_of, latest_check
from exercises.teach.authoring.access import course_of_staff, course_to_change, exercise_of, may_change
from exercises.teach.authoring.answers import back_with, exercise_page
from exercises.teach.authoring.reports import ReportPanel, report_panel
from exercises.teach.authoring.standing import standing

CASES_FILE = "cases.py"


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def check(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """The report; a POST starts the check."""
    if request.method != "POST":
        found = exercise_of(course_of_staff(request, course), exercise)
        return exercise_page(request, found, "check.html", panel=_panel(found))
    found = exercise_of(course_to_change(request, course), exercise)
    try:
        services.start_check(found, author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    return redirect(_address(found))


@for_members
@require_GET
def panel(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_of_staff(request, course), exercise)
    shown, is_changer = _panel(found), may_change(request, found.course)
    if shown is None:
        raise Check.DoesNotExist(f"{exercise} was never checked")
    context = {"panel": shown, "course": found.course, "exercise": found, "may_change": is_changer}
    # The state in the head of the page follows.
    head, check = head_of(found), latest_check(found)
    now = standing(found, head, check=check, certificate=certificate_for(found))
    shared = {**context, "standing": now, "is_oob": True}
    return render(request, "exercises/authoring/_report_and_state.html", shared)


@for_members
@require_POST
def cancel(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_to_change(request, course), exercise)
    services.cancel_check(found, author=member(request))
    return redirect(_address(found))


@for_members
@require_POST
def take_case(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """Puts an offered case into `cases.py`, as a new revision."""
    found = exercise_of(course_to_change(request, course), exercise)
    into = "hidden" if request.POST.get("into") == "hidden" else "visible"
    try:
        head, mutant = _head(found), _mutant(request, found)
        offer, text = mutant.get("offer"), head.files.get(CASES_FILE)
        if not offer or not isinstance(text, str):
            raise InvalidFieldError("mutant", "No case is offered for this change.")
        files = {**head.files, CASES_FILE: with_case(text, offer["code"], into=into)}  # type: ignore[arg-type]
        saved = services.save_revision(found, files=files, based_on=head.number, author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    words = _("The case stands in %(file)s now, in %(list)s(): revision %(number)d.")
    values = {"file": CASES_FILE, "list": into, "number": saved.number}
    messages.success(request, words % values)
    return redirect(_address(found))


@for_members
@require_POST
def mark_equivalent(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """Has `exercise.yaml` say that nobody can see a change of the reference, and why."""
    found = exercise_of(course_to_change(request, course), exercise)
    reason = request.POST.get("reason", "").strip()
    try:
        if not reason:
            raise InvalidFieldError("reason", "Say why nobody can see the change.")
        head, mutant = _head(found), _mutant(request, found)
        text = str(head.files.get(YAML_FILE, ""))
        written = with_equivalent(text, change=mutant["change"], reason=reason, file=YAML_FILE)
        files = {**head.files, YAML_FILE: written}
        saved = services.save_revision(found, files=files, based_on=head.number, author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    messages.success(
        request, _("%(file)s says so now: revision %(number)d.") % {"file": YAML_FILE, "number": saved.number}
    )
    return redirect(_address(found))


def _panel(exercise: Exercise) -> ReportPanel | None:
    found = latest_check(exercise)
    return None if found is None else report_panel(exercise, found, head_of(exercise))


def _mutant(request: HttpRequest, exercise: Exercise) -> dict[str, Any]:
    """The mutant of the last report that a form names. Raises: InvalidFieldError."""
    found, number = latest_check(exercise), sent_number(request, "mutant")
    report: dict[str, Any] = (found.report if found else None) or {}
    mutants = (report.get("mutation") or {}).get("mutants", [])
    if found is None or sent_number(request, "check") != found.pk or not isinstance(number, int):
        raise InvalidFieldError("check", "There is a newer check. Look at its report first.")
    if number >= len(mutants):
        raise InvalidFieldError("mutant", "The report has no such change.")
    mutant: dict[str, Any] = mutants[number]
    return mutant


def _head(exercise: Exercise) -> Revision:
    head = head_of(exercise)
    if head is None:
        raise InvalidFieldError("files", "Nothing is saved yet.")
    return head


def _address(exercise: Exercise) -> str:
    return reverse("authoring:check", args=(exercise.course.slug, exercise.slug))
