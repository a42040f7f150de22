"""What came of a submission, ready for a page; live while it is under way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises import live
from exercises.choices import Lane, Shown, State
from exercises.content.markdown import render_markdown
from exercises.learn.assessments import Assessment, assessment_of, model_answer_of, waits_for_person
from exercises.learn.feedback import CaseView, FeedbackView, HiddenCase, feedback_view, hidden_case_view
from exercises.learn.lesson_page import reachable
from exercises.learn.marks import UNDER_REVIEW, Mark, work_mark
from exercises.learn.panel_parts import Printed, cost_of, judged_cases, printed_text, spoken_summary
from exercises.learn.rows import score_text
from exercises.learn.shown import Labels, labels_of
from exercises.models import Assignment, ExerciseVersion, Grading, Submission, User
from exercises.queries import Encounter, feedback_of, hand_ins_to_hidden_case, may_view_solution, queue_place
from exercises.services.withdrawals import WITHDRAWABLE_LANES
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionPanel:
    """`judged_by` is the version that judged it, where that is another than it was handed in to."""

    id: int
    receipt: str
    mark: Mark
    is_pending: bool
    waiting: str
    spoken: str
    feedback: FeedbackView | None
    withdraw_url: str
    judged_by: int | None = None
    score: str = ""
    is_of_cases: bool = False
    cost: str = ""
    cases: Sequence[CaseView] = ()
    hidden_case: HiddenCase | None = None
    until_hidden_case: str = ""
    printed: Printed | None = None
    explanation: SafeString = SafeString()
    model_answer: SafeString = SafeString()
    assessment: Assessment | None = None
    fault: str = ""
    is_live: bool = False
    is_practice: bool = False
    events_url: str = ""

    @property
    def url(self) -> str:
        """Where the panel is fetched anew."""
        return reverse("learn:submission-panel", args=(self.id,))

    @property
    def page_url(self) -> str:
        """Its own page."""
        return reverse("learn:submission", args=(self.id,))


def submission_panel(submission: Submission, viewer: User, *, met: Encounter | None = None) -> SubmissionPanel:
    """The panel of a submission's grading in force, with what this viewer may see.

    `met` is what is known already of this viewer before the exercise.

    Raises:
        Grading.DoesNotExist: it is not for this viewer.
    """
    grading, met = submission.grading, met or Encounter(viewer, submission.exercise)
    if met.withheld.hides(grading):
        return _withheld_panel(submission, met)
    seen = feedback_of(grading, viewer, met=met)
    version, is_pending = _judging_version(submission, grading), grading.state in (State.QUEUED, State.RUNNING)
    is_live, assessment = is_pending and not waits_for_person(grading), assessment_of(submission, met)
    feedback = feedback_view(seen["feedback"], of_question=not version.is_code) if seen["feedback"] else None
    mark = work_mark(state=grading.state, verdict=grading.verdict)
    labels = labels_of(version.definition, source=submission.source)
    score = score_text(grading.score, grading.max_score)
    waiting = _waiting(submission, seen["cases"]) if is_pending else ""
    return SubmissionPanel(
        id=submission.pk,
        receipt=submission.receipt,
        mark=mark,
        judged_by=version.number if version.pk != submission.version_id else None,
        is_pending=is_pending,
        waiting=waiting,
        score=score,
        is_of_cases=bool(seen["cases"]) and version.is_code and grading.max_score not in (None, version.points),
        cost=cost_of(grading),
        spoken=waiting or spoken_summary(mark, score, feedback),
        feedback=feedback or _state_feedback(grading),
        cases=judged_cases(version, seen["cases"], labels=labels, told=feedback, met=met),
        hidden_case=_hidden_case(labels, seen),
        until_hidden_case=_until_hidden_case(submission, met, seen),
        printed=printed_text(seen["stdout"], is_open=False),
        explanation=_explanation(submission, version, met),
        model_answer=model_answer_of(submission, met) if version.is_reviewed else SafeString(),
        assessment=assessment,
        fault=_fault(grading, seen),
        is_live=is_live,
        is_practice=not submission.is_counted,
        events_url=live.events_url(grading.topic) if is_live else "",
        withdraw_url=_withdraw_url(submission, viewer),
    )


def _judging_version(submission: Submission, grading: Grading) -> ExerciseVersion:
    """Cases, axes and points are those of the version that judged: after a regrade another than was handed in to."""
    return submission.version if grading.version_id == submission.version_id else grading.version


def _withheld_panel(submission: Submission, met: Encounter) -> SubmissionPanel:
    """That it was handed in, and nothing of what was judged."""
    its_own = next((row.assignment for row in met.assignments if row.assignment.pk == submission.assignment_id), None)
    is_its_own = its_own is not None and its_own.pk in met.withheld.assignments
    told = _("An assignment with this exercise does not show outcomes yet.")
    told = _when_shown(its_own) if its_own is not None and is_its_own else told
    return SubmissionPanel(
        id=submission.pk,
        receipt=submission.receipt,
        mark=UNDER_REVIEW,
        is_pending=True,
        waiting=str(UNDER_REVIEW.word),
        spoken=f"{UNDER_REVIEW.word}. {told}",
        feedback=feedback_view({"summary": told}),
        is_practice=not submission.is_counted,
        withdraw_url=_withdraw_url(submission, met.person),
    )


def _when_shown(assignment: Assignment) -> str:
    told = {
        Shown.CLOSED: _("“%(title)s” shows what was judged once it is closed."),
        Shown.RELEASED: _("“%(title)s” shows what was judged once your teachers release it."),
        Shown.NEVER: _("“%(title)s” does not show what was judged."),
    }
    return told[Shown(assignment.outcomes_shown)] % {"title": assignment.title}


def _withdraw_url(submission: Submission, viewer: User) -> str:
    """Where it can be taken back, as long as it waits."""
    grading = submission.grading
    is_waiting = grading.state == State.QUEUED and grading.lane in WITHDRAWABLE_LANES
    is_own = viewer.pk == submission.student_id
    return reverse("learn:withdraw", args=(submission.pk,)) if is_waiting and is_own else ""


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


def _hidden_case(labels: Labels, seen: Mapping[str, Any]) -> HiddenCase | None:
    if not seen["hidden_case"]:
        return None
    # Where a visible case fails, that is the one to look at first.
    is_open = all(case["verdict"] == Verdict.ACCEPTED for case in seen["cases"] if case["visible"])
    return hidden_case_view(seen["hidden_case"], labels=labels, is_open=is_open)


def _until_hidden_case(submission: Submission, met: Encounter, seen: Mapping[str, Any]) -> str:
    """How far away the hidden case is, for a student whom it would help."""
    failed = any(not case["visible"] and case["verdict"] != Verdict.ACCEPTED for case in seen["cases"])
    is_judged = submission.grading.state == State.GRADED
    if seen["hidden_case"] or not failed or not is_judged or met.person.pk != submission.student_id:
        return ""
    left = hand_ins_to_hidden_case(met.person, met.exercise, met=met)
    if not left:
        return ""
    return ngettext(
        "After %(count)d more submission the smallest hidden case that fails is shown here.",
        "After %(count)d more submissions the smallest hidden case that fails is shown here.",
        left,
    ) % {"count": left}


def _state_feedback(grading: Grading) -> FeedbackView | None:
    if grading.state != State.SUPERSEDED:
        return None
    return feedback_view(
        {"summary": _("A newer submission of yours took its place before it was judged. It costs no attempt.")}
    )


def _explanation(submission: Submission, version: ExerciseVersion, met: Encounter) -> SafeString:
    """What the author says to a right one, unless it is the viewer's own and an assignment withholds solutions yet."""
    text = version.definition["exercise"].get("explanation", "")
    if submission.grading.verdict != Verdict.ACCEPTED or not text:
        return SafeString()
    if not may_view_solution(met.person, met.exercise, met=met):
        return SafeString()
    return reachable(render_markdown(text))
