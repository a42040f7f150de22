"""Events of a student as lines of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.choices import ActivityKind, RefusalReason, RunKind
from exercises.learn.marks import work_mark
from exercises.learn.rows import score_text
from exercises.models import (
    Activity,
    AssignmentStart,
    Exercise,
    Extension,
    Override,
    Refusal,
    Run,
    Submission,
)
from exercises.queries.timeline import Event

ACTS = {
    ActivityKind.HINT_OPENED: "bulb",
    ActivityKind.SOLUTION_VIEWED: "eye",
    ActivityKind.GAVE_UP: "stop",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One event: `what` happened, about which thing, with a page of its own or without; `text` is what was sent."""

    at: datetime
    icon: str
    what: str
    about: str
    url: str = ""
    figure: str = ""
    more: str = ""
    tone: str = ""
    text: str = ""


def lines_of(slug: str, events: Iterable[Event]) -> list[Line]:
    """A line for each event in the course with this slug."""
    return [_LINES[type(event.row)](slug, event) for event in events]


def title_of(exercise: Exercise) -> str:
    """What an exercise is called; its published version must have been fetched."""
    return exercise.published.title if exercise.published else exercise.slug


def _submission(slug: str, event: Event) -> Line:
    row: Submission = event.row
    mark = work_mark(state=row.grading.state, verdict=row.grading.verdict)
    return Line(
        at=event.at,
        icon=mark.icon,
        tone=mark.tone,
        what=_("Handed in: %(outcome)s") % {"outcome": mark.word},
        about=row.version.title,
        url=reverse("teach:submission", args=(slug, row.pk)),
        figure=score_text(row.grading.score, row.grading.max_score),
        more=" · ".join(filter(None, (row.receipt, row.assignment.title if row.assignment else ""))),
    )


def _run(slug: str, event: Event) -> Line:
    row: Run = event.row
    about = row.version.title if row.version else row.lesson.title if row.lesson else ""
    what = _("Ran the visible cases") if row.kind == RunKind.CASES else _("Ran a snippet")
    word = work_mark(state=row.state, verdict=row.verdict).word
    return Line(at=event.at, icon="play", what=what, about=about, more=str(word))


def _activity(slug: str, event: Event) -> Line:
    row: Activity = event.row
    kind = ActivityKind(row.kind)
    number = f" {row.number}" if row.number else ""
    return Line(at=event.at, icon=ACTS[kind], what=f"{kind.label}{number}", about=title_of(row.exercise))


def _refusal(slug: str, event: Event) -> Line:
    row: Refusal = event.row
    what = _("Not taken: %(why)s") % {"why": RefusalReason(row.reason).label}
    return Line(
        at=event.at,
        icon="warn",
        tone="warn",
        what=what,
        about=title_of(row.exercise),
        more=row.assignment.title if row.assignment else "",
        text=row.source if row.response is None else str(row.response),
    )


def _start(slug: str, event: Event) -> Line:
    row: AssignmentStart = event.row
    ended = _("ended by its student") if row.handed_in_at and row.handed_in_at != row.ends_at else ""
    return Line(at=event.at, icon="clock", what=_("Started"), about=row.assignment.title, more=ended)


def _extension(slug: str, event: Event) -> Line:
    row: Extension = event.row
    attempts = ""
    if row.extra_attempts:
        attempts = ngettext("%(n)d more attempt", "%(n)d more attempts", row.extra_attempts) % {"n": row.extra_attempts}
    more = " · ".join(filter(None, (attempts, str(row.granted_by or ""), row.reason)))
    return Line(at=event.at, icon="key", what=_("Granted time or attempts"), about=row.assignment.title, more=more)


def _override(slug: str, event: Event) -> Line:
    row: Override = event.row
    place = row.assignment.title if row.assignment else ""
    withdrawn = _("withdrawn") if row.withdrawn_at else ""
    return Line(
        at=event.at,
        icon="pencil",
        what=_("Score set by hand"),
        about=title_of(row.exercise),
        figure=score_text(row.score, row.max_score),
        more=" · ".join(filter(None, (withdrawn, place, str(row.by or ""), row.reason))),
    )


_LINES: Mapping[type[Any], Callable[[str, Event], Line]] = {
    Submission: _submission,
    Run: _run,
    Activity: _activity,
    Refusal: _refusal,
    AssignmentStart: _start,
    Extension: _extension,
    Override: _override,
}
