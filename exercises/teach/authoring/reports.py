"""What a check found, ready for a page; live while it is under way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exercises import live
from exercises.choices import State
from exercises.learn.feedback import with_code
from exercises.learn.marks import Mark
from exercises.models import Check, Exercise, Revision
from exercises.teach.authoring.diffs import DiffLine, diff_lines
from exercises.teach.authoring.sources import anchor_of

NAMES = {
    "schema": gettext_lazy("Files and fields"),
    "texts": gettext_lazy("Texts"),
    "key": gettext_lazy("Key"),
    "cases": gettext_lazy("Cases"),
    "reference": gettext_lazy("Reference"),
    "noise": gettext_lazy("Numerical noise"),
    "straw men": gettext_lazy("Straw men"),
    "mistakes": gettext_lazy("Known mistakes"),
    "mutants": gettext_lazy("Small changes of the reference"),
}
FINE = Mark(word=gettext_lazy("fine"), icon="check", tone="good")
REMARK = Mark(word=gettext_lazy("remark"), icon="note", tone="warn")
PROBLEM = Mark(word=gettext_lazy("problem"), icon="cross", tone="bad")


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingLine:
    """`url` leads to the line in the editor."""

    mark: Mark
    message: SafeString
    place: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """One of the things that are checked, with what was found."""

    name: str
    mark: Mark
    fact: str
    findings: list[FindingLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A mutant that no case refuses; `code` is a case that would, where one was found."""

    number: int
    title: str
    lines: list[DiffLine]
    change: str
    code: str
    seen: SafeString
    is_taken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMutant:
    title: str
    lines: list[DiffLine]
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    score: str
    required: str
    is_enough: bool
    counts: str
    survivors: list[Survivor]
    equivalent: list[OtherMutant]
    killed: list[OtherMutant]
    broken: list[OtherMutant]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPanel:
    """`is_stale`: the exercise was saved again since."""

    id: int
    revision: int
    is_pending: bool
    is_stale: bool
    mark: Mark
    waiting: str
    tried: int
    mutants: int
    lines: list[CheckLine]
    mutation: Mutation | None
    seconds: str
    fault: str
    spoken: str
    url: str
    events_url: str


def report_panel(exercise: Exercise, check: Check, head: Revision | None) -> ReportPanel:
    """The panel of a check: what was found so far, or the report."""
    told: Mapping[str, Any] = check.report or check.progress or {}
    editor = reverse("authoring:exercise", args=(exercise.course.slug, exercise.slug))
    mark = _mark(check)
    mutation = told.get("mutation")
    cases = str(head.files.get("cases.py", "")) if head else ""
    return ReportPanel(
        id=check.pk,
        revision=check.revision.number,
        is_pending=check.is_open,
        is_stale=head is not None and head.pk != check.revision_id,
        mark=mark,
        waiting=_waiting(check, told),
        tried=told.get("tried") or 0,
        mutants=told.get("mutants") or 0,
        lines=_lines(told, editor),
        mutation=_mutation(mutation, cases) if mutation else None,
        seconds=f"{told['seconds']:.1f} s" if "seconds" in told else "",
        fault=check.fault if check.state == State.FAILED else "",
        spoken="" if check.is_open else f"{mark.word}.",
        url=reverse("authoring:check-panel", args=(exercise.course.slug, exercise.slug)),
        events_url=live.events_url(check.topic) if check.is_open else "",
    )


def _mark(check: Check) -> Mark:
    if check.is_open:
        return Mark(word=_("Checking"), icon="play")
    if check.state == State.FAILED:
        return Mark(word=_("We could not check this: our fault"), icon="wrench", tone="ours")
    if check.is_sound:
        return Mark(word=_("Sound: it may be published"), icon="check", tone="good")
    return Mark(word=_("Not sound yet"), icon="cross", tone="bad")


def _waiting(check: Check, told: Mapping[str, Any]) -> str:
    if check.state == State.QUEUED:
        return _("Waiting for a free place")
    doing = str(told.get("doing", ""))
    return _("Checking: %(doing)s") % {"doing": doing} if doing else _("Checking")


def _lines(told: Mapping[str, Any], editor: str) -> list[CheckLine]:
    """The checks made, in order, and after them findings of those that are not among them."""
    done = [str(name) for name in told.get("checks") or told.get("done") or []]
    findings: Sequence[Mapping[str, Any]] = told.get("findings") or []
    names = list(dict.fromkeys([*done, *(str(item["check"]) for item in findings)]))
    facts = told.get("facts") or {}
    lines = []
    for name in names:
        found = [_finding(item, editor) for item in findings if item["check"] == name]
        worst = PROBLEM if any(line.mark is PROBLEM for line in found) else REMARK if found else FINE
        lines.append(
            CheckLine(name=str(NAMES.get(name, name)), mark=worst, fact=str(facts.get(name, "")), findings=found)
        )
    return lines


def _finding(item: Mapping[str, Any], editor: str) -> FindingLine:
    file, line = item.get("file") or "", item.get("line")
    place = _("%(file)s, line %(line)d") % {"file": file, "line": line} if file and line else file
    query = f"?line={line}" if line else ""
    return FindingLine(
        mark=REMARK if item["level"] == "remark" else PROBLEM,
        message=with_code(item["message"]),
        place=place,
        url=f"{editor}{query}#{anchor_of(file)}" if file else "",
    )


def _mutation(told: Mapping[str, Any], cases: str) -> Mutation:
    mutants = list(enumerate(told["mutants"]))
    counts = [
        _("%(count)d refused") % {"count": told["killed"]},
        _("%(count)d accepted") % {"count": told["survived"]},
        _("%(count)d said to be the same") % {"count": told["equivalent"]},
        _("%(count)d without any value") % {"count": told["broken"]},
    ]
    return Mutation(
        score=f"{told['score']:.2f}",
        required=f"{told['required']:g}",
        is_enough=told["score"] >= told["required"],
        counts=", ".join(counts),
        survivors=[_survivor(number, item, cases) for number, item in mutants if item["fate"] == "survived"],
        equivalent=[_other(item, item["reason"]) for _number, item in mutants if item["fate"] == "equivalent"],
        killed=[_other(item, _by(item)) for _number, item in mutants if item["fate"] == "killed"],
        broken=[_other(item, "") for _number, item in mutants if item["fate"] == "broken"],
    )


def _survivor(number: int, item: Mapping[str, Any], cases: str) -> Survivor:
    offer = item.get("offer") or {}
    code = offer.get("code", "")
    return Survivor(
        number=number,
        title=_title(item),
        lines=_changed_lines(item),
        change=item["change"],
        code=code,
        seen=with_code(offer.get("seen", "")),
        is_taken=bool(code) and _values(code) in _values(cases),
    )


def _values(code: str) -> str:
    """What tells a case from others: its inputs, wherever it is indented and whatever it is called."""
    plain = "".join(code.split())
    return plain.partition('"args":')[2].removesuffix(",") if plain.startswith('{"name":') else plain


def _other(item: Mapping[str, Any], note: str) -> OtherMutant:
    return OtherMutant(title=_title(item), lines=_changed_lines(item), note=note)


def _changed_lines(item: Mapping[str, Any]) -> list[DiffLine]:
    """Its difference from the reference; the place stands in its title."""
    return [line for line in diff_lines(item["diff"]) if line.look != "place"]


def _title(item: Mapping[str, Any]) -> str:
    return _("%(operator)s, line %(line)d") % {"operator": item["operator"], "line": item["line"]}


def _by(item: Mapping[str, Any]) -> str:
    return _("refused by “%(case)s”") % {"case": item["by"]} if item["by"] else ""
