"""The solution of an exercise: opened once it is open, or by giving up. Both are recorded, so both are posted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from exercises import services
from exercises.errors import ExerciseError, InvalidFieldError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.refusals import refusal
from exercises.learn.rows import exercise_url
from exercises.learn.solution_tab import solution_tab
from exercises.queries import exercise_for, solution_access


@for_members
@require_POST
def solution(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    student = member(request)
    found = exercise_for(student, course, exercise)
    try:
        services.view_solution(student, found)
    except ExerciseError as error:
        return refusal(request, error, back_url=exercise_url(found.course, found))
    if not is_fragment(request):
        return redirect(f"{exercise_url(found.course, found)}#solution")
    tab = solution_tab(student, found, solution_access(student, found))
    return render(request, "exercises/_solution.html", {"solution": tab})


@for_members
@require_POST
def give_up(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    student = member(request)
    found = exercise_for(student, course, exercise)
    try:
        if request.POST.get("confirmed") != "yes":
            raise InvalidFieldError("confirmed", "To give up, say first that this is what you want.")
        services.give_up(student, found)
    except ExerciseError as error:
        return refusal(request, error, back_url=exercise_url(found.course, found))
    return redirect(f"{exercise_url(found.course, found)}#solution")
