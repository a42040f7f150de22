"""What each worker last saw of its runner, for `/readyz`, banners and staff. It may vanish, and is soon seen again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from django.core.cache import cache

TIGHT = "tight"
REDUCED = "reduced"
FRESH_SECONDS = 60
KEPT_SECONDS = 24 * 3600
# Each host has a place of its own, so that none overwrites another's. 0.1 knows the first alone.
_PLACES = ("runner-status", *(f"runner-status:{number}" for number in range(1, 64)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerFigures:
    """What the runner said of itself: how busy it is, how its warm program is, and of which versions it is.

    `ready` are the children that wait for a job; `helpers_died` counts makers and warm programs since its start.
    `layers` maps the name of each layer of isolation to `tight`, `substituted` or `open`.
    """

    mode: str = ""
    slots: int = 0
    running: int = 0
    waiting: int = 0
    ready: int = 0
    served: int = 0
    helpers_died: int = 0
    template_age_seconds: float = 0.0
    template_forks: int = 0
    protocol: int = 0
    torch_version: str = ""
    numpy_version: str = ""
    cpu_capability: str = ""
    layers: dict[str, str] = field(default_factory=dict)

    @property
    def template_age_minutes(self) -> int:
        return round(self.template_age_seconds / 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerStatus:
    """`isolation` is `tight` or `reduced`; `open_layers` maps the name of each open layer to its remedy.

    `fault` says why the runner does not answer; it is empty where it does, and then there are `figures`.
    `host` is where worker and runner are; a worker of an earlier release leaves it empty.
    """

    isolation: str
    host: str = ""
    open_layers: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    reported_at: float = 0.0
    figures: RunnerFigures | None = None


def report(
    *,
    host: str,
    isolation: str,
    open_layers: dict[str, str] | None = None,
    fault: str = "",
    figures: RunnerFigures | None = None,
) -> None:
    """Stores what the worker of a host has just seen, instead of what it saw before."""
    status = RunnerStatus(
        isolation=isolation,
        host=host,
        open_layers=open_layers or {},
        fault=fault,
        reported_at=time.time(),
        figures=figures,
    )
    stored = asdict(status)
    found = cache.get_many(_PLACES)
    own = next((place for place in _PLACES if place in found and found[place].get("host") == host), None)
    if own is None:
        # `add` takes a free place only, so of two hosts that come at once the second takes the next.
        if any(cache.add(place, stored, KEPT_SECONDS) for place in _PLACES if place not in found):
            return
        own = min(found, key=lambda place: found[place].get("reported_at", 0.0), default=_PLACES[0])
    cache.set(own, stored, KEPT_SECONDS)


def is_fresh(status: RunnerStatus | None) -> bool:
    """Whether it was reported within the last minute; a report of the future is none: the clock was set back."""
    return status is not None and abs(time.time() - status.reported_at) <= FRESH_SECONDS


def every() -> list[RunnerStatus]:
    """What each host reported last, within 24 hours, the newest first; none where Redis is away. One round trip."""
    newest: dict[str, RunnerStatus] = {}
    for status in map(_read, cache.get_many(_PLACES).values()):
        # Two processes of one host that came at once for the first time hold a place each.
        if status.host not in newest or newest[status.host].reported_at < status.reported_at:
            newest[status.host] = status
    return sorted(newest.values(), key=lambda status: status.reported_at, reverse=True)


def overall(statuses: Sequence[RunnerStatus]) -> RunnerStatus | None:
    """How the site stands with all its runners, of which the newest comes first; nothing where none was reported.

    Those heard within the last minute count; where there are none, the newest does. One that answers is enough to
    be without fault, and the isolation is tight where it is for each that answers: the others run nobody's code.
    """
    heard = [status for status in statuses if is_fresh(status)] or statuses[:1]
    if not heard:
        return None
    answering = [status for status in heard if not status.fault] or heard[:1]
    reduced = [status for status in answering if status.isolation != TIGHT]
    open_layers = {layer: remedy for status in reduced for layer, remedy in status.open_layers.items()}
    return replace((reduced or answering)[0], open_layers=open_layers)


def _read(stored: Mapping[str, Any]) -> RunnerStatus:
    said = stored.get("figures")
    figures = RunnerFigures(**_known(RunnerFigures, said)) if said is not None else None
    return RunnerStatus(**{**_known(RunnerStatus, stored), "figures": figures})


def _known(kind: type[RunnerFigures | RunnerStatus], stored: Mapping[str, Any]) -> dict[str, Any]:
    """What this release knows of what another may have stored."""
    return {each.name: stored[each.name] for each in fields(kind) if each.name in stored}
