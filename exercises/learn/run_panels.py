"""What came of a run, ready for a page; live while it is under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from exercises import live
from exercises.choices import RunKind, State
from exercises.learn.feedback import CaseView, FeedbackView, feedback_view
from exercises.learn.left import left_picture
from exercises.learn.marks import CANCELLED, FINISHED, Mark, work_mark
from exercises.learn.panel_parts import Printed, cost_of, judged_cases, printed_text, spoken_summary
from exercises.learn.pictures import Picture
from exercises.learn.shared import shared_url
from exercises.learn.shown import labels_of
from exercises.models import Run
from exercises.queries import result_of, run_place
from graders.outcomes import Stage, Verdict

TENSORS_SHOWN_AT_ONCE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPanel:
    id: int
    mark: Mark
    is_pending: bool
    is_cases: bool
    is_silent: bool
    waiting: str
    cost: str
    spoken: str
    feedback: FeedbackView | None
    cases: list[CaseView]
    printed: Printed | None
    value: str
    tensors: list[Picture]
    shows_tensors: bool
    url: str
    events_url: str
    cancel_url: str
    shared_url: str

    @property
    def pictures(self) -> list[Picture]:
        """The tensors that are drawn."""
        return [tensor for tensor in self.tensors if tensor.planes]


def run_panel(run: Run) -> RunPanel:
    """The panel of a run, for the one who started it."""
    result = result_of(run)
    is_pending = run.state in (State.QUEUED, State.RUNNING)
    is_cases = run.kind == RunKind.CASES
    has_run = run.verdict == Verdict.ACCEPTED and not is_cases
    is_cancelled = run.state == State.SUPERSEDED
    mark = CANCELLED if is_cancelled else FINISHED if has_run else work_mark(state=run.state, verdict=run.verdict)
    feedback = _cancelled_feedback() if is_cancelled else _run_feedback(result)
    tensors = [left_picture(summary) for summary in result.get("tensors") or []]
    printed, value = printed_text(result.get("stdout", ""), is_open=True), result.get("value") or ""
    cases = _cases(run, result, feedback)
    return RunPanel(
        id=run.pk,
        mark=mark,
        is_pending=is_pending,
        is_cases=is_cases,
        is_silent=not (is_pending or printed or value or tensors or cases or feedback),
        waiting=_waiting(run) if is_pending else "",
        cost=cost_of(run),
        spoken=spoken_summary(mark, "", feedback),
        feedback=feedback,
        cases=cases,
        printed=printed,
        value=value,
        tensors=tensors,
        shows_tensors=len(tensors) <= TENSORS_SHOWN_AT_ONCE,
        url=reverse("learn:run-panel", args=(run.pk,)),
        events_url=live.events_url(run.topic) if is_pending else "",
        cancel_url=reverse("learn:cancel-run", args=(run.pk,)) if is_pending else "",
        shared_url="" if is_cases or is_pending else shared_url(whole_source(run)),
    )


def whole_source(run: Run) -> str:
    """The code of a free run; of a snippet with those of its lesson that ran before it."""
    if run.lesson is None or run.snippet is None or run.snippet >= len(run.lesson.snippets):
        return run.source
    is_fresh = run.lesson.snippets[run.snippet]["fresh"]
    before = [] if is_fresh else [snippet["source"] for snippet in run.lesson.snippets[: run.snippet]]
    return "\n".join([*before, run.source])


def _cases(run: Run, result: Mapping[str, Any], feedback: FeedbackView | None) -> list[CaseView]:
    if run.version is None:
        return []
    labels = labels_of(run.version.definition, source=run.source)
    return judged_cases(run.version, result.get("cases") or [], labels=labels, told=feedback)


def _waiting(run: Run) -> str:
    place = run_place(run)
    if place is None:
        return _("Running")
    return (
        _("Waiting: next in the queue")
        if place == 1
        else _("Waiting: number %(place)d in the queue") % {"place": place}
    )


def _cancelled_feedback() -> FeedbackView:
    return feedback_view({"summary": _("You cancelled it before it was done.")})


def _run_feedback(result: Mapping[str, Any]) -> FeedbackView | None:
    error = result.get("error")
    # Where cases were run, the first of them tells the error.
    if not error or result.get("cases"):
        return None
    if not error["traceback"] and not error["line"]:
        return feedback_view({"stage": Stage.LIMIT, "summary": error["message"] or error["type"]})
    summary = f"{error['type']}: {error['message']}"
    return feedback_view({"stage": Stage.EXCEPTION, "summary": summary, "details": error})
