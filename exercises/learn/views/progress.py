"""One's own progress, history and spaced reviews."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from exercises import queries, services
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.filters import filter_form, read_filter
from exercises.learn.forms import read_number, sent_hand_in
from exercises.learn.panels import submission_panel
from exercises.learn.progress_page import activity, course_section, first_moment_shown, week_sentence
from exercises.learn.refusals import refusal
from exercises.learn.review_page import review_context, review_rows, review_url
from exercises.learn.rows import exercise_url, submission_rows
from exercises.models import Submission, User
from exercises.queries.mastery import attempts_until_solved, days_active, exercise_facts, zone_of
from exercises.queries.own_history import own_history
from exercises.queries.spaced_reviews import review_card, spaced_reviews
from exercises.queries.withheld import own_assignments, withheld_by, withheld_from

HISTORY_PAGE = 50


@for_members
@require_GET
def progress(request: HttpRequest) -> HttpResponse:
    student, now = member(request), timezone.now()
    assignments = own_assignments(student)
    withheld = withheld_by(assignments)
    courses = queries.progress(student, withheld=withheld)
    zone = zone_of(course.course for course in courses)
    facts = exercise_facts(item.exercise for course in courses for item in course.exercises)
    chosen, attempts = read_filter(request.GET, facts.values()), attempts_until_solved(student, withheld=withheld)
    active = days_active(student, since=first_moment_shown(now, zone), zone=zone)
    context = {
        "section": "progress",
        "sentence": week_sentence(courses, now=now),
        "activity": activity(active, now=now, zone=zone),
        "due": len(spaced_reviews(student, at=now, assignments=assignments).due),
        "filter": filter_form(chosen, facts.values()),
        "courses": [course_section(course, facts, attempts, chosen) for course in courses],
    }
    return render(request, "exercises/progress.html", context)


@for_members
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    """All that one handed in, the newest first."""
    student, before = member(request), read_number(request.GET.get("before"))
    found = list(own_history(student, before=before if isinstance(before, int) else None)[: HISTORY_PAGE + 1])
    shown = found[:HISTORY_PAGE]
    context = {
        "section": "progress",
        "entries": _entries(student, shown),
        "is_first": not isinstance(before, int),
        "older": shown[-1].pk if len(found) > HISTORY_PAGE else None,
    }
    return render(request, "exercises/history.html", context)


@for_members
@require_GET
def reviews(request: HttpRequest) -> HttpResponse:
    """What is due to be asked again, and what will be."""
    student, now = member(request), timezone.now()
    found = spaced_reviews(student, at=now)
    context = {
        "section": "progress",
        "due": review_rows(found.due, now=now),
        "later": review_rows(found.later, now=now),
    }
    return render(request, "exercises/reviews.html", context)


@for_members
@require_GET
def review(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """An exercise from memory: with its starting code or an empty form, and without what was handed in before."""
    student = member(request)
    found = queries.exercise_for(student, course, exercise)
    card = review_card(student, found, at=timezone.now())
    return render(request, "exercises/exercise.html", review_context(student, found, card))


@for_members
@require_POST
def submit_review(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    student = member(request)
    found = queries.exercise_for(student, course, exercise)
    review_card(student, found, at=timezone.now())
    key = request.headers.get("Idempotency-Key")
    try:
        submission = services.submit_review(student, found, idempotency_key=key, **sent_hand_in(request, found))
    except ExerciseError as error:
        return refusal(request, error, back_url=review_url(found))
    if not is_fragment(request):
        return redirect("learn:submission", submission.pk)
    return render(request, "exercises/_submission_panel.html", {"panel": submission_panel(submission, student)})


def _entries(student: User, submissions: list[Submission]) -> list[dict[str, Any]]:
    rows = submission_rows(submissions, withheld=withheld_from(student))
    return [
        {
            "row": row,
            "title": submission.version.title,
            "exercise_url": exercise_url(submission.exercise.course, submission.exercise),
            "course": submission.exercise.course.title,
            "is_practice": not submission.is_counted,
        }
        for row, submission in zip(rows, submissions, strict=True)
    ]
