"""Feedback as it was stored, made ready for a page: words with code in them, facts, inputs and outputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import Any

from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from exercises.content.markdown import render_markdown
from exercises.learn.lesson_page import reachable
from exercises.learn.marks import Mark, verdict_mark
from exercises.learn.pictures import Picture
from exercises.learn.shown import Labels, Output, Value, inputs_of, outputs_of, reproduction_of
from exercises.learn.values import number_text
from graders.feedback_on_causes import FOUND_CAUSES, LIKELY_CAUSES
from graders.outcomes import Stage, Verdict

_CODE = re.compile(r"`([^`\n]+)`")
_FRAME = re.compile(r'\s*File "(?:solution|script)\.py", line ([1-9]\d{0,5})\b')
_BUSY_STAGES = {Stage.NAN, Stage.VALUES}


@dataclass(frozen=True, slots=True, kw_only=True)
class TracebackLine:
    """A line of a traceback; `line` is the one of the student's file that it speaks of, from 1, if it names one."""

    text: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """An exception in the student's code: its traceback, and the line where it was raised, from 1 in their file."""

    text: list[TracebackLine]
    message: str
    line: int | None

    @property
    def is_placed(self) -> bool:
        """Whether the traceback names the line by itself."""
        return any(part.line == self.line for part in self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    label: str | Promise
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackView:
    """`is_mistake`: the hint explains a listed mistake that gives the same outputs; `is_cause`: a likely cause."""

    summary: SafeString
    hint: SafeString
    is_mistake: bool = False
    is_cause: bool = False
    error: Error | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """One line of a panel, and what unfolds below it."""

    name: str
    visible: bool
    mark: Mark
    points: str
    feedback: FeedbackView | None
    facts: list[Fact]
    inputs: list[Value]
    outputs: list[Output]
    reproduction: str
    is_open: bool

    @property
    def has_body(self) -> bool:
        return bool(self.feedback or self.facts or self.inputs or self.outputs)

    @property
    def pictures(self) -> list[Picture]:
        """All that is drawn and has numbers to be read as a table."""
        return pictures_in(self.outputs, self.inputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenCase:
    """A hidden case that is shown with all that is known of it."""

    name: str
    feedback: FeedbackView
    facts: list[Fact]
    inputs: list[Value]
    outputs: list[Output]
    reproduction: str
    is_open: bool

    @property
    def pictures(self) -> list[Picture]:
        """All that is drawn and has numbers to be read as a table."""
        return pictures_in(self.outputs, self.inputs)


def pictures_in(outputs: Sequence[Output], inputs: Sequence[Value]) -> list[Picture]:
    """The pictures with drawings among these."""
    found = []
    for output in outputs:
        found += [*(value.picture for value in output.values), output.difference]
    found += [value.picture for value in inputs]
    return [picture for picture in found if picture and picture.planes]


def with_code(text: str) -> SafeString:
    """Plain words in which what stands between backticks is code."""
    pieces = _CODE.split(text)
    marked = [
        format_html("<code>{}</code>", piece) if number % 2 else conditional_escape(piece)
        for number, piece in enumerate(pieces)
    ]
    return mark_safe("".join(marked))  # noqa: S308  (each piece was escaped)


def feedback_view(feedback: Mapping[str, Any], *, of_question: bool = False) -> FeedbackView:
    """Feedback for a page. What an author wrote is Markdown: all of a question's, else a listed mistake's text."""
    details = feedback.get("details") or {}
    cause = feedback.get("cause", "")
    is_mistake = bool(cause) and cause not in FOUND_CAUSES
    summary, hint = feedback.get("summary", ""), feedback.get("hint", "")
    error = _error(details) if feedback.get("stage") == Stage.EXCEPTION else None
    return FeedbackView(
        summary=_authored(summary) if of_question else with_code(summary),
        hint=_authored(hint) if of_question or is_mistake else with_code(hint),
        is_mistake=is_mistake,
        is_cause=cause in LIKELY_CAUSES,
        error=error,
    )


def case_views(
    cases: Sequence[Mapping[str, Any]],
    shown: Mapping[str, Mapping[str, Any]],
    *,
    labels: Labels,
    told: FeedbackView | None,
    of_question: bool = False,
) -> list[CaseView]:
    """The lines of a panel; `shown` holds the visible cases by name.

    The first visible case that is not accepted is unfolded. What the panel as a whole has `told` is not said again.
    """
    failed = [number for number, case in enumerate(cases) if case["visible"] and case["verdict"] != Verdict.ACCEPTED]
    views = [
        _case_view(case, shown.get(case["name"]), labels, is_open=number in failed[:1], of_question=of_question)
        for number, case in enumerate(cases)
    ]
    return [_without_told(view, told) for view in views] if told else views


def hidden_case_view(kept: Mapping[str, Any], *, labels: Labels, is_open: bool) -> HiddenCase:
    """A hidden case as it was kept, its inputs named as the entry's arguments are."""
    feedback = kept["feedback"]
    details, stage = feedback.get("details") or {}, feedback.get("stage", "")
    told = feedback_view(feedback)
    outputs = outputs_of(kept, details, labels=labels, stage=stage, summary=plain_words(told.summary))
    return HiddenCase(
        name=kept["name"],
        feedback=told,
        facts=_facts(details, stage),
        inputs=inputs_of(kept, labels),
        outputs=outputs,
        reproduction=reproduction_of(kept, labels),
        is_open=is_open,
    )


def plain_words(text: str) -> str:
    """The words of a piece of HTML."""
    return unescape(strip_tags(text)).strip()


def _case_view(
    case: Mapping[str, Any],
    shown: Mapping[str, Any] | None,
    labels: Labels,
    *,
    is_open: bool,
    of_question: bool,
) -> CaseView:
    feedback, is_visible = case["feedback"], case["visible"]
    details = (feedback.get("details") or {}) if is_visible else {}
    is_accepted = case["verdict"] == Verdict.ACCEPTED
    told = None if is_accepted or not feedback.get("summary") else feedback_view(feedback, of_question=of_question)
    stage = "" if is_accepted else feedback.get("stage", "")
    known = {**(shown if shown and is_visible else {}), **details}
    outputs = outputs_of(known, details, labels=labels, stage=stage, summary=plain_words(told.summary) if told else "")
    return CaseView(
        name=case["name"],
        visible=is_visible,
        mark=verdict_mark(case["verdict"]),
        points=f"{number_text(float(case['points']))} / {number_text(float(case['max_points']))}",
        feedback=told,
        facts=_facts(details, feedback.get("stage", "")),
        inputs=inputs_of(shown, labels) if shown and is_visible else [],
        outputs=outputs,
        reproduction=reproduction_of(shown, labels) if shown and is_visible else "",
        is_open=is_open,
    )


def _without_told(view: CaseView, told: FeedbackView) -> CaseView:
    feedback = view.feedback
    if feedback is None:
        return view
    summary = SafeString() if feedback.summary == told.summary else feedback.summary
    hint = SafeString() if feedback.hint == told.hint else feedback.hint
    left = replace(feedback, summary=summary, hint=hint) if summary or hint or feedback.error else None
    return replace(view, feedback=left)


def _authored(text: str) -> SafeString:
    return reachable(render_markdown(text)) if text else SafeString()


def _error(details: Mapping[str, Any]) -> Error | None:
    if not details.get("type"):
        return None
    message = f"{details['type']}: {details.get('message', '')}"
    text = details.get("traceback") or message
    return Error(text=_traceback_lines(text), message=message, line=details.get("line"))


def _traceback_lines(text: str) -> list[TracebackLine]:
    """Only frames of the student's own file are in it; of another name are files that came with the exercise."""
    named = ((line, _FRAME.match(line)) for line in text.split("\n"))
    return [TracebackLine(text=line, line=int(found[1]) if found else None) for line, found in named]


def _facts(details: Mapping[str, Any], stage: str) -> list[Fact]:
    facts = _form_facts(details) if details.get("expected_dtype") else []
    if stage in _BUSY_STAGES and "wrong" in details:
        facts += _error_facts(details)
    return facts


def _form_facts(details: Mapping[str, Any]) -> list[Fact]:
    """Dtype and shape of both sides; once where they agree."""
    expected, actual = (
        None if details.get(f"{side}_shape") is None else f"{details[f'{side}_dtype']} {details[f'{side}_shape']}"
        for side in ("expected", "actual")
    )
    if expected == actual and expected is not None:
        return [Fact(label=_("Form"), text=expected)]
    named = ((_("Expected"), expected), (_("Got"), actual))
    return [Fact(label=label, text=text) for label, text in named if text is not None]


def _error_facts(details: Mapping[str, Any]) -> list[Fact]:
    facts = [Fact(label=_("Differ"), text=f"{details['wrong']} / {details['total']}")]
    worst = details.get("worst")
    if worst:
        place = f"[{', '.join(str(part) for part in worst['index'])}]: " if worst["index"] else ""
        instead = _("%(actual)s instead of %(expected)s") % worst
        facts.append(Fact(label=_("Worst"), text=place + instead))
    largest = [(_("Largest error"), "max_absolute_error"), (_("Largest relative error"), "max_relative_error")]
    facts += [
        Fact(label=label, text=number_text(details[name])) for label, name in largest if details.get(name) is not None
    ]
    return facts
