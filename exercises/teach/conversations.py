"""Questions and reports of a course, for its staff."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.choices import Role
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.asking import question_rows
from exercises.learn.stretches import stretch_of
from exercises.models import Course
from exercises.queries import question_for, questions_in, shown_exercises, taught_courses
from exercises.services.announcements import announce
from exercises.teach.assistance.forms import AnnouncementForm
from exercises.teach.assistance.sent import id_in, role_of
from exercises.teach.assistance.timeline import title_of
from exercises.teach.authoring.access import course_to_change
from exercises.teach.authoring.answers import form_refused

BAD_REQUEST = 400
SHOWN = 100
FILTERS = {"open": True, "answered": False, "all": None}


@for_members
@require_GET
def questions(request: HttpRequest, course: str) -> HttpResponse:
    found = taught_courses(member(request)).get(slug=course)
    asked_for = request.GET.get("show", "open")
    shown = asked_for if asked_for in FILTERS else "open"
    is_open = FILTERS[shown]
    # Whoever has waited longest comes first.
    stretch = stretch_of(request, questions_in(found, is_open=is_open), size=SHOWN, oldest_first=bool(is_open))
    context = {
        "course": found,
        "rows": question_rows(stretch.rows),
        "stretch": stretch,
        "shown": shown,
        "may_change": role_of(found) == Role.INSTRUCTOR,
    }
    return render(request, "exercises/questions_of_course.html", context)


@for_members
@require_POST
def close(request: HttpRequest, course: str, question_id: int) -> HttpResponse:
    found = question_for(member(request), question_id)
    taught = taught_courses(member(request)).get(slug=course, questions=found)
    services.close_question(found, by=member(request))
    return redirect("teach:questions", taught.slug)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def announcement(request: HttpRequest, course: str) -> HttpResponse:
    """A word to everyone in the course; begun from a question it names the exercise that it was about."""
    found = course_to_change(request, course)
    exercises = [(row.slug, title_of(row)) for row in shown_exercises().filter(course=found)]
    sent = request.POST if request.method == "POST" else None
    form = AnnouncementForm(exercises, sent, initial={"exercise": _asked_about(request, found)})
    if form.is_valid():
        slug = form.cleaned_data["exercise"]
        exercise = found.exercises.get(slug=slug) if slug else None
        try:
            number = announce(found, author=member(request), text=form.cleaned_data["text"], exercise=exercise)
        except ExerciseError as error:
            form_refused(form, error)
        else:
            told = ngettext("Told to %(n)d person.", "Told to %(n)d people.", number) % {"n": number}
            messages.success(request, told)
            return redirect("teach:questions", course)
    context = {"course": found, "form": form}
    return render(request, "exercises/assistance/announce.html", context, status=BAD_REQUEST if form.errors else 200)


def _asked_about(request: HttpRequest, course: Course) -> str:
    """The exercise of the question that the address names."""
    question = course.questions.filter(pk=id_in(request.GET.get("question"))).select_related("exercise").first()
    return question.exercise.slug if question is not None and question.exercise is not None else ""
