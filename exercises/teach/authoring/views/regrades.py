"""Regrades: what a corrected version would change, and having it change that."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import live, services
from exercises.choices import RegradeState, Role
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.marks import VERDICTS, Mark
from exercises.learn.rows import score_text
from exercises.learn.values import number_text
from exercises.models import Exercise, Grading, Regrade
from exercises.queries.regrade_changes import RegradeChange, regrade_changes
from exercises.queries.regrades import RegradeProgress, latest_regrade, regrade_due, regrade_progress
from exercises.teach.assistance.sent import role_of
from exercises.teach.authoring.access import course_of_staff, course_to_change, exercise_of, may_change
from exercises.teach.authoring.answers import back_with, exercise_page

STATES = {
    RegradeState.PREVIEW: Mark(word=gettext_lazy("Preview"), icon="clock"),
    RegradeState.APPLYING: Mark(word=gettext_lazy("Taking effect"), icon="play"),
    RegradeState.APPLIED: Mark(word=gettext_lazy("In effect"), icon="check", tone="good"),
    RegradeState.CANCELLED: Mark(word=gettext_lazy("Cancelled"), icon="dash"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """What changes for a student; `tone` is gain, loss or empty where only the verdict changes.

    `url` leads to the submission that makes the difference.
    """

    name: str
    before: str
    after: str
    difference: str
    why: str
    tone: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradePanel:
    id: int
    mark: Mark
    state: str
    version: int
    progress: RegradeProgress
    is_live: bool
    may_apply: bool
    rows: list[ChangeRow]
    gain: int
    lose: int
    same: int
    keeps_better: bool
    spoken: str
    url: str
    events_url: str


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def regrade(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """The newest regrade; a POST begins one."""
    if request.method != "POST":
        taught = course_of_staff(request, course)
        found = exercise_of(taught, exercise)
        shown = {"panel": _panel(found), "due": regrade_due(found), "may_change": role_of(taught) == Role.INSTRUCTOR}
        return exercise_page(request, found, "regrade.html", **shown)
    found = exercise_of(course_to_change(request, course), exercise)
    try:
        services.preview_regrade(found, author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    return redirect(_address(found))


@for_members
@require_GET
def panel(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_of_staff(request, course), exercise)
    shown = _panel(found)
    if shown is None:
        raise Regrade.DoesNotExist(f"{exercise} was never regraded")
    context = {
        "panel": shown,
        "course": found.course,
        "exercise": found,
        "may_change": may_change(request, found.course),
    }
    return render(request, "exercises/authoring/_regrade.html", context)


@for_members
@require_POST
def apply(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_to_change(request, course), exercise)
    try:
        services.apply_regrade_of(_shown(request, found), author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    return redirect(_address(found))


@for_members
@require_POST
def cancel(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = exercise_of(course_to_change(request, course), exercise)
    try:
        services.cancel_regrade(_shown(request, found), author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    messages.success(request, _("Cancelled. Nothing was changed."))
    return redirect(_address(found))


def _shown(request: HttpRequest, exercise: Exercise) -> Regrade:
    """The regrade that the form was about. Raises: Regrade.DoesNotExist."""
    number = request.POST.get("regrade", "")
    pk = int(number) if number.isascii() and number.isdecimal() and len(number) < 18 else 0
    return exercise.regrades.select_related("exercise__course", "version").get(pk=pk)


def _panel(exercise: Exercise) -> RegradePanel | None:
    found = latest_regrade(exercise)
    if found is None:
        return None
    progress, rows = regrade_progress(found), [_row(change) for change in regrade_changes(found)]
    is_live = found.state == RegradeState.APPLYING or (found.state == RegradeState.PREVIEW and not progress.is_judged)
    mark = STATES[RegradeState(found.state)]
    is_open = found.state == RegradeState.PREVIEW
    lose, gain = (sum(row.tone == tone for row in rows) for tone in ("loss", "gain"))
    return RegradePanel(
        id=found.pk,
        mark=mark,
        state=found.state,
        version=found.version.number,
        progress=progress,
        is_live=is_live,
        may_apply=is_open and progress.is_judged,
        rows=rows,
        gain=gain,
        lose=lose,
        same=len(rows) - gain - lose,
        keeps_better=exercise.course.keeps_better_score if is_open else found.keeps_better_score,
        spoken="" if is_live else _("%(gain)d gain, %(lose)d lose.") % {"gain": gain, "lose": lose},
        url=reverse("authoring:regrade-panel", args=(exercise.course.slug, exercise.slug)),
        events_url=live.events_url(found.topic) if is_live else "",
    )


def _row(change: RegradeChange) -> ChangeRow:
    difference = float(change.difference)
    sign = "+" if difference > 0 else "−" if difference < 0 else "±"
    words = " → ".join(_word(verdict) for verdict in (change.verdict_before, change.verdict_after) if verdict)
    case = _(", first in “%(case)s”") % {"case": change.case} if change.case else ""
    return ChangeRow(
        name=str(change.student),
        before=_score(change.before),
        after=_score(change.after),
        difference=f"{sign}{number_text(abs(difference))}",
        why=f"{words}{case}",
        tone="gain" if difference > 0 else "loss" if difference < 0 else "",
        url=reverse("learn:submission", args=(change.decisive.submission_id,)),
    )


def _score(grading: Grading | None) -> str:
    return score_text(grading.score, grading.max_score) if grading else _("none")


def _word(verdict: str) -> str:
    known = {str(name): mark.word for name, mark in VERDICTS.items()}
    return str(known.get(verdict, verdict))


def _address(exercise: Exercise) -> str:
    return reverse("authoring:regrade", args=(exercise.course.slug, exercise.slug))
