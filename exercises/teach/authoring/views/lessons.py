"""Lessons: written, looked at, moved, put away."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from exercises import services
from exercises.content import ContentError, Problem
from exercises.content.markdown import ASSETS_URL, render_lesson, split_front_matter
from exercises.content.yamlwriting import write_yaml
from exercises.errors import ExerciseError, StaleLessonError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.lesson_page import with_parts
from exercises.models import Course, Lesson
from exercises.services.lessons import lesson_digest, read_written_lesson
from exercises.teach.authoring.access import course_of_staff, course_to_change
from exercises.teach.authoring.answers import course_page, form_refused
from exercises.teach.authoring.forms import NewLessonForm

BAD_REQUEST, CONFLICT = 400, 409
BEGINNING = """---
{matter}---

## What it is about

Say in a sentence what the reader can do afterwards.

```python run
import torch

x = torch.arange(6.0).reshape(2, 3)
print(x.sum(dim=-1))
```

```output
tensor([ 3., 12.])
```
"""


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def new_lesson(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    form = NewLessonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        title = form.cleaned_data["title"]
        source = BEGINNING.format(matter=write_yaml({"title": title, "summary": ""}))
        try:
            made = services.create_lesson(found, form.cleaned_data["slug"], source=source, author=member(request))
        except ExerciseError as error:
            form_refused(form, error)
        else:
            return redirect("authoring:lesson", found.slug, made.slug)
    return course_page(request, found, "new_lesson.html", form=form, status=BAD_REQUEST if form.errors else 200)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    """The editor of a lesson; what is saved is what students read from then on."""
    if request.method != "POST":
        found = _lesson(course_of_staff(request, course), lesson)
        return _page(request, found, found.source)
    found = _lesson(course_to_change(request, course), lesson)
    source = _sent(request, found)
    try:
        services.save_lesson(found, source=source, seen=request.POST.get("seen", ""), author=member(request))
    except ContentError as error:
        return _refused(request, found, source, problems=error.problems)
    except StaleLessonError as error:
        found.refresh_from_db()
        return _refused(request, found, source, message=str(error), status=CONFLICT)
    if is_fragment(request):
        found.refresh_from_db()
        return JsonResponse({"seen": lesson_digest(found.source), "problems": []})
    messages.success(request, _("Saved: students read this now."))
    return redirect(_address(found))


@for_members
@require_POST
def preview(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    found = _lesson(course_of_staff(request, course), lesson)
    source = _sent(request, found)
    problems = [_problem(problem) for problem in _problems(found, source)]
    return JsonResponse({"problems": problems, "html": _html(found.course, source)})


@for_members
@require_POST
def move(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    found = _lesson(course_to_change(request, course), lesson)
    services.move_lesson(found, by=-1 if request.POST.get("to") == "before" else 1, author=member(request))
    return redirect(f"{reverse('authoring:course', args=(course,))}#lessons")


@for_members
@require_POST
def retire(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    found = _lesson(course_to_change(request, course), lesson)
    services.retire_lesson(found, author=member(request))
    messages.success(request, _("Put away. A new lesson with the same address takes its place again."))
    return redirect("authoring:course", course)


def _lesson(course: Course, slug: str) -> Lesson:
    return course.lessons.select_related("course").get(slug=slug, is_retired=False)


def _page(request: HttpRequest, lesson: Lesson, source: str, **context: Any) -> HttpResponse:
    problems = context.pop("problems", None)
    found = _problems(lesson, source) if problems is None else problems
    return course_page(
        request,
        lesson.course,
        "lesson.html",
        lesson=lesson,
        source=source,
        seen=lesson_digest(lesson.source),
        problems=[_problem(problem) for problem in found],
        preview=_html(lesson.course, source),
        **context,
    )


def _refused(
    request: HttpRequest,
    lesson: Lesson,
    source: str,
    *,
    problems: list[Problem] | None = None,
    message: str = "",
    status: int = BAD_REQUEST,
) -> HttpResponse:
    told = message or _("Not saved: there are problems in the text. Students still read the last version.")
    if is_fragment(request):
        found = [_problem(problem) for problem in problems or []]
        return JsonResponse({"message": told, "problems": found}, status=status)
    theirs = lesson.source if status == CONFLICT else ""
    return _page(request, lesson, source, problems=problems, refusal=told, theirs=theirs, status=status)


def _sent(request: HttpRequest, lesson: Lesson) -> str:
    """The text with the line ends that stood there, where nothing else was changed."""
    typed = request.POST.get("source", "").replace("\r\n", "\n")
    return lesson.source if lesson.source.replace("\r\n", "\n") == typed else typed


def _problems(lesson: Lesson, source: str) -> list[Problem]:
    try:
        read_written_lesson(lesson.course, lesson.slug, source)
    except ContentError as error:
        return error.problems
    return []


def _problem(problem: Problem) -> dict[str, Any]:
    return {"line": problem.line, "message": problem.message, "text": str(problem)}


def _html(course: Course, source: str) -> SafeString:
    rendered = render_lesson(split_front_matter(source.replace("\r\n", "\n"))[1])
    place = reverse("learn:asset", args=(course.slug, "x")).removesuffix("x")
    html = rendered.html.replace(f'src="{ASSETS_URL}', f'src="{place}')
    return with_parts(html, actions={}, exercises=_exercise_places(course, [slug for slug, _line in rendered.embedded]))


def _exercise_places(course: Course, slugs: list[str]) -> dict[str, str]:
    """By slug: what stands in the place of an exercise while its lesson is written."""
    found = course.exercises.filter(slug__in=slugs, is_retired=False).select_related("published")
    template = "exercises/authoring/_exercise_place.html"
    return {row.slug: render_to_string(template, {"course": course, "exercise": row}) for row in found}


def _address(lesson: Lesson) -> str:
    return reverse("authoring:lesson", args=(lesson.course.slug, lesson.slug))
