"""Answers that many of these pages give."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from exercises.errors import ExerciseError, InvalidFieldError
from exercises.models import Course, Exercise
from exercises.queries import head_of, latest_check
from exercises.queries.soundness import certificate_of
from exercises.teach.authoring.access import may_change
from exercises.teach.authoring.gate import gate_of
from exercises.teach.authoring.standing import standing


def exercise_page(request: HttpRequest, exercise: Exercise, template: str, **context: Any) -> HttpResponse:
    """One of the pages about an exercise, with its head and how far it is."""
    head = context.pop("head", None) or head_of(exercise)
    check = latest_check(exercise)
    certificate = certificate_of(exercise.pk, head.grading_hash) if head else None
    shared = {
        "course": exercise.course,
        "exercise": exercise,
        "head": head,
        "standing": standing(exercise, head, check=check, certificate=certificate),
        "gate": gate_of(exercise, head, check=check, certificate=certificate),
        "section": "author",
    }
    if "may_change" not in context:
        shared["may_change"] = may_change(request, exercise.course)
    status = context.pop("status", 200)
    return render(request, f"exercises/authoring/{template}", {**shared, **context}, status=status)


def course_page(request: HttpRequest, course: Course, template: str, **context: Any) -> HttpResponse:
    """One of the pages about a course."""
    shared = {"course": course, "may_change": may_change(request, course), "section": "author"}
    status = context.pop("status", 200)
    return render(request, f"exercises/authoring/{template}", {**shared, **context}, status=status)


def form_refused(form: Form, error: ExerciseError) -> Form:
    """The form with what a service said of it, beside the field where it names one."""
    name = error.field if isinstance(error, InvalidFieldError) and error.field in form.fields else None
    form.add_error(name, str(error))
    return form


def back_with(request: HttpRequest, error: ExerciseError, address: str) -> HttpResponse:
    """Back to a page that says why nothing was done."""
    messages.error(request, str(error))
    return redirect(address)
