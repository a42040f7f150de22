"""Why a submission was judged as it was: all that is known, ready for a page that staff alone see."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from exercises.blobs import unpack
from exercises.choices import State
from exercises.learn.feedback import CaseView, FeedbackView, HiddenCase, case_views, feedback_view
from exercises.learn.marks import Mark, work_mark
from exercises.learn.panel_parts import Printed, cost_of, printed_text
from exercises.learn.rows import score_text
from exercises.learn.shown import labels_of
from exercises.learn.values import number_text
from exercises.models import CaseSet, Grading, Run, Submission
from exercises.queries.receipts import unedited
from exercises.queries.refusal_facts import CaseCount, case_counts
from exercises.teach.assistance.draws import Draws, draws_of, with_kept
from graders.outcomes import Verdict

MOST_LISTED = 40
LONGEST_DETAILS = 6000


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffCase:
    """A case as staff see it; `number` is its place in the judging. `basis` is what the diagnosis rests on, as JSON."""

    number: int
    view: CaseView
    cause: str
    stage: str
    basis: str
    others: str
    draws: list[HiddenCase]


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """`lead` says whose fault it looks like. `has_got` is false where a staff run would tell what hidden cases gave."""

    mark: Mark
    score: str
    cost: str
    lead: str
    feedback: FeedbackView | None
    cases: list[StaffCase]
    printed: Printed | None
    evidence: str
    fault: str
    has_hidden: bool
    has_got: bool


def why_of(submission: Submission, runs: Sequence[Run]) -> Why:
    """What the grading in force says, with nothing left out; for the staff of the course alone.

    `runs` are those of a copy of it by staff.
    """
    grading = submission.grading
    content = unpack(grading.feedback)
    told = content.get("feedback")
    version = grading.version
    is_question = not version.is_code
    shown, draws = _inputs(grading)
    known, has_got = _known_draws(content, draws, unedited(runs, submission))
    hidden = Draws(labels=labels_of(version.definition, source=submission.source), by_index=draws_of(known))
    cases = _cases(content.get("cases") or [], grading, shown=shown, hidden=hidden)
    return Why(
        mark=work_mark(state=grading.state, verdict=grading.verdict),
        score=score_text(grading.score, grading.max_score),
        cost=cost_of(grading),
        lead=lead_of(submission),
        feedback=feedback_view(told, of_question=is_question) if told else None,
        cases=cases,
        printed=printed_text(content.get("stdout", ""), is_open=False),
        evidence=content.get("evidence", ""),
        fault=grading.fault,
        has_hidden=any(not case.view.visible for case in cases),
        has_got=has_got,
    )


def lead_of(submission: Submission) -> str:
    """In a sentence: is it the student, the exercise, or us?"""
    grading, published = submission.grading, submission.exercise.published
    if grading.verdict == Verdict.INTERNAL_ERROR:
        return _("It was us: this could not be judged. The attempt was given back; judge it anew below.")
    if grading.state in (State.QUEUED, State.RUNNING):
        return _("It is not judged yet.")
    if grading.state == State.SUPERSEDED:
        return _("It was never judged: its student took it back, or handed in something newer.")
    if published is not None and published.grading_hash != grading.version.grading_hash:
        numbers = {"old": grading.version.number, "new": published.number}
        return _("The exercise was corrected since: version %(old)d judged it, %(new)d is published.") % numbers
    if grading.verdict == Verdict.ACCEPTED:
        return _("Nothing was refused: it is accepted.")
    return _("What was handed in gave other values than the reference. How the class does with each case tells more.")


def _inputs(grading: Grading) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Visible cases by name, and the draws of hidden ones, as they were kept with the cases."""
    version = grading.version
    found = CaseSet.objects.filter(exercise=version.exercise_id, grading_hash=version.grading_hash)
    visible, hidden = found.values_list("visible", "hidden").first() or ([], None)
    return {case["name"]: case for case in visible}, unpack(hidden) or []


def _known_draws(
    content: Mapping[str, Any], draws: list[dict[str, Any]], run: Run | None
) -> tuple[list[dict[str, Any]], bool]:
    """The draws with what came out, if a staff run of the very same knows; else with that of the smallest one kept."""
    has_hidden = any(not case["visible"] for case in content.get("cases") or [])
    if has_hidden and run is not None and (told := unpack(run.result).get("hidden")):
        return told, True
    return with_kept(draws, content.get("hidden_case")), not has_hidden


def _cases(
    cases: Sequence[Mapping[str, Any]], grading: Grading, *, shown: Mapping[str, Any], hidden: Draws
) -> list[StaffCase]:
    views = case_views(cases, shown, labels=hidden.labels, told=None, of_question=not grading.version.is_code)
    counts = case_counts(grading) if cases else {}
    first = next((number for number, case in enumerate(cases) if case["verdict"] != Verdict.ACCEPTED), None)
    places = _hidden_places(cases)
    return [
        StaffCase(
            number=number,
            view=replace(view, is_open=number == first),
            cause=case["feedback"].get("cause", ""),
            stage=case["feedback"].get("stage", ""),
            basis=_basis(case["feedback"].get("details") or {}),
            others=_others(counts.get(number)),
            draws=hidden.views(places[number], is_open=number == first) if number in places else [],
        )
        for number, (case, view) in enumerate(zip(cases, views, strict=True))
    ]


def _hidden_places(cases: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    """For each hidden case, by its number in the judging, its index among the hidden ones."""
    numbers = [number for number, case in enumerate(cases) if not case["visible"]]
    return {number: index for index, number in enumerate(numbers)}


def _others(count: CaseCount | None) -> str:
    if count is None or count.students < 2:
        return ""
    numbers = {"right": count.right, "students": count.students}
    return _("%(right)d of %(students)d students ever got it right") % numbers


def _basis(details: Mapping[str, Any]) -> str:
    """The details of a diagnosis as JSON, without what is drawn and without what is long."""
    kept = {name: _short(value) for name, value in details.items() if name not in ("map", "actual") and value}
    return json.dumps(kept, indent=1, ensure_ascii=False)[:LONGEST_DETAILS] if kept else ""


def _short(value: Any) -> Any:
    if isinstance(value, list):
        return [_short(item) for item in value[:MOST_LISTED]]
    return {name: _short(item) for name, item in value.items()} if isinstance(value, dict) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    label: str | Promise
    text: str | SafeString


def facts_of(submission: Submission) -> list[Fact]:
    """What it was judged with and on which terms."""
    grading, limits = submission.grading, submission.grading.version.definition["exercise"].get("limits") or {}
    attempt = getattr(submission, "attempt", None)
    facts = [
        (_("Exercise"), _("version %(number)d") % {"number": grading.version.number}),
        (_("torch"), grading.torch_version),
        (_("Runner"), grading.runner_version),
        (_("CPU capability"), grading.cpu_capability),
        (_("Computing time"), _seconds(grading.cpu_seconds, limits.get("cpu_seconds"))),
        (_("Passed in all"), _seconds(grading.wall_seconds, None)),
        (_("Memory"), _megabytes(grading.peak_memory_bytes, limits.get("memory_mb"))),
        (_("Tries"), str(grading.tries) if grading.tries > 1 else ""),
        (_("Assignment"), submission.assignment.title if submission.assignment else ""),
        (_("Counts"), "" if submission.is_counted else _("no: practice")),
        (_("Attempt"), _attempt_words(attempt)),
        (_("Read by"), str(grading.reviewer or "")),
    ]
    return [Fact(label=label, text=text) for label, text in facts if text]


def _attempt_words(attempt: Any) -> str:
    if attempt is None:
        return _("none was charged")
    return _("given back: %(why)s") % {"why": attempt.given_back_because} if attempt.given_back_at else _("charged")


def _seconds(value: float | None, limit: Any) -> str:
    if value is None:
        return ""
    shown = f"{number_text(float(f'{value:.2g}'))} s"
    return _("%(value)s of %(limit)s s") % {"value": shown, "limit": number_text(limit)} if limit else shown


def _megabytes(value: int | None, limit: Any) -> str:
    if not value:
        return ""
    shown = f"{value / (1024 * 1024):.0f} MB"
    return _("%(value)s of %(limit)s MB") % {"value": shown, "limit": number_text(limit)} if limit else shown
