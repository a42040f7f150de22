"""Assignments: their page, and the clock of a quiz, which starts and ends here."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.assignment_page import assignment_page
from exercises.queries import assignment_for, clock_length, is_staff_of


@for_members
@require_GET
def assignment(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    student = member(request)
    # So that a clock that has just ended shows what came of it.
    services.settle_clocks(student=student)
    found = assignment_for(student, course, assignment)
    is_staff = is_staff_of(student, found.course)
    page = assignment_page(student, found, is_staff=is_staff, length=clock_length(found, student))
    context = {"course": found.course, "page": page, "is_staff": is_staff}
    return render(request, "exercises/assignment.html", context)


@for_members
@require_POST
def start(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Starts the student's clock, once."""
    student = member(request)
    found = assignment_for(student, course, assignment)
    try:
        services.start_assignment(student, found)
    except ExerciseError as error:
        messages.error(request, str(error))
    return redirect("learn:assignment", course, assignment)


@for_members
@require_POST
def finish(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Ends the student's quiz: the last drafts are handed in."""
    student = member(request)
    if services.finish_assignment(student, assignment_for(student, course, assignment)) is not None:
        messages.success(request, _("Handed in. What you wrote last is among it."))
    return redirect("learn:assignment", course, assignment)
