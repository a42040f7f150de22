"""The judging of an explanation by a person: who may do it now, and the form for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString

from exercises.choices import Lane, State
from exercises.content.markdown import render_markdown
from exercises.learn.lesson_page import reachable
from exercises.learn.values import number_text
from exercises.models import Grading, Submission
from exercises.queries import Encounter, may_view_solution
from graders.outcomes import Verdict

POINTS = "points-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A line of the form: `field` is the name of its input, `value` the points it has so far."""

    name: str
    field: str
    most: str
    description: SafeString
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The form of whoever may judge: the author of the text (`is_own`), or staff, who may judge again what `by` did."""

    url: str
    criteria: list[Criterion]
    is_own: bool
    is_again: bool
    by: str


def assessment_of(submission: Submission, met: Encounter) -> Assessment | None:
    """The form for judging this submission; None where who has `met` its exercise has nothing to judge."""
    grading = submission.grading
    if not submission.version.is_reviewed or grading.state == State.SUPERSEDED:
        return None
    course = submission.exercise.course
    is_own = met.person.pk == submission.student_id
    if is_own and (not course.self_paced or grading.state == State.GRADED):
        return None
    if not is_own and not met.is_staff:
        return None
    url = reverse("learn:assess", args=(submission.pk,))
    return Assessment(
        url=url if is_own else reverse("teach:review", args=(course.slug, submission.pk)),
        criteria=_criteria(submission, grading),
        is_own=is_own,
        is_again=grading.state == State.GRADED,
        by=str(grading.reviewer or ""),
    )


def sent_points(sent: QueryDict, submission: Submission) -> dict[str, Any]:
    """The points in the form of an assessment, by criterion; services judge them."""
    rubric = submission.version.definition["exercise"].get("rubric", [])
    return {item["criterion"].strip(): sent.get(f"{POINTS}{number}", "") for number, item in enumerate(rubric)}


def model_answer_of(submission: Submission, met: Encounter) -> SafeString:
    """The author's own explanation, for those who have theirs behind them: nothing while it could be copied."""
    text = submission.version.definition["exercise"].get("model_answer", "")
    is_open = (
        submission.exercise.course.self_paced
        or (submission.grading.verdict == Verdict.ACCEPTED and may_view_solution(met.person, met.exercise, met=met))
        or (met.person.pk != submission.student_id and met.is_staff)
    )
    return reachable(render_markdown(text)) if text and is_open else SafeString()


def waits_for_person(grading: Grading) -> bool:
    """Whether a person has to judge it; nothing is to be watched then."""
    return grading.state == State.QUEUED and grading.lane == Lane.REVIEW


def _criteria(submission: Submission, grading: Grading) -> list[Criterion]:
    given = dict(grading.case_results.values_list("index", "points"))
    rubric = submission.version.definition["exercise"]["rubric"]
    return [_criterion(number, item, given.get(number)) for number, item in enumerate(rubric)]


def _criterion(number: int, item: Mapping[str, Any], given: Any) -> Criterion:
    description = item.get("description", "")
    return Criterion(
        name=item["criterion"],
        field=f"{POINTS}{number}",
        most=number_text(float(item["points"])),
        description=reachable(render_markdown(description)) if description else SafeString(),
        value="" if given is None else number_text(float(given)),
    )
