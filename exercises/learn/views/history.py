"""What was handed in before: two of them compared, and one put into the form again."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.answered import answers_of
from exercises.learn.differing import difference_of, text_of
from exercises.learn.forms import read_number
from exercises.learn.history import HistoryLine, history_of
from exercises.learn.refusals import refusal
from exercises.learn.rows import exercise_url
from exercises.models import Refusal, Submission, User
from exercises.queries import Encounter, best_score_of, submission_for, submissions_of
from exercises.services.restores import restore_refusal, restore_submission

HISTORY = 50


@for_members
@require_GET
def compare(request: HttpRequest, submission_id: int) -> HttpResponse:
    """A submission beside an earlier one of the same student and exercise: the one before, if none is named."""
    viewer = member(request)
    found = submission_for(viewer, submission_id)
    all_of_them = submissions_of(found.student, found.exercise).select_related("version")
    others = list(all_of_them.exclude(pk=found.pk)[:HISTORY])
    named = read_number(request.GET.get("with"))
    other = next((row for row in others if row.pk == named), None) if named is not None else _before(found, others)
    if named is not None and other is None:
        raise Submission.DoesNotExist(f"nothing to compare submission {submission_id} with")
    older, newer = sorted((other, found), key=lambda row: row.pk) if other else (None, found)
    context = {
        "course": found.exercise.course,
        "exercise_url": exercise_url(found.exercise.course, found.exercise),
        "title": found.version.title,
        "found": found,
        "other": other,
        "is_own": found.student_id == viewer.pk,
        "lines": _lines_of(viewer, found, [row for row in (older, newer) if row]),
        "choices": others,
        **(_differing(older, newer) if older else {}),
    }
    return render(request, "exercises/compare.html", context)


@for_members
@require_POST
def restore(request: HttpRequest, submission_id: int) -> HttpResponse:
    student = member(request)
    found = submission_for(student, submission_id)
    try:
        restore_submission(found, student=student)
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:submission", args=(submission_id,)))
    return redirect(exercise_url(found.exercise.course, found.exercise))


@for_members
@require_POST
def restore_refused(request: HttpRequest, refusal_id: int) -> HttpResponse:
    """What was not taken is put into the form again."""
    student = member(request)
    found = Refusal.objects.select_related("exercise__course", "exercise__published").get(
        pk=refusal_id, student=student
    )
    back_url = exercise_url(found.exercise.course, found.exercise)
    try:
        restore_refusal(found, student=student)
    except ExerciseError as error:
        return refusal(request, error, back_url=back_url)
    return redirect(back_url)


def _before(found: Submission, others: list[Submission]) -> Submission | None:
    return next((row for row in others if row.pk < found.pk), others[-1] if others else None)


def _lines_of(viewer: User, found: Submission, shown: list[Submission]) -> list[HistoryLine]:
    is_own, met = found.student_id == viewer.pk, Encounter(viewer, found.exercise)
    best = met.best if is_own else best_score_of(found.student, found.exercise)
    return history_of(shown, best=best, withheld=met.withheld, is_own=is_own).lines


def _differing(older: Submission, newer: Submission) -> dict[str, Any]:
    texts = text_of(older), text_of(newer)
    if texts[0] is None or texts[1] is None:
        return {"answers": [answers_of(older), answers_of(newer)]}
    return {"difference": difference_of(texts[0], texts[1])}
