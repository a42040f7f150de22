"""What panels of submissions and of runs have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from exercises.learn.feedback import CaseView, FeedbackView, case_views, plain_words
from exercises.learn.marks import Mark
from exercises.learn.shown import Labels
from exercises.learn.values import number_text
from exercises.models import ExerciseVersion
from exercises.models.work import Work
from exercises.queries import Encounter, visible_cases

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What the code printed."""

    text: str
    is_open: bool


def judged_cases(
    version: ExerciseVersion,
    cases: Sequence[Mapping[str, Any]],
    *,
    labels: Labels,
    told: FeedbackView | None,
    met: Encounter | None = None,
) -> list[CaseView]:
    """The lines of the cases that were judged; what the panel has `told` already is not said again.

    `met` is what is known of the exercise already, where it is that of a submission.
    """
    if not cases:
        return []
    is_known = met is not None and met.exercise.published_id == version.pk
    shown = {case["name"]: case for case in (met.cases if met and is_known else visible_cases(version))}
    return case_views(cases, shown, labels=labels, told=told, of_question=version.is_reviewed)


def printed_text(text: str, *, is_open: bool) -> Printed | None:
    """What was printed, if anything was."""
    return Printed(text=text, is_open=is_open) if text else None


def cost_of(work: Work) -> str:
    """Computing time and memory in words, as far as they were measured."""
    parts = []
    if work.cpu_seconds is not None:
        parts.append(f"{number_text(float(f'{work.cpu_seconds:.2g}'))} s")
    if work.peak_memory_bytes:
        parts.append(f"{work.peak_memory_bytes / MEBIBYTE:.0f} MB")
    return " · ".join(parts)


def spoken_summary(mark: Mark, score: str, feedback: FeedbackView | None) -> str:
    """The outcome in a breath, for who hears the page."""
    parts: list[str | Promise] = [mark.word]
    if score:
        parts.append(_("%(score)s points") % {"score": score.replace("/", _("of"))})
    if feedback:
        parts.append(plain_words(feedback.summary))
    return ". ".join(str(part).rstrip(".") for part in parts if part) + "."
