"""Publishing: at once or later, and taking back."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from exercises import services
from exercises.choices import AuditAction
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.forms import sent_number
from exercises.models import AuditEntry, Exercise
from exercises.queries import head_of
from exercises.queries.regrades import regrade_due
from exercises.services.attempts import MOST_ATTEMPTS, limit_attempts
from exercises.teach.authoring.access import course_of_staff, course_to_change, exercise_of
from exercises.teach.authoring.answers import back_with, exercise_page
from exercises.teach.authoring.diffs import file_diffs
from exercises.teach.authoring.standing import local_time

ENTRIES = 20


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """What would be published and what is missing; a POST publishes."""
    if request.method != "POST":
        return _page(request, exercise_of(course_of_staff(request, course), exercise))
    found = exercise_of(course_to_change(request, course), exercise)
    try:
        version = services.publish(found, author=member(request), reason=_reason(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    found.refresh_from_db()
    words = _("Version %(number)d is published.") % {"number": version.number}
    if due := regrade_due(found):
        words += " " + _("It judges differently than %(count)d submissions were judged: see Regrade.") % {"count": due}
    messages.success(request, words)
    return redirect(_address(found))


@for_members
@require_POST
def unpublish(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_to_change(request, course), exercise)
    services.unpublish(found, author=member(request))
    messages.success(request, _("Students do not meet the exercise any more. What they handed in stays."))
    return redirect(_address(found))


@for_members
@require_POST
def schedule(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """Publishes later, at a time on the course's clock."""
    found = exercise_of(course_to_change(request, course), exercise)
    at = _sent_time(request.POST.get("at", ""), found)
    if at is None:
        messages.error(request, _("Give the day and the time of publication."))
        return redirect(_address(found))
    try:
        version = services.schedule(found, at=at, author=member(request), reason=_reason(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    values = {"number": version.number, "time": local_time(found.course, at)}
    messages.success(request, _("Version %(number)d will be published %(time)s.") % values)
    return redirect(_address(found))


@for_members
@require_POST
def attempts(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """How often students may hand in; nothing sent is no limit."""
    found = exercise_of(course_to_change(request, course), exercise)
    sent = sent_number(request, "max_attempts")
    try:
        limit_attempts(found, most=None if sent == "" else sent, author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    messages.success(request, _("Saved."))
    return redirect(_address(found))


@for_members
@require_POST
def cancel_schedule(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_to_change(request, course), exercise)
    services.cancel_schedule(found, author=member(request))
    messages.success(request, _("Nothing is published by the clock."))
    return redirect(_address(found))


def _page(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    head, version = head_of(exercise), exercise.published
    of_exercise = AuditEntry.objects.filter(course=exercise.course, target=exercise.slug).select_related("actor")
    entries = list(of_exercise[: ENTRIES + 1])
    scheduled = local_time(exercise.course, exercise.scheduled_at) if exercise.scheduled_at else ""
    return exercise_page(
        request,
        exercise,
        "publish.html",
        head=head,
        diffs=file_diffs(version, head) if head and version else [],
        entries=[_entry(entry) for entry in entries[:ENTRIES]],
        has_older=len(entries) > ENTRIES,
        scheduled=scheduled,
        most_attempts=MOST_ATTEMPTS,
        due=regrade_due(exercise),
    )


def _entry(entry: AuditEntry) -> dict[str, Any]:
    word = AuditAction(entry.action).label if entry.action in AuditAction.values else entry.action
    return {"entry": entry, "word": word, "reason": entry.details.get("reason", "")}


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[:1000]


def _sent_time(text: str, exercise: Exercise) -> datetime | None:
    """A time as a browser's field sends it, on the course's clock."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at.replace(tzinfo=ZoneInfo(exercise.course.time_zone)) if at.tzinfo is None else None


def _address(exercise: Exercise) -> str:
    return reverse("authoring:publish", args=(exercise.course.slug, exercise.slug))
