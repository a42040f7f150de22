from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from exercises.choices import Kind
from exercises.content.markdown import render_markdown
from exercises.learn.access import for_members, member
from exercises.learn.panels import submission_panel as panel_of
from exercises.learn.rows import exercise_url, submission_rows
from exercises.models import Submission
from exercises.queries import response_form, submission_for, submissions_of

HISTORY = 50


@for_members
@require_GET
def submission(request: HttpRequest, submission_id: int) -> HttpResponse:
    viewer = member(request)
    found = submission_for(viewer, submission_id)
    exercise, is_own = found.exercise, found.student_id == viewer.pk
    context = {
        "course": exercise.course,
        "exercise_url": exercise_url(exercise.course, exercise),
        "title": found.version.title,
        "version": found.version.number,
        "created_at": found.created_at,
        "author": "" if is_own else found.student,
        "is_own": is_own,
        "panel": panel_of(found, viewer),
        "lines": found.source.split("\n") if found.source else [],
        "answers": _answers(found),
        "history": submission_rows(submissions_of(found.student, exercise)[:HISTORY]),
    }
    return render(request, "exercises/submission.html", context)


@for_members
@require_GET
def submission_panel(request: HttpRequest, submission_id: int) -> HttpResponse:
    viewer = member(request)
    panel = panel_of(submission_for(viewer, submission_id), viewer)
    return render(request, "exercises/_submission_panel.html", {"panel": panel})


def _answers(submission: Submission) -> list[SafeString | str]:
    """What was answered, in words: the texts of the chosen options, or the number."""
    response: Any = submission.response
    if response is None:
        return []
    chosen = response if isinstance(response, list) else [response]
    if submission.version.kind != Kind.CHOICE:
        return [str(item) for item in chosen]
    # Ids of options follow from their texts, so those of an older version are found if the text is still there.
    options = response_form(submission.student, submission.exercise).get("options", [])
    texts = {option["id"]: SafeString(render_markdown(option["text"])) for option in options}
    return [texts.get(item, str(item)) for item in chosen]
