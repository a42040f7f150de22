"""An exercise: its page, runs of its visible cases, hand-ins, drafts, hints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.choices import RunKind
from exercises.errors import ExerciseError, StaleDraftError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.asking import form_about_exercise
from exercises.learn.assignment_page import terms_shown
from exercises.learn.exercise_page import exercise_page, hint_list, shown_cases, with_draft
from exercises.learn.following import following_exercise
from exercises.learn.forms import is_by_button, sent_draft, sent_hand_in, sent_key, sent_number, sent_source
from exercises.learn.history import history_of
from exercises.learn.panels import submission_panel
from exercises.learn.prose import student_text
from exercises.learn.refusals import refusal
from exercises.learn.refused import own_lines, refused_at
from exercises.learn.rows import best_mark, exercise_url
from exercises.learn.run_panels import run_panel
from exercises.learn.solution_tab import solution_tab
from exercises.models import Draft, Exercise, Submission
from exercises.queries import (
    Encounter,
    attempts_among,
    encounter_for,
    exercise_for,
    exercise_met_by,
    hints_opened,
    is_corrected_since,
    solution_access,
    submissions_of,
)
from exercises.services.drafts import swap_draft as exchange_draft

HISTORY = 50
LONGEST_PREVIEW = 20_000


@for_members
@require_GET
def exercise(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    met = encounter_for(member(request), course, exercise)
    # After an outcome the page fetches the lists around it anew; what was judged and the cases stay as they are.
    context = _context(request, met, asked=request.GET.get("assignment", ""), is_whole=not is_fragment(request))
    return render(request, "exercises/exercise.html", context)


@for_members
@require_POST
def preview(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """What one's explanation will look like; without the script, on the page with all that was written."""
    met = encounter_for(member(request), course, exercise)
    version = met.exercise.published
    if version is None or not version.is_reviewed:
        raise Exercise.DoesNotExist(f"no explanation is asked for in {exercise}")
    written = request.POST.get("response", "")[:LONGEST_PREVIEW]
    shown = {"preview": student_text(written)}
    if is_fragment(request):
        return render(request, "exercises/questions/_preview.html", shown)
    return render(request, "exercises/exercise.html", {**_context(request, met, written=written), **shown})


@for_members
@require_POST
def submit(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    student = member(request)
    found = exercise_met_by(student, course, exercise)
    key, named = sent_key(request), request.POST.get("assignment") or None
    try:
        submission = services.submit(
            student, found, idempotency_key=key, assignment=named, **sent_hand_in(request, found)
        )
    except ExerciseError as error:
        return refusal(request, error, back_url=_back_url(found))
    if not is_fragment(request):
        return redirect("learn:submission", submission.pk)
    # The panel asks for the grading in force again and again.
    prefetch_related_objects([submission], "gradings")
    return render(request, "exercises/_submission_panel.html", {"panel": submission_panel(submission, student)})


@for_members
@require_POST
def run_cases(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    student = member(request)
    found = exercise_met_by(student, course, exercise)
    try:
        run = services.start_run(student, RunKind.CASES, source=sent_source(request), exercise=found)
    except ExerciseError as error:
        return refusal(request, error, back_url=_back_url(found))
    if not is_fragment(request):
        return redirect("learn:run", run.pk)
    return render(request, "exercises/_run_panel.html", {"panel": run_panel(run)})


@for_members
@require_POST
def draft(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    student = member(request)
    found = exercise_met_by(student, course, exercise)
    revision = sent_number(request, "revision")
    if not isinstance(revision, int):
        return JsonResponse({"message": "The revision must be a whole number."}, status=400)
    try:
        saved = services.save_draft(student, found, revision=revision, **sent_draft(request, found))
    except StaleDraftError as error:
        if is_by_button(request):
            return _saved_by_button(request, found, str(error))
        return JsonResponse({**_draft_json(error.draft), "source": error.draft.source}, status=409)
    except ExerciseError as error:
        return JsonResponse({"message": str(error)}, status=400)
    if is_by_button(request):
        return _saved_by_button(request, found, "")
    seen = sent_number(request, "version")
    is_corrected = isinstance(seen, int) and is_corrected_since(found, seen)
    return JsonResponse({**_draft_json(saved), **({"corrected": True} if is_corrected else {})})


@for_members
@require_POST
def swap_draft(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """What was set aside takes the place of what stands, which is set aside for it."""
    student = member(request)
    found = exercise_met_by(student, course, exercise)
    swapped = exchange_draft(student, found)
    if is_fragment(request):
        return JsonResponse(_draft_json(swapped))
    return redirect(_back_url(found))


@for_members
@require_POST
def hint(request: HttpRequest, course: str, exercise: str, number: int) -> HttpResponse:
    student = member(request)
    found = exercise_for(student, course, exercise)
    try:
        services.open_hint(student, found, number=number)
    except ExerciseError as error:
        return refusal(request, error, back_url=exercise_url(found.course, found))
    if not is_fragment(request):
        return redirect(f"{exercise_url(found.course, found)}#hints")
    return render(request, "exercises/_hints.html", {"hints": hint_list(found, hints_opened(student, found))})


def _saved_by_button(request: HttpRequest, found: Exercise, problem: str) -> HttpResponse:
    """Back to the page that was saved without a script, with the assignment that it is within."""
    if problem:
        messages.warning(request, problem)
    else:
        messages.success(request, _("Saved. It is not handed in."))
    named = request.POST.get("assignment", "")
    return redirect(f"{_back_url(found)}?assignment={quote(named)}" if named else _back_url(found))


def _back_url(found: Exercise) -> str:
    """The page of the exercise or, where it is closed, that of its course."""
    if found.published is None or found.is_retired:
        return reverse("learn:course", args=(found.course.slug,))
    return exercise_url(found.course, found)


def _context(
    request: HttpRequest, met: Encounter, *, written: str | None = None, asked: str = "", is_whole: bool = True
) -> dict[str, Any]:
    """What the page of an exercise shows, within the assignment that is `asked` for, if one is.

    `written` is put into the form instead of what was handed in last. If not `is_whole`, cases and outcome are left
    out. What was not taken is shown as far back as the request asks for.
    """
    student, found = met.person, met.exercise
    stretch = refused_at(request, student, found)
    history = list(submissions_of(student, found)[:HISTORY])
    if len(history) < HISTORY:
        met.attempts = attempts_among(history)
    latest = _latest(history, found)
    # An older version may have been of another kind.
    is_same = latest is not None and found.published is not None and latest.version.kind == found.published.kind
    response = written if written is not None else latest.response if latest and is_same else None
    kept = Draft.objects.filter(student=student, exercise=found).first()
    page = exercise_page(met, best=met.best, response=response, terms=terms_shown(met, asked=asked))
    page = with_draft(page, None if written is not None else kept, latest=latest)
    access = solution_access(student, found, met=met)
    if access.has_given_up:
        page = replace(page, best=best_mark(met.best, is_given_up=True))
    return {
        "course": found.course,
        "lesson": None if page.assignment and page.assignment.url else met.lesson,
        "next": None if page.assignment and page.assignment.steps else following_exercise(met),
        "page": page,
        "cases": shown_cases(found.published, met.cases) if is_whole and page.is_code and found.published else [],
        "hints": hint_list(found, met.hints_opened),
        "solution": solution_tab(student, found, access),
        "history": history_of(history, best=met.best, withheld=met.withheld, is_own=True),
        "refused": own_lines(stretch.rows),
        "stretch": stretch,
        "panel": submission_panel(latest, student, met=met) if latest and is_whole else None,
        "ask": form_about_exercise(met, has_submissions=bool(history)),
        "draft": _draft(kept, latest, starter=page.starter) if page.is_code else None,
    }


def _latest(history: list[Submission], found: Exercise) -> Submission | None:
    """The newest of the hand-ins, with what is known already of its exercise and, mostly, of its version."""
    if not history:
        return None
    latest = history[0]
    latest.exercise = found
    if found.published is not None and latest.version_id == found.published_id:
        latest.version = found.published
    return latest


def _draft(kept: Draft | None, latest: Submission | None, *, starter: str) -> dict[str, Any]:
    """What the editor opens with: the draft, else what was handed in last, else the starting code."""
    if kept is not None:
        return {"source": kept.source, "revision": kept.revision, "saved_at": kept.saved_at}
    return {"source": latest.source if latest else starter, "revision": 0, "saved_at": None}


def _draft_json(draft: Draft) -> dict[str, Any]:
    return {"revision": draft.revision, "saved_at": draft.saved_at.isoformat()}
