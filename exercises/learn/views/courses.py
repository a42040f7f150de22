from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from exercises.choices import STAFF_ROLES
from exercises.learn.access import for_members, member
from exercises.learn.assignment_page import assignment_rows
from exercises.learn.filters import Filter, filter_form, read_filter
from exercises.learn.rows import ExerciseRow, exercise_rows
from exercises.models import Asset, Course
from exercises.queries import CourseProgress, ExerciseProgress, course_progress, visible_courses
from exercises.queries.mastery import ExerciseFacts, exercise_facts

SAFE_TO_SHOW = {"image/png", "image/jpeg", "image/gif", "image/webp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A lesson with its exercises, or the exercises that no lesson holds."""

    title: str
    summary: str
    url: str
    rows: list[ExerciseRow]


@for_members
@require_GET
def course(request: HttpRequest, course: str) -> HttpResponse:
    student = member(request)
    progress = course_progress(student, visible_courses(student).get(slug=course))
    facts = exercise_facts(item.exercise for item in progress.exercises)
    chosen = read_filter(request.GET, facts.values())
    context = {
        "course": progress.course,
        "filter": filter_form(chosen, facts.values()),
        "assignments": assignment_rows(student, progress.course),
        "parts": _parts(progress, facts, chosen),
        "solved": progress.solved,
        "total": len(progress.exercises),
        "is_staff": getattr(progress.course, "role", None) in STAFF_ROLES,
    }
    return render(request, "exercises/course.html", context)


@for_members
@require_GET
@cache_control(private=True, no_cache=True)
def asset(request: HttpRequest, course: str, name: str) -> HttpResponseBase:
    """A file of the course. Browsers keep it, and ask each time whether they still may and whether it is the same."""
    shown = Asset.objects.filter(course__in=visible_courses(member(request)).filter(slug=course), path=name)
    found = shown.defer("content").get()
    etag = quote_etag(found.digest)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(bytes(found.content), content_type=found.media_type)
    response["ETag"] = etag
    # Pictures show in pages; anything else, also SVG opened by itself, could run as a page of ours, so it is saved.
    if found.media_type not in SAFE_TO_SHOW:
        response["Content-Disposition"] = "attachment"
        response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response


def _parts(progress: CourseProgress, facts: Mapping[int, ExerciseFacts], chosen: Filter) -> list[Part]:
    """The parts with what the filter takes; where one is set those without any exercise that fits are left out."""
    course = progress.course
    parts = [
        Part(
            title=item.lesson.title,
            summary=item.lesson.summary,
            url=reverse("learn:lesson", args=(course.slug, item.lesson.slug)),
            rows=_rows(course, item.exercises, facts, chosen),
        )
        for item in progress.lessons
    ]
    embedded = {item.exercise.pk for part in progress.lessons for item in part.exercises}
    others = [item for item in progress.exercises if item.exercise.pk not in embedded]
    if others:
        rows = _rows(course, others, facts, chosen)
        parts.append(Part(title=_("More exercises"), summary="", url="", rows=rows))
    return [part for part in parts if part.rows] if chosen.is_set else parts


def _rows(
    course: Course, items: Iterable[ExerciseProgress], facts: Mapping[int, ExerciseFacts], chosen: Filter
) -> list[ExerciseRow]:
    return exercise_rows(course, [item for item in items if chosen.takes(item, facts[item.exercise.pk])])
