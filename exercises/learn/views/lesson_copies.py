"""A lesson to take along: as a notebook, and set for paper."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET

from exercises.exports.notebook import MEDIA_TYPE, lesson_notebook
from exercises.learn.access import for_members, member
from exercises.learn.exercise_page import exercise_page
from exercises.learn.lesson_page import sections, with_full_links, with_parts
from exercises.learn.rows import exercise_url
from exercises.models import Exercise, Lesson
from exercises.queries import Encounter, lesson_for
from exercises.queries.encounters import attempts_used


@for_members
@require_GET
def notebook(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    found = lesson_for(member(request), course, lesson)
    exercises = {
        exercise.slug: (exercise.published.title, request.build_absolute_uri(exercise_url(found.course, exercise)))
        for exercise in _embedded(found)
        if exercise.published is not None
    }
    text = lesson_notebook(found, address=_address(request, found), exercises=exercises)
    name = f'attachment; filename="{found.slug}.ipynb"'
    return HttpResponse(text, content_type=MEDIA_TYPE, headers={"Content-Disposition": name})


@for_members
@require_GET
def print_view(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    found = lesson_for(member(request), course, lesson)
    exercises = _embedded(found)
    used = attempts_used(member(request), exercises)
    met = [Encounter(member(request), exercise, attempts=used.get(exercise.pk, {})) for exercise in exercises]
    embedded = {here.exercise.slug: _exercise_html(request, here) for here in met}
    address = _address(request, found)
    context = {
        "course": found.course,
        "lesson": found,
        "address": address,
        "sections": sections(found.html),
        "content": with_full_links(with_parts(found.html, actions={}, exercises=embedded), address),
    }
    return render(request, "exercises/lesson_print.html", context)


def _embedded(lesson: Lesson) -> list[Exercise]:
    shown = Exercise.objects.filter(embeddings__lesson=lesson, is_retired=False, published__isnull=False)
    return list(shown.select_related("published", "course").order_by("embeddings__position"))


def _exercise_html(request: HttpRequest, met: Encounter) -> str:
    page = exercise_page(met, best=None)
    address = request.build_absolute_uri(page.url)
    return render_to_string("exercises/_printed_exercise.html", {"page": page, "address": address}, request)


def _address(request: HttpRequest, lesson: Lesson) -> str:
    return request.build_absolute_uri(reverse("learn:lesson", args=(lesson.course.slug, lesson.slug)))
