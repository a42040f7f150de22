"""What came of a submission or a run, ready for a page; live while it is under way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises import live
from exercises.choices import Lane, RunKind, State
from exercises.content.markdown import render_markdown
from exercises.learn.assessments import Assessment, assessment_of, model_answer_of, waits_for_person
from exercises.learn.feedback import (
    CaseView,
    FeedbackView,
    HiddenCase,
    case_views,
    feedback_view,
    hidden_case_view,
    plain_words,
)
from exercises.learn.left import left_picture
from exercises.learn.lesson_page import reachable
from exercises.learn.marks import FINISHED, Mark, work_mark
from exercises.learn.pictures import Picture
from exercises.learn.rows import score_text
from exercises.learn.shown import labels_of
from exercises.learn.values import number_text
from exercises.models import ExerciseVersion, Grading, Run, Submission, User
from exercises.models.work import Work
from exercises.queries import feedback_of, hand_ins_to_hidden_case, queue_place, result_of, visible_cases
from graders.outcomes import Stage, Verdict

MEBIBYTE = 1024 * 1024
TENSORS_SHOWN_AT_ONCE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What the code printed."""

    text: str
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionPanel:
    id: int
    receipt: str
    mark: Mark
    is_pending: bool
    waiting: str
    score: str
    cost: str
    spoken: str
    feedback: FeedbackView | None
    cases: list[CaseView]
    hidden_case: HiddenCase | None
    until_hidden_case: str
    printed: Printed | None
    explanation: SafeString
    model_answer: SafeString
    assessment: Assessment | None
    fault: str
    is_live: bool
    url: str
    page_url: str
    events_url: str


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

    @property
    def has_pictures(self) -> bool:
        return any(tensor.planes for tensor in self.tensors)


def submission_panel(submission: Submission, viewer: User) -> SubmissionPanel:
    """The panel of a submission's grading in force, with what this viewer may see.

    Raises:
        Grading.DoesNotExist: it is not for this viewer.
    """
    grading = submission.grading
    seen = feedback_of(grading, viewer)
    version, is_pending = submission.version, grading.state in (State.QUEUED, State.RUNNING)
    is_live, assessment = is_pending and not waits_for_person(grading), assessment_of(submission, viewer)
    feedback = feedback_view(seen["feedback"], of_question=not version.is_code) if seen["feedback"] else None
    mark = work_mark(state=grading.state, verdict=grading.verdict)
    score = score_text(grading.score, grading.max_score)
    waiting = _waiting(submission, seen["cases"]) if is_pending else ""
    return SubmissionPanel(
        id=submission.pk,
        receipt=submission.receipt,
        mark=mark,
        is_pending=is_pending,
        waiting=waiting,
        score=score,
        cost=_cost(grading),
        spoken=waiting or _spoken(mark, score, feedback),
        feedback=feedback or _state_feedback(grading),
        cases=_cases(version, seen["cases"], feedback),
        hidden_case=_hidden_case(version, seen),
        until_hidden_case=_until_hidden_case(submission, viewer, seen),
        printed=_printed(seen["stdout"], is_open=False),
        explanation=_explanation(version, grading),
        model_answer=model_answer_of(submission, viewer) if version.is_reviewed else SafeString(),
        assessment=assessment,
        fault=_fault(grading, seen),
        is_live=is_live,
        url=reverse("learn:submission-panel", args=(submission.pk,)),
        page_url=reverse("learn:submission", args=(submission.pk,)),
        events_url=live.events_url(grading.topic) if is_live else "",
    )


def run_panel(run: Run) -> RunPanel:
    """The panel of a run, for the one who started it."""
    result = result_of(run)
    is_pending = run.state in (State.QUEUED, State.RUNNING)
    is_cases = run.kind == RunKind.CASES
    has_run = run.verdict == Verdict.ACCEPTED and not is_cases
    mark = FINISHED if has_run else work_mark(state=run.state, verdict=run.verdict)
    feedback = _run_feedback(result)
    tensors = [left_picture(summary) for summary in result.get("tensors") or []]
    printed, value = _printed(result.get("stdout", ""), is_open=True), result.get("value") or ""
    cases = _cases(run.version, result.get("cases") or [], feedback) if run.version else []
    return RunPanel(
        id=run.pk,
        mark=mark,
        is_pending=is_pending,
        is_cases=is_cases,
        is_silent=not (is_pending or printed or value or tensors or cases or feedback),
        waiting=_("Running") if run.state == State.RUNNING else _("Waiting for a free place"),
        cost=_cost(run),
        spoken=_spoken(mark, "", feedback),
        feedback=feedback,
        cases=cases,
        printed=printed,
        value=value,
        tensors=tensors,
        shows_tensors=len(tensors) <= TENSORS_SHOWN_AT_ONCE,
        url=reverse("learn:run-panel", args=(run.pk,)),
        events_url=live.events_url(run.topic) if is_pending else "",
    )


def _fault(grading: Grading, seen: Mapping[str, Any]) -> str:
    """What staff may know of the run; `evidence` is there for them alone."""
    if "evidence" not in seen:
        return ""
    return "\n".join(part for part in (seen["evidence"], grading.fault) if part)


def _waiting(submission: Submission, cases: Sequence[Any]) -> str:
    if cases:
        return ngettext("Running: %(count)d case judged", "Running: %(count)d cases judged", len(cases)) % {
            "count": len(cases)
        }
    if submission.grading.lane == Lane.REVIEW:
        return _waiting_for_person(submission)
    if submission.grading.lane == Lane.REPLACED:
        return _("Handed in, then replaced by a newer one: judged when nothing else waits")
    place = queue_place(submission)
    if place is None:
        return _("Running")
    if place == 1:
        return _("Handed in: next in the queue")
    return _("Handed in: number %(place)d in the queue") % {"place": place}


def _waiting_for_person(submission: Submission) -> str:
    if submission.exercise.course.self_paced:
        return _("Handed in: compare it with the model answer, then give yourself points")
    return _("Handed in: waits for a teacher to read it")


def _cases(version: ExerciseVersion, cases: Sequence[Mapping[str, Any]], told: FeedbackView | None) -> list[CaseView]:
    if not cases:
        return []
    shown = {case["name"]: case for case in visible_cases(version)}
    return case_views(cases, shown, labels=labels_of(version.definition), told=told, of_question=version.is_reviewed)


def _hidden_case(version: ExerciseVersion, seen: Mapping[str, Any]) -> HiddenCase | None:
    if not seen["hidden_case"]:
        return None
    # Where a visible case fails, that is the one to look at first.
    is_open = all(case["verdict"] == Verdict.ACCEPTED for case in seen["cases"] if case["visible"])
    return hidden_case_view(seen["hidden_case"], labels=labels_of(version.definition), is_open=is_open)


def _until_hidden_case(submission: Submission, viewer: User, seen: Mapping[str, Any]) -> str:
    """How far away the hidden case is, for a student whom it would help."""
    failed = any(not case["visible"] and case["verdict"] != Verdict.ACCEPTED for case in seen["cases"])
    is_judged = submission.grading.state == State.GRADED
    if seen["hidden_case"] or not failed or not is_judged or viewer.pk != submission.student_id:
        return ""
    left = hand_ins_to_hidden_case(viewer, submission.exercise)
    if not left:
        return ""
    return ngettext(
        "After %(count)d more submission the smallest hidden case that fails is shown here.",
        "After %(count)d more submissions the smallest hidden case that fails is shown here.",
        left,
    ) % {"count": left}


def _run_feedback(result: Mapping[str, Any]) -> FeedbackView | None:
    error = result.get("error")
    # Where cases were run, the first of them tells the error.
    if not error or result.get("cases"):
        return None
    if not error["traceback"] and not error["line"]:
        return feedback_view({"stage": Stage.LIMIT, "summary": error["message"] or error["type"]})
    summary = f"{error['type']}: {error['message']}"
    return feedback_view({"stage": Stage.EXCEPTION, "summary": summary, "details": error})


def _state_feedback(grading: Grading) -> FeedbackView | None:
    if grading.state != State.SUPERSEDED:
        return None
    return feedback_view(
        {"summary": _("A newer submission of yours took its place before it was judged. It costs no attempt.")}
    )


def _printed(text: str, *, is_open: bool) -> Printed | None:
    return Printed(text=text, is_open=is_open) if text else None


def _explanation(version: ExerciseVersion, grading: Grading) -> SafeString:
    text = version.definition["exercise"].get("explanation", "")
    if grading.verdict != Verdict.ACCEPTED or not text:
        return SafeString()
    return reachable(render_markdown(text))


def _cost(work: Work) -> str:
    parts = []
    if work.cpu_seconds is not None:
        parts.append(f"{number_text(float(f'{work.cpu_seconds:.2g}'))} s")
    if work.peak_memory_bytes:
        parts.append(f"{work.peak_memory_bytes / MEBIBYTE:.0f} MB")
    return " · ".join(parts)


def _spoken(mark: Mark, score: str, feedback: FeedbackView | None) -> str:
    parts: list[str | Promise] = [mark.word]
    if score:
        parts.append(_("%(score)s points") % {"score": score.replace("/", _("of"))})
    if feedback:
        parts.append(plain_words(feedback.summary))
    return ". ".join(str(part).rstrip(".") for part in parts if part) + "."
