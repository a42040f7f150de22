"""How the site's work goes, over all courses: what waits, what was finished lately, what failed by our fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import quantiles
from typing import Any

from django.db.models import Case, Count, F, Min, QuerySet, When
from django.db.models.expressions import Combinable

from exercises.choices import Lane, Reason, State
from exercises.models import Check, Grading, Run
from graders.outcomes import Verdict

LATELY = timedelta(minutes=15)
FAULTS_SINCE = timedelta(days=1)
MOST_MEASURED = 2000
PLACED = F("queued_at")
ARRIVED = Case(When(reason=Reason.FIRST, fault="", then=F("submission__created_at")), default=PLACED)
"""Since when a grading waits. Its place in the queue moves back while its student is served otherwise; after a fault of
ours it waits anew."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in a lane, and since when the oldest of it; of a review no machine takes part."""

    lane: str
    count: int
    age_seconds: float


@dataclass(frozen=True, slots=True)
class Stage:
    """How long a stage took, in seconds, over what was finished lately. Zero where nothing was."""

    name: str
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Lately:
    """What was finished within `LATELY`: at most the newest 2,000 of a kind are measured; verdicts are of all."""

    verdicts: dict[str, int] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()


def waiting_work(*, at: datetime) -> list[Waiting]:
    """The lanes in which something waits to be claimed by a worker, runs first; then the checks of authors."""
    gradings = Grading.objects.exclude(lane=Lane.REVIEW)
    found = [*_lanes(Run.objects.all(), PLACED, at), *_lanes(gradings, ARRIVED, at)]
    checks = Check.objects.filter(state=State.QUEUED).aggregate(count=Count("pk"), oldest=Min("queued_at"))
    if checks["count"]:
        found.append(Waiting("check", checks["count"], _age(checks["oldest"], at)))
    return found


def running_work() -> dict[str, int]:
    """How many of each kind workers hold."""
    kinds = {"run": Run, "submission": Grading, "check": Check}
    return {kind: model._default_manager.filter(state=State.RUNNING).count() for kind, model in kinds.items()}


def finished_lately(*, at: datetime) -> Lately:
    """Verdicts and times of what workers judged within the last quarter of an hour."""
    gradings = Grading.objects.filter(finished_at__gt=at - LATELY, reviewer=None).exclude(claimed_by="")
    moments = gradings.order_by("-finished_at").values_list(ARRIVED, "started_at", "finished_at")[:MOST_MEASURED]
    verdicts: Counter[str] = Counter()
    for model in (Grading, Run):
        finished = model._default_manager.filter(finished_at__gt=at - LATELY).exclude(verdict="")
        verdicts.update(dict(finished.order_by().values_list("verdict").annotate(Count("pk"))))
    rows = [(arrived, started, finished) for arrived, started, finished in moments if started and finished]
    waits = [(started - arrived).total_seconds() for arrived, started, _finished in rows]
    works = [(finished - started).total_seconds() for _arrived, started, finished in rows]
    return Lately(verdicts=dict(verdicts), stages=(_stage("wait", waits), _stage("grading", works)))


def faults_lately(*, at: datetime) -> QuerySet[Grading]:
    """Gradings of the last day that we gave up after three tries, the newest first; `fault` says why.

    What was erased since is not among them: nothing is left that could be tried again.
    """
    given_up = Grading.objects.filter(finished_at__gt=at - FAULTS_SINCE, verdict=Verdict.INTERNAL_ERROR)
    given_up = given_up.exclude(reason=Reason.DRY_RUN).exclude(submission__body_hash="")
    return given_up.select_related("student", "submission__exercise__course").order_by("-finished_at")


def _lanes(works: QuerySet[Any], since: Combinable, at: datetime) -> list[Waiting]:
    lanes = works.filter(state=State.QUEUED).order_by("lane").values_list("lane")
    return [
        Waiting(Lane(lane).name.lower(), count, _age(oldest, at))
        for lane, count, oldest in lanes.annotate(count=Count("pk"), oldest=Min(since))
    ]


def _age(moment: datetime, at: datetime) -> float:
    return max((at - moment).total_seconds(), 0.0)


def _stage(name: str, seconds: Sequence[float]) -> Stage:
    if len(seconds) < 2:
        only = seconds[0] if seconds else 0.0
        return Stage(name, only, only)
    cuts = quantiles(seconds, n=100, method="inclusive")
    return Stage(name, cuts[49], cuts[94])
