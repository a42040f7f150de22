"""What a staff run gave: every case, hidden ones with what was put in, expected and got."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.urls import reverse

from exercises import live
from exercises.blobs import unpack
from exercises.choices import State
from exercises.learn.feedback import CaseView, FeedbackView, HiddenCase, case_views, feedback_view
from exercises.learn.marks import Mark, work_mark
from exercises.learn.panel_parts import Printed, cost_of, printed_text
from exercises.learn.rows import score_text
from exercises.learn.shown import labels_of
from exercises.models import Run
from exercises.queries import run_place, visible_cases
from exercises.teach.assistance.draws import Draws, draws_of
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCase:
    view: CaseView
    draws: list[HiddenCase]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRunPanel:
    id: int
    mark: Mark
    is_pending: bool
    place: int | None
    score: str
    cost: str
    feedback: FeedbackView | None
    cases: list[RunCase]
    printed: Printed | None
    evidence: str
    url: str
    events_url: str


def staff_run_panel(run: Run) -> StaffRunPanel:
    """The panel of a staff run; for the staff of the course alone."""
    result = unpack(run.result)
    is_pending = run.state in (State.QUEUED, State.RUNNING)
    told = result.get("feedback")
    version = run.version
    assert version is not None
    return StaffRunPanel(
        id=run.pk,
        mark=work_mark(state=run.state, verdict=run.verdict),
        is_pending=is_pending,
        place=run_place(run) if is_pending else None,
        score=score_text(result.get("score"), result.get("max_score")),
        cost=cost_of(run),
        feedback=feedback_view(told) if told else None,
        cases=_cases(run, result),
        printed=printed_text(result.get("stdout", ""), is_open=False),
        evidence="\n".join(filter(None, (result.get("evidence", ""), run.fault))),
        url=reverse("teach:staff-run", args=(version.exercise.course.slug, run.pk)),
        events_url=live.events_url(run.topic) if is_pending else "",
    )


def _cases(run: Run, result: dict[str, object]) -> list[RunCase]:
    cases = result.get("cases") or []
    version = run.version
    assert version is not None
    assert isinstance(cases, list)
    if not cases:
        return []
    labels = labels_of(version.definition, source=run.source)
    shown = {case["name"]: case for case in visible_cases(version)}
    views = case_views(cases, shown, labels=labels, told=None)
    hidden = result.get("hidden") or []
    assert isinstance(hidden, list)
    draws, first = Draws(labels=labels, by_index=draws_of(hidden)), _first_wrong(cases)
    places = [number for number, case in enumerate(cases) if not case["visible"]]
    return [
        RunCase(
            view=replace(view, is_open=number == first),
            draws=draws.views(places.index(number), is_open=number == first) if number in places else [],
        )
        for number, view in enumerate(views)
    ]


def _first_wrong(cases: list[dict[str, object]]) -> int | None:
    return next((number for number, case in enumerate(cases) if case["verdict"] != Verdict.ACCEPTED), None)
