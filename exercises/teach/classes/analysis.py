"""The analysis of exercises, ready for a page: figures, charts with their tables, misconceptions with samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.learn.marks import VERDICTS
from exercises.models import Course, Exercise, ExerciseVersion, Submission
from exercises.queries.analysis import (
    CaseFailures,
    ItemLine,
    ItemStatistics,
    Misconception,
    VersionGroup,
    case_failures,
    item_statistics,
    misconceptions,
    sample_submissions,
    version_groups,
    versions_like,
)
from exercises.queries.answers import wrong_answers
from exercises.queries.statistics import BINS
from exercises.teach.classes.charts import Bar, Chart, bar_chart, column_chart
from exercises.teach.classes.definitions import ATTEMPTS, DISCRIMINATION, FACILITY, TIME, Definition
from graders.feedback_on_causes import FOUND_CAUSES
from graders.outcomes import Verdict

IN_CHART = 12
"""So many misconceptions are drawn; the table has more."""
IN_TABLE = 100
"""Of wrong numbers and texts there may be as many as there are hand-ins; the rarest tell nothing."""
WITH_SAMPLES = 8
ENOUGH_STUDENTS = 20
"""Of fewer nothing is said about discrimination: it may be chance."""
GOOD_DISCRIMINATION, POOR_DISCRIMINATION = 0.3, 0.0
MINUTE, HOUR, DAY = 60, 3600, 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number with what it means, one click away."""

    definition: Definition
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A submission that had the cause."""

    url: str
    student: str
    receipt: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A misconception; `title` is the author's, or names the diagnosis. `part` is of the students who tried."""

    title: str
    students: int
    percent: str
    hand_ins: int
    samples: list[Sample]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Versions that judge alike, as something to choose."""

    name: str
    url: str
    is_shown: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The page of one exercise. Charts are None where there is nothing to draw; `rarer` causes are not in the table."""

    title: str
    groups: list[Group]
    figures: list[Figure]
    students: int
    hand_ins: int
    solved: int
    scores: Chart | None
    verdicts: Chart | None
    cases: Chart | None
    causes: list[Cause]
    rarer: int
    cause_chart: Chart | None
    versions: Chart | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An exercise in the table of all."""

    title: str
    url: str
    students: int
    solved: str
    facility: str
    discrimination: str
    hand_ins: str
    is_doubtful: bool


def lines_of(course: Course, items: Sequence[ItemLine]) -> list[Line]:
    """The table of all exercises; doubtful are those that discriminate negatively."""
    return [
        Line(
            title=item.exercise.published.title if item.exercise.published else item.exercise.slug,
            url=reverse("teach:exercise-analysis", args=(course.slug, item.exercise.slug)),
            students=item.students,
            solved=percent(item.solved / item.students if item.students else None),
            facility=percent(item.facility),
            discrimination=correlation(item.discrimination),
            hand_ins=_number(item.median_hand_ins),
            is_doubtful=_is_doubtful(item),
        )
        for item in items
    ]


def analysis_of(course: Course, exercise: Exercise, *, number: int | None = None) -> Analysis:
    """The page of an exercise as the versions make it that judge like version `number`; else like the published one."""
    groups = version_groups(exercise)
    shown = _shown_group(exercise, groups, number)
    versions = versions_like(exercise, shown.grading_hash)
    figures = item_statistics(exercise, versions)
    newest = exercise.versions.get(number=shown.numbers[-1])
    found = misconceptions(exercise, versions) if newest.is_code else wrong_answers(exercise, newest, versions)
    causes = _causes(found[:IN_TABLE], newest, figures.students)
    return Analysis(
        title=newest.title,
        groups=[_group(course, exercise, group, is_shown=group == shown) for group in groups],
        figures=_figures(figures),
        students=figures.students,
        hand_ins=figures.hand_ins,
        solved=figures.solved,
        scores=_score_chart(figures),
        verdicts=_verdict_chart(figures),
        cases=_case_chart(case_failures(exercise, versions)),
        causes=causes,
        rarer=max(len(found) - IN_TABLE, 0),
        cause_chart=_cause_chart(causes, figures.students),
        versions=_version_chart(groups, shown),
    )


def _is_doubtful(item: ItemLine) -> bool:
    found = item.discrimination
    return found is not None and found < POOR_DISCRIMINATION and item.students >= ENOUGH_STUDENTS


def percent(part: float | None) -> str:
    """A share as a percentage; a dash of nothing."""
    return "–" if part is None else f"{part * 100:.0f} %"


def correlation(value: float | None) -> str:
    """A coefficient in two decimals; a dash of nothing."""
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def duration(seconds: float | None) -> str:
    """A time in its largest unit; a dash of nothing."""
    if seconds is None:
        return "–"
    if seconds < MINUTE:
        return _("under a minute")
    for unit, word in ((DAY, _("%(number)s days")), (HOUR, _("%(number)s h")), (MINUTE, _("%(number)s min"))):
        if seconds >= unit:
            return word % {"number": f"{seconds / unit:.0f}" if seconds >= 10 * unit else f"{seconds / unit:.2g}"}
    return str(timedelta(seconds=seconds))


def title_of(cause: str, version: ExerciseVersion) -> str:
    """A cause in words: as the author calls the mistake, else as the diagnosis is called, else as it stands."""
    listed: Mapping[str, Any] = version.definition["exercise"].get("mistakes") or {}
    if cause in listed:
        return str(listed[cause]["title"])
    return cause.replace("_", " ").capitalize() if cause in FOUND_CAUSES else cause


def _shown_group(exercise: Exercise, groups: Sequence[VersionGroup], number: int | None) -> VersionGroup:
    """Raises: ExerciseVersion.DoesNotExist where there is no such version."""
    wanted = number if number is not None else exercise.published.number if exercise.published else None
    shown = next((group for group in groups if wanted in group.numbers), None)
    if shown is None:
        raise ExerciseVersion.DoesNotExist(f"{exercise} has no version {wanted}")
    return shown


def _group(course: Course, exercise: Exercise, group: VersionGroup, *, is_shown: bool) -> Group:
    address = reverse("teach:exercise-analysis", args=(course.slug, exercise.slug))
    return Group(name=_group_name(group), url=f"{address}?version={group.numbers[-1]}", is_shown=is_shown)


def _group_name(group: VersionGroup) -> str:
    first, last = group.numbers[0], group.numbers[-1]
    if len(group.numbers) == 1:
        return _("version %(number)d") % {"number": first}
    if last - first + 1 == len(group.numbers):
        return _("versions %(first)d to %(last)d") % {"first": first, "last": last}
    return _("versions %(numbers)s") % {"numbers": ", ".join(map(str, group.numbers))}


def _figures(found: ItemStatistics) -> list[Figure]:
    return [
        Figure(definition=FACILITY, value=percent(found.facility)),
        Figure(
            definition=DISCRIMINATION,
            value=correlation(found.discrimination),
            note=_judgement(found.discrimination, students=found.students),
        ),
        Figure(definition=ATTEMPTS, value=_number(found.median_attempts)),
        Figure(definition=TIME, value=duration(found.median_seconds)),
    ]


def _judgement(discrimination: float | None, *, students: int) -> str:
    if discrimination is None or students < ENOUGH_STUDENTS:
        return _("too little to say")
    if discrimination >= GOOD_DISCRIMINATION:
        return _("separates well")
    return _("separates little") if discrimination >= POOR_DISCRIMINATION else _("look for a mistake in it")


def _score_chart(found: ItemStatistics) -> Chart | None:
    if not found.students:
        return None
    names = [f"{place * 10}–{place * 10 + 10} %" for place in range(BINS)] + ["100 %"]
    ticks = [str(place * 10) if place % 5 == 0 else "" for place in range(BINS)] + ["100 %"]
    most = max(found.scores)
    bars = [
        Bar(label=tick, text=str(count) if count else "", part=count / most, is_accent=place == BINS)
        for place, (tick, count) in enumerate(zip(ticks, found.scores, strict=True))
    ]
    rows = [(name, str(count)) for name, count in zip(names, found.scores, strict=True)]
    spoken = _("Students by their best share of the points; %(full)d of %(all)d have all points")
    words = {"full": found.scores[-1], "all": found.students}
    return column_chart(spoken % words, bars, head=(_("Best share"), _("Students")), rows=rows)


def _verdict_chart(found: ItemStatistics) -> Chart | None:
    if not found.hand_ins:
        return None
    counts = sorted(found.verdicts.items(), key=lambda pair: -pair[1])
    rows = [
        (str(VERDICTS[Verdict(verdict)].word), str(count), percent(count / found.hand_ins)) for verdict, count in counts
    ]
    bars = [
        Bar(label=word, text=count, part=number / found.hand_ins)
        for (word, count, _part), (_verdict, number) in zip(rows, counts, strict=True)
    ]
    spoken = _("Hand-ins by verdict")
    return bar_chart(spoken, bars, head=(_("Verdict"), _("Hand-ins"), _("Part")), rows=rows)


def _case_chart(found: Sequence[CaseFailures]) -> Chart | None:
    if not found:
        return None
    parts = [case.failed / case.judged for case in found]
    worst = max(parts)
    is_one_worse = parts.count(worst) == 1
    bars = [
        Bar(label=_case_name(case), text=percent(part), part=part, is_accent=part == worst and is_one_worse)
        for case, part in zip(found, parts, strict=True)
    ]
    rows = [
        (_case_name(case), str(case.judged), str(case.failed), percent(part), str(case.students))
        for case, part in zip(found, parts, strict=True)
    ]
    head = (_("Case"), _("Judged"), _("Not accepted"), _("Part"), _("Students"))
    return bar_chart(_("Part of the hand-ins in which each case was not accepted"), bars, head=head, rows=rows)


def _case_name(case: CaseFailures) -> str:
    return case.name if case.is_visible else _("%(name)s (hidden)") % {"name": case.name}


def _causes(found: Sequence[Misconception], version: ExerciseVersion, students: int) -> list[Cause]:
    samples = sample_submissions([pk for item in found[:WITH_SAMPLES] for pk in item.samples])
    return [
        Cause(
            title=title_of(item.cause, version),
            students=item.students,
            percent=percent(item.students / students if students else None),
            hand_ins=item.hand_ins,
            samples=[_sample(samples[pk]) for pk in item.samples if pk in samples],
        )
        for item in found
    ]


def _sample(row: Submission) -> Sample:
    answer = row.source or ("" if row.response is None else str(row.response))
    return Sample(
        url=reverse("learn:submission", args=(row.pk,)),
        student=str(row.student),
        receipt=row.receipt,
        source=answer,
    )


def _cause_chart(causes: Sequence[Cause], students: int) -> Chart | None:
    if not causes or not students:
        return None
    bars = [
        Bar(label=cause.title, text=f"{cause.students}", part=cause.students / students, is_accent=place == 0)
        for place, cause in enumerate(causes[:IN_CHART])
    ]
    rows = [(cause.title, str(cause.students), cause.percent, str(cause.hand_ins)) for cause in causes]
    head = (_("Cause"), _("Students"), _("Part"), _("Hand-ins"))
    words = ngettext(
        "Misconceptions by students, of %(all)d student", "Misconceptions by students, of %(all)d students", students
    )
    return bar_chart(words % {"all": students}, bars, head=head, rows=rows)


def _version_chart(groups: Sequence[VersionGroup], shown: VersionGroup) -> Chart | None:
    tried = [group for group in groups if group.students]
    if not tried:
        return None
    bars = [
        Bar(
            label=_group_name(group), text=percent(group.pass_rate), part=group.pass_rate or 0, is_accent=group == shown
        )
        for group in tried
    ]
    rows = [
        (_group_name(group), str(group.students), str(group.solved), percent(group.pass_rate), str(group.hand_ins))
        for group in groups
    ]
    head = (_("Version"), _("Students"), _("Solved"), _("Pass rate"), _("Hand-ins"))
    return bar_chart(_("Pass rate over versions"), bars, head=head, rows=rows)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"
