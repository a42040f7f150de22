"""Questions and reports of a course, for its staff."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.learn.access import for_members, member
from exercises.learn.asking import question_rows
from exercises.queries import question_for, questions_in, taught_courses

SHOWN = 200
FILTERS = {"open": True, "answered": False, "all": None}


@for_members
@require_GET
def questions(request: HttpRequest, course: str) -> HttpResponse:
    found = taught_courses(member(request)).get(slug=course)
    asked_for = request.GET.get("show", "open")
    shown = asked_for if asked_for in FILTERS else "open"
    rows = question_rows(questions_in(found, is_open=FILTERS[shown])[:SHOWN])
    return render(request, "exercises/questions_of_course.html", {"course": found, "rows": rows, "shown": shown})


@for_members
@require_POST
def close(request: HttpRequest, course: str, question_id: int) -> HttpResponse:
    found = question_for(member(request), question_id)
    taught = taught_courses(member(request)).get(slug=course, questions=found)
    services.close_question(found, by=member(request))
    return redirect("teach:questions", taught.slug)
