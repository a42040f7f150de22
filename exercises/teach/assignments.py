"""Assignments, for the staff of a course: looked over, made, changed, extended for one student."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.choices import Role
from exercises.errors import ExerciseError, InvalidFieldError
from exercises.learn.access import for_members, member
from exercises.learn.moments import moment_of
from exercises.learn.refused import refused_in, staff_lines
from exercises.models import Assignment, Course, Extension
from exercises.queries import shown_exercises
from exercises.services.releases import release_outcomes, take_back_release
from exercises.teach.assignment_forms import (
    AssignmentForm,
    ExtensionForm,
    ExtraTimeForm,
    NewAssignmentForm,
    PointsForm,
)
from exercises.teach.assignment_overview import overview_row, release_of
from exercises.teach.authoring.access import course_of_staff, course_to_change, may_change
from exercises.teach.authoring.answers import form_refused

BAD_REQUEST = 400


@for_members
@require_GET
def assignments(request: HttpRequest, course: str) -> HttpResponse:
    found = course_of_staff(request, course)
    rows = [
        overview_row(assignment) for assignment in found.assignments.select_related("course").prefetch_related("items")
    ]
    context = {"course": found, "rows": rows, "may_change": may_change(request, found)}
    return render(request, "exercises/assignments.html", context)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def new_assignment(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    with timezone.override(ZoneInfo(found.time_zone)):
        sent = request.POST if request.method == "POST" else None
        form, points = NewAssignmentForm(sent), PointsForm(shown_exercises().filter(course=found), sent)
        if form.is_valid() and points.is_valid():
            try:
                made = services.create_assignment(
                    found, author=member(request), points=points.points, **form.cleaned_data
                )
            except ExerciseError as error:
                _refused(form, points, error)
            else:
                return redirect("teach:assignment", found.slug, made.slug)
        return _form_page(request, found, form=form, points=points, assignment=None)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """An assignment to be changed, and who has dates of their own."""
    found = _assignment(course_to_change(request, course), assignment)
    with timezone.override(ZoneInfo(found.course.time_zone)):
        if request.method != "POST":
            return _standing_page(request, found)
        form, points = AssignmentForm(request.POST), _points(found, request.POST)
        if form.is_valid() and points.is_valid():
            try:
                services.change_assignment(found, author=member(request), points=points.points, **form.cleaned_data)
            except ExerciseError as error:
                _refused(form, points, error)
            else:
                messages.success(request, _("Saved."))
                return redirect("teach:assignment", course, assignment)
        return _form_page(request, found.course, form=form, points=points, assignment=found)


@for_members
@require_POST
def extend(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Dates and attempts of one student, in place of what was granted before."""
    found = _assignment(course_to_change(request, course), assignment)
    with timezone.override(ZoneInfo(found.course.time_zone)):
        form = ExtensionForm(_students(found.course), request.POST)
        if form.is_valid():
            granted = {**form.cleaned_data}
            student = found.course.members.get(pk=granted.pop("student"))
            try:
                services.grant_extension(found, student=student, author=member(request), **granted)
            except ExerciseError as error:
                form_refused(form, error)
            else:
                messages.success(request, _("Granted."))
                return redirect("teach:assignment", course, assignment)
        return _standing_page(request, found, extension_form=form)


@for_members
@require_POST
def release(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Lets students see what was judged or, with `take_back`, no longer."""
    found = _assignment(course_to_change(request, course), assignment)
    is_back = "take_back" in request.POST
    try:
        (take_back_release if is_back else release_outcomes)(found, author=member(request))
    except ExerciseError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("Withheld again.") if is_back else _("Released."))
    return redirect("teach:assignment", course, assignment)


@for_members
@require_POST
def extra_time(request: HttpRequest, course: str, student_id: int) -> HttpResponse:
    """How much longer every clock of a student is."""
    found = course_to_change(request, course)
    student = found.members.get(pk=student_id)
    form = ExtraTimeForm(request.POST)
    if form.is_valid():
        try:
            services.set_extra_time(found, student=student, author=member(request), factor=form.cleaned_data["factor"])
        except ExerciseError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("Saved."))
    else:
        messages.error(request, _("The factor must be a number from 1 to 10, such as 1.25."))
    return redirect("teach:student", course, student_id)


def _standing_page(request: HttpRequest, assignment: Assignment, **more: Any) -> HttpResponse:
    """The page with the assignment as it stands."""
    standing = {name: getattr(assignment, name) for name in AssignmentForm.base_fields}
    form = AssignmentForm(initial={**standing, "weight": f"{assignment.weight.normalize():f}"})
    points = _points(assignment)
    return _form_page(request, assignment.course, form=form, points=points, assignment=assignment, **more)


def _form_page(
    request: HttpRequest, course: Course, *, form: Form, points: PointsForm, assignment: Assignment | None, **more: Any
) -> HttpResponse:
    shown = {"course": course, "form": form, "points": points, "assignment": assignment, **more}
    if assignment is not None:
        shown.setdefault("extension_form", ExtensionForm(_students(course)))
        shown["release"] = release_of(assignment)
        stretch = refused_in(request, assignment)
        shown |= {"refused": staff_lines(stretch.rows), "stretch": stretch}
        shown["extensions"] = [_granted(course, row) for row in assignment.extensions.select_related("student")]
    has_fault = form.errors or points.errors or (more and more["extension_form"].errors)
    return render(request, "exercises/assignment_edit.html", shown, status=BAD_REQUEST if has_fault else 200)


def _points(assignment: Assignment, sent: Any = None) -> PointsForm:
    """The points of the assignment's exercises, among all that the course shows; also of those it holds already."""
    held = {item.exercise_id: f"{item.points.normalize():f}" for item in assignment.items.all()}
    shown = shown_exercises().filter(course=assignment.course)
    exercises = shown | assignment.exercises.select_related("published").defer("published__definition")
    return PointsForm(exercises.distinct(), sent, points=held)


def _refused(form: Form, points: PointsForm, error: ExerciseError) -> None:
    if isinstance(error, InvalidFieldError) and error.field == "points":
        points.add_error(None, str(error))
    else:
        form_refused(form, error)


def _assignment(course: Course, slug: str) -> Assignment:
    return course.assignments.select_related("course").get(slug=slug)


def _students(course: Course) -> list[tuple[int, str]]:
    students = course.members.filter(memberships__course=course, memberships__role=Role.STUDENT)
    return [(row.pk, str(row)) for row in students.distinct().order_by("last_name", "first_name", "username")]


def _granted(course: Course, extension: Extension) -> dict[str, Any]:
    zone = ZoneInfo(course.time_zone)
    return {
        "student": extension.student,
        "due": moment_of(extension.due_at, zone),
        "closes": moment_of(extension.closes_at, zone),
        "extra_attempts": extension.extra_attempts,
        "reason": extension.reason,
    }
