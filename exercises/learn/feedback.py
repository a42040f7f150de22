"""Feedback as it was stored, made ready for a page: words with code in them, facts, inputs and outputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from exercises.content.markdown import render_markdown
from exercises.learn.lesson_page import reachable
from exercises.learn.marks import Mark, verdict_mark
from exercises.learn.values import form_of, number_text, text_of
from graders.outcomes import Stage, Verdict

_CODE = re.compile(r"`([^`\n]+)`")
_WIDE_CHARACTERS = 34
_BUSY_STAGES = {Stage.NAN, Stage.VALUES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """An exception in the student's code; `text` is its traceback, `line` counts from 1 in the student's file."""

    text: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    label: str | Promise
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """An input or an output; `is_wide` ones take the whole line."""

    label: str
    text: str
    is_wide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackView:
    """`is_mistake`: the hint explains a listed mistake that gives the same outputs."""

    summary: SafeString
    hint: SafeString
    is_mistake: bool = False
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
    values: list[Value]
    is_open: bool

    @property
    def has_body(self) -> bool:
        return bool(self.feedback or self.facts or self.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenCase:
    """A hidden case that is shown with all that is known of it."""

    name: str
    feedback: FeedbackView
    facts: list[Fact]
    values: list[Value]
    is_open: bool


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
    summary, hint = feedback.get("summary", ""), feedback.get("hint", "")
    error = _error(details) if feedback.get("stage") == Stage.EXCEPTION else None
    return FeedbackView(
        summary=_authored(summary) if of_question else with_code(summary),
        hint=_authored(hint) if of_question or cause else with_code(hint),
        is_mistake=bool(cause),
        error=error,
    )


def case_views(
    cases: Sequence[Mapping[str, Any]],
    shown: Mapping[str, Mapping[str, Any]],
    *,
    names: Sequence[str],
    told: FeedbackView | None,
    of_question: bool = False,
) -> list[CaseView]:
    """The lines of a panel; `shown` holds the visible cases by name, `names` those of the entry's arguments.

    The first visible case that is not accepted is unfolded. What the panel as a whole has `told` is not said again.
    """
    failed = [number for number, case in enumerate(cases) if case["visible"] and case["verdict"] != Verdict.ACCEPTED]
    views = [
        _case_view(case, shown.get(case["name"]), names, is_open=number in failed[:1], of_question=of_question)
        for number, case in enumerate(cases)
    ]
    return [_without_told(view, told) for view in views] if told else views


def hidden_case_view(kept: Mapping[str, Any], *, names: Sequence[str], is_open: bool) -> HiddenCase:
    """A hidden case as it was kept, its inputs named as the entry's arguments are."""
    feedback = kept["feedback"]
    return HiddenCase(
        name=kept["name"],
        feedback=feedback_view(feedback),
        facts=_facts(feedback.get("details") or {}, feedback.get("stage", "")),
        values=[*inputs_of(kept, names), expected_of(kept), *_got(kept)],
        is_open=is_open,
    )


def inputs_of(shown: Mapping[str, Any], names: Sequence[str]) -> list[Value]:
    """The inputs of a visible case, named as the entry's arguments are."""
    given = [
        (names[number] if number < len(names) else f"#{number + 1}", value)
        for number, value in enumerate(shown["args"])
    ]
    return [_value(name, value) for name, value in [*given, *shown["kwargs"].items()]]


def argument_names(starter: str, entry: str) -> list[str]:
    """The names of the entry's arguments as the starting code has them; only for labels."""
    found = re.search(rf"^def {re.escape(entry)}\(([^()]*)\)", starter, re.MULTILINE) if entry else None
    names = [part.split(":")[0].split("=")[0].strip(" *\n") for part in found[1].split(",")] if found else []
    return [name for name in names if name.isidentifier()]


def expected_of(shown: Mapping[str, Any]) -> Value:
    """The expected output of a visible case."""
    return _value(_("Expected"), shown["expected"])


def _case_view(
    case: Mapping[str, Any],
    shown: Mapping[str, Any] | None,
    names: Sequence[str],
    *,
    is_open: bool,
    of_question: bool,
) -> CaseView:
    feedback = case["feedback"]
    details = (feedback.get("details") or {}) if case["visible"] else {}
    is_accepted = case["verdict"] == Verdict.ACCEPTED
    values = [*inputs_of(shown, names), expected_of(shown)] if shown and case["visible"] else []
    values += _got(details)
    return CaseView(
        name=case["name"],
        visible=case["visible"],
        mark=verdict_mark(case["verdict"]),
        points=f"{number_text(float(case['points']))} / {number_text(float(case['max_points']))}",
        feedback=None
        if is_accepted or not feedback.get("summary")
        else feedback_view(feedback, of_question=of_question),
        facts=_facts(details, feedback.get("stage", "")),
        values=values,
        is_open=is_open,
    )


def _got(told: Mapping[str, Any]) -> list[Value]:
    return [_value(_("Got"), told["actual"])] if "actual" in told else []


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
    return Error(text=details.get("traceback") or message, message=message, line=details.get("line"))


def _value(label: str, value: Any) -> Value:
    text, form = text_of(value), form_of(value)
    longest = max(len(line) for line in text.split("\n"))
    return Value(label=f"{label} · {form}" if form else label, text=text, is_wide=longest > _WIDE_CHARACTERS)


def _facts(details: Mapping[str, Any], stage: str) -> list[Fact]:
    shapes = [(_("Expected"), "expected"), (_("Got"), "actual")] if details.get("expected_dtype") else []
    facts = [
        Fact(label=label, text=f"{details[f'{side}_dtype']} {details[f'{side}_shape']}")
        for label, side in shapes
        if details.get(f"{side}_shape") is not None
    ]
    if stage in _BUSY_STAGES and "wrong" in details:
        facts += _error_facts(details)
    return facts


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
