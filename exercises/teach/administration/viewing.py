"""Staff as a student of their course: pages are asked for as its preview student, until they go back.

The session stays the person's own. At each request it is asked anew whether they are staff of the course; then the
request's user is the preview student, whose rights are fewer on every page. What is about the person's own account is
left to them.
"""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exercises.choices import Role
from exercises.learn.access import for_members, member
from exercises.models import Course, User
from exercises.queries import taught_courses
from exercises.services.previews import forget_preview, preview_student
from exercises.teach.authoring.access import course_of_staff

VIEWED = "viewed_course"
"""In the session: the id of the course that is seen as a student."""
APPS = frozenset({"learn", "teach", "authoring"})
OF_THE_PERSON = frozenset(
    {
        "teach:view-as-student",
        "teach:leave-view",
        "teach:forget-preview",
        "learn:account",
        "learn:make-token",
        "learn:revoke-token",
        "learn:own-data",
        "learn:download-own-data",
        "learn:erase-own-data",
        "learn:research-consent",
        "learn:join",
        "learn:enrol",
        "learn:sign-in-link",
    }
)


class ViewAsStudent:
    """Middleware: lets a member of staff who has begun to view a course meet its pages as the preview student."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Sets `request.viewed_course`, and on pages that are not the person's own the user."""
        match = request.resolver_match
        if match is None or not APPS.intersection(match.app_names) or VIEWED not in request.session:
            return
        course = _viewed(request)
        student = None if course is None else _student(course)
        if course is None or student is None:
            del request.session[VIEWED]
            return
        request.viewed_course = course  # type: ignore[attr-defined]  # for the banner of the base template
        if match.view_name not in OF_THE_PERSON:
            request.user = student


@for_members
@require_POST
def view_as_student(request: HttpRequest, course: str) -> HttpResponse:
    found = course_of_staff(request, course)
    preview_student(found, viewer=member(request))
    request.session[VIEWED] = found.pk
    # Whose pages a session opens has changed: whoever knew its id before knows it no longer.
    request.session.cycle_key()
    return redirect("learn:course", found.slug)


@for_members
@require_POST
def leave_view(request: HttpRequest, course: str) -> HttpResponse:
    found = course_of_staff(request, course)
    request.session.pop(VIEWED, None)
    request.session.cycle_key()
    return redirect("learn:course", found.slug)


@for_members
@require_POST
def forget(request: HttpRequest, course: str) -> HttpResponseBase:
    """Takes a new preview student, who has done nothing yet."""
    found = course_of_staff(request, course)
    forget_preview(found, viewer=member(request))
    messages.success(request, _("The preview student begins afresh."))
    return view_as_student(request, found.slug)


def _viewed(request: HttpRequest) -> Course | None:
    """The course that is seen as a student, if the person is still its staff."""
    if not isinstance(request.user, User) or not request.user.is_authenticated:
        return None
    return taught_courses(request.user).filter(pk=request.session[VIEWED]).first()


def _student(course: Course) -> User | None:
    return User.objects.filter(memberships__course=course, memberships__role=Role.PREVIEW).first()
