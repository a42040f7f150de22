"""One student, for the staff of the course: what they did, and what is done for them. The same for many at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises.choices import Role
from exercises.dates import is_within_bounds
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.models import Assignment, AssignmentExercise, Course, Exercise, Membership, Override
from exercises.queries import shown_exercises, taught_courses
from exercises.queries.memberships import members_of, sections_of
from exercises.services.grants import grant_together
from exercises.services.overrides import set_override, withdraw_override
from exercises.teach.assignment_forms import ExtraTimeForm
from exercises.teach.assistance.forms import GrantForm, GroupGrantForm, OverrideForm
from exercises.teach.assistance.sent import role_of
from exercises.teach.assistance.student_page import student_page
from exercises.teach.assistance.timeline import title_of
from exercises.teach.authoring.access import course_to_change
from exercises.teach.authoring.answers import form_refused

BAD_REQUEST = 400
EVERYONE = "everyone"
SECTION = "section:"


@for_members
@require_GET
def student(request: HttpRequest, course: str, student_id: int) -> HttpResponse:
    """What the student did, newest first, and what stands by hand."""
    found = taught_courses(member(request)).get(slug=course)
    membership = _membership(found, student_id)
    context = student_page(membership, before=_before(request), may_change=role_of(found) == Role.INSTRUCTOR)
    return render(request, "exercises/student.html", context)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def override(request: HttpRequest, course: str, student_id: int) -> HttpResponse:
    """Set a score by hand."""
    found = course_to_change(request, course)
    membership = _membership(found, student_id)
    form = OverrideForm(_places(found), request.POST if request.method == "POST" else None)
    if form.is_valid():
        exercise, assignment = _place(found, form.cleaned_data["place"])
        given = {"score": form.cleaned_data["score"], "reason": form.cleaned_data["reason"]}
        try:
            set_override(exercise, student=membership.user, author=member(request), assignment=assignment, **given)
        except ExerciseError as error:
            form_refused(form, error)
        else:
            messages.success(request, _("Set. It stands until it is withdrawn."))
            return redirect("teach:student", course, student_id)
    lead = _("Within an assignment it counts there alone. It stands until it is withdrawn, whatever is handed in.")
    return _form_page(request, membership, form, heading=_("Set a score by hand"), lead=lead)


@for_members
@require_POST
def withdraw(request: HttpRequest, course: str, override_id: int) -> HttpResponse:
    """Let what was judged count again."""
    found = course_to_change(request, course)
    standing = Override.objects.select_related("exercise__course", "exercise__published", "assignment", "student").get(
        pk=override_id, exercise__course=found
    )
    withdraw_override(standing, author=member(request))
    messages.success(request, _("Withdrawn: what was judged counts again."))
    return redirect("teach:student", course, standing.student_id)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def grant(request: HttpRequest, course: str, student_id: int) -> HttpResponse:
    """Time or attempts for one student, on top of what they have."""
    found = course_to_change(request, course)
    membership = _membership(found, student_id)
    form = GrantForm(_assignments(found), request.POST if request.method == "POST" else None)
    ids, who = [membership.user_id], str(membership.user)
    if form.is_valid() and _is_granted(request, found, form, student_ids=ids, who=f"{found.slug}: {who}"):
        return redirect("teach:student", course, student_id)
    context = {
        "heading": _("Grant time or attempts"),
        "lead": _("It comes on top of what the student has already. They are told, without the reason."),
        "extra_time": ExtraTimeForm(initial={"factor": membership.extra_time_factor}),
    }
    return _form_page(request, membership, form, **context)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def grants(request: HttpRequest, course: str) -> HttpResponse:
    """Time or attempts for a section or for everyone."""
    found = course_to_change(request, course)
    groups = [(EVERYONE, _("everyone")), *((f"{SECTION}{name}", name) for name in sections_of(found))]
    form = GroupGrantForm(_assignments(found), groups, request.POST if request.method == "POST" else None)
    if form.is_valid():
        chosen = form.cleaned_data["who"]
        section = None if chosen == EVERYONE else chosen.removeprefix(SECTION)
        ids = list(members_of(found, section=section, role=Role.STUDENT).values_list("user_id", flat=True))
        if _is_granted(request, found, form, student_ids=ids, who=section or EVERYONE):
            return redirect("teach:grants", course)
    context = {"course": found, "form": form}
    return render(request, "exercises/assistance/grants.html", context, status=BAD_REQUEST if form.errors else 200)


def _is_granted(request: HttpRequest, course: Course, form: GrantForm, *, student_ids: list[int], who: str) -> bool:
    """Whether it was; if not the form says why."""
    slug = form.cleaned_data["assignment"]
    assignment = course.assignments.select_related("course").get(slug=slug) if slug else None
    given = {"student_ids": student_ids, "who": who, "reason": form.cleaned_data["reason"]}
    try:
        number = grant_together(course, form.grant(assignment), author=member(request), **given)
    except ExerciseError as error:
        form_refused(form, error)
        return False
    told = ngettext("Granted to %(n)d student, who is told.", "Granted to %(n)d students, who are told.", number)
    messages.success(request, told % {"n": number})
    return True


def _form_page(request: HttpRequest, membership: Membership, form: Form, **context: Any) -> HttpResponse:
    """A form about the student; with what was wrong in it, if it was sent."""
    whole = {"course": membership.course, "student": membership.user, "form": form, **context}
    status = BAD_REQUEST if form.errors else 200
    return render(request, "exercises/assistance/for_student.html", whole, status=status)


def _membership(course: Course, user_id: int) -> Membership:
    """Raises: Membership.DoesNotExist where the person is not in the course."""
    return course.memberships.select_related("user", "course").get(user=user_id)


def _before(request: HttpRequest) -> datetime | None:
    try:
        found = parse_datetime(request.GET.get("before", ""))
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None and is_within_bounds(found) else None


def _assignments(course: Course) -> list[tuple[str, str]]:
    return list(course.assignments.values_list("slug", "title"))


def _places(course: Course) -> Iterator[tuple[str, str]]:
    """Where a score may be set: each exercise by itself, then within each assignment."""
    for exercise in shown_exercises().filter(course=course):
        yield f"{exercise.slug}", title_of(exercise)
    items = AssignmentExercise.objects.filter(assignment__course=course).select_related(
        "assignment", "exercise__published"
    )
    for item in items.defer("exercise__published__definition").order_by("assignment__position", "position", "pk"):
        yield f"{item.assignment.slug}/{item.exercise.slug}", f"{item.assignment.title}: {title_of(item.exercise)}"


def _place(course: Course, chosen: str) -> tuple[Exercise, Assignment | None]:
    within, _slash, slug = chosen.rpartition("/")
    exercise = course.exercises.select_related("published", "course").get(slug=slug)
    return exercise, course.assignments.get(slug=within) if within else None
