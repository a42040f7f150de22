"""Courses: made, set, looked over."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.choices import ROLES_OF_PEOPLE, AuditAction, Role
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.stretches import stretch_of
from exercises.models import AuditEntry, Course
from exercises.queries import may_create_courses, taught_courses
from exercises.teach.authoring.access import course_of_staff, course_to_change
from exercises.teach.authoring.answers import course_page, form_refused
from exercises.teach.authoring.forms import CourseSettingsForm, NewCourseForm
from exercises.teach.authoring.standing import standings
from exercises.teach.join_links import new_join_link

ENTRIES = 100
BAD_REQUEST = 400
SETTINGS = ("title", "summary", "time_zone", "self_paced", "required_score", "keeps_better_score")


@for_members
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    author = member(request)
    courses = taught_courses(author)
    context = {"section": "author", "courses": courses, "may_create": may_create_courses(author)}
    return render(request, "exercises/authoring/home.html", context)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def new_course(request: HttpRequest) -> HttpResponse:
    if not may_create_courses(member(request)):
        raise PermissionDenied
    form = NewCourseForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            course = services.create_course(member(request), **form.cleaned_data)
        except ExerciseError as error:
            form_refused(form, error)
        else:
            return redirect("authoring:course", course.slug)
    status = BAD_REQUEST if form.errors else 200
    return render(request, "exercises/authoring/new_course.html", {"form": form, "section": "author"}, status=status)


@for_members
@require_GET
def course(request: HttpRequest, course: str) -> HttpResponse:
    return show_course(request, course_of_staff(request, course))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    if request.method != "POST":
        form = CourseSettingsForm(initial={name: getattr(found, name) for name in SETTINGS})
        return course_page(request, found, "settings.html", form=form)
    form = CourseSettingsForm(request.POST)
    if form.is_valid():
        try:
            services.change_course(found, author=member(request), **form.cleaned_data)
        except ExerciseError as error:
            form_refused(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("authoring:course", found.slug)
    return course_page(request, found, "settings.html", form=form, status=BAD_REQUEST)


@for_members
@require_GET
def record(request: HttpRequest, course: str) -> HttpResponse:
    """Who did what to the course, the newest first."""
    found = course_of_staff(request, course)
    stretch = stretch_of(request, found.audit_entries.select_related("actor"), size=ENTRIES)
    return course_page(request, found, "record.html", entries=[_entry(row) for row in stretch.rows], stretch=stretch)


@for_members
@require_POST
def join_links(request: HttpRequest, course: str) -> HttpResponse:
    """Makes a link and shows it, once: only a hash of it is kept."""
    found = course_to_change(request, course)
    role = request.POST.get("role", Role.STUDENT)
    if role not in ROLES_OF_PEOPLE:
        return show_course(request, found, status=BAD_REQUEST)
    return show_course(request, found, **new_join_link(request, found, Role(role)))


@for_members
@require_POST
def revoke_join_link(request: HttpRequest, course: str, link_id: int) -> HttpResponse:
    found = course_to_change(request, course)
    link = found.join_links.get(pk=link_id)
    services.revoke_join_link(link, by=member(request))
    return redirect("authoring:course", found.slug)


def show_course(request: HttpRequest, course: Course, **context: Any) -> HttpResponse:
    """The page of a course, for its authors."""
    rows = standings(course)
    open_links = course.join_links.filter(revoked_at=None, expires_at__gt=timezone.now())
    shared = {
        "lessons": list(course.lessons.filter(is_retired=False).defer("source", "html", "search_text", "snippets")),
        "rows": [row for row in rows if not row.is_retired],
        "put_away": [row for row in rows if row.is_retired],
        "links": list(open_links.select_related("created_by")),
        "assets": course.assets.count(),
        "roles": [(role.value, role.label) for role in ROLES_OF_PEOPLE],
    }
    return course_page(request, course, "course.html", **{**shared, **context})


def _entry(entry: AuditEntry) -> dict[str, Any]:
    word = AuditAction(entry.action).label if entry.action in AuditAction.values else entry.action
    return {
        "at": entry.at,
        "actor": entry.actor or _("the command line or the clock"),
        "word": word,
        "target": entry.target,
        "details": [
            (name.replace("_", " "), _plain(value))
            for name, value in entry.details.items()
            if value not in (None, {}) and not name.endswith("_hash")
        ],
    }


def _plain(value: Any) -> str:
    if isinstance(value, list) and len(value) == 2:  # before and after
        return f"{_plain(value[0])} → {_plain(value[1])}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(item)}" for name, item in value.items())
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3g}"
    return str(value)[:200]
