from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.answered import answers_of, asked_prompt
from exercises.learn.asking import form_about_submission
from exercises.learn.assessments import sent_points
from exercises.learn.comments import comment_views
from exercises.learn.panels import submission_panel as panel_of
from exercises.learn.refusals import refusal
from exercises.learn.rows import exercise_url, submission_rows
from exercises.models import Submission
from exercises.queries import Encounter, submission_for
from exercises.queries.submissions import submission_lines_of

HISTORY = 50


@for_members
@require_GET
def submission(request: HttpRequest, submission_id: int) -> HttpResponse:
    viewer = member(request)
    found = submission_for(viewer, submission_id)
    exercise, is_own, met = found.exercise, found.student_id == viewer.pk, Encounter(viewer, found.exercise)
    context = {
        "course": exercise.course,
        "exercise_url": exercise_url(exercise.course, exercise),
        "title": found.version.title,
        "version": found.version.number,
        "created_at": found.created_at,
        "author": "" if is_own else found.student,
        "is_own": is_own,
        "ask": form_about_submission(met, found),
        "panel": panel_of(found, viewer, met=met),
        "lines": found.source.split("\n") if found.source else [],
        "answers": answers_of(found),
        "is_erased": found.is_erased,
        "asked": "" if found.version.is_code or found.is_erased else asked_prompt(found),
        "comments": [] if met.withheld.hides(found.grading) else comment_views(found, viewer),
        "why_url": _why_url(met, found),
        "history": submission_rows(submission_lines_of(found.student, exercise)[:HISTORY], withheld=met.withheld),
    }
    return render(request, "exercises/submission.html", context)


def _why_url(met: Encounter, found: Submission) -> str:
    """Where staff see why it was judged so; empty for its student."""
    course = found.exercise.course
    return reverse("teach:submission", args=(course.slug, found.pk)) if met.is_staff else ""


@for_members
@require_GET
def submission_panel(request: HttpRequest, submission_id: int) -> HttpResponse:
    viewer = member(request)
    panel = panel_of(submission_for(viewer, submission_id), viewer)
    return render(request, "exercises/_submission_panel.html", {"panel": panel})


@for_members
@require_POST
def assess(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Points for one's own explanation, in a course without staff."""
    student = member(request)
    found = submission_for(student, submission_id)
    try:
        services.assess_own(found, student=student, points=sent_points(request.POST, found))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:submission", args=(submission_id,)))
    return judged(request, submission_id)


@for_members
@require_POST
def withdraw(request: HttpRequest, submission_id: int) -> HttpResponse:
    """Take back a hand-in that waits; where it is too late its panel says how far it is."""
    student = member(request)
    found = submission_for(student, submission_id)
    if found.student_id != student.pk:
        raise Submission.DoesNotExist(f"submission {submission_id} is another's")
    services.withdraw(found, student=student)
    return judged(request, submission_id)


def judged(request: HttpRequest, submission_id: int) -> HttpResponse:
    """The answer to who has just judged a submission, or taken it back: its panel, or its page."""
    if not is_fragment(request):
        return redirect("learn:submission", submission_id)
    viewer = member(request)
    panel = panel_of(submission_for(viewer, submission_id), viewer)
    return render(request, "exercises/_submission_panel.html", {"panel": panel, "takes_focus": True})
