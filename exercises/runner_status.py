"""What a worker last saw of the runner, for `/readyz`, banners and staff. It may vanish, and is soon seen again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from django.core.cache import cache

TIGHT = "tight"
REDUCED = "reduced"
FRESH_SECONDS = 60
KEPT_SECONDS = 24 * 3600
_KEY = "runner-status"


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
    """

    isolation: str
    open_layers: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    reported_at: float = 0.0
    figures: RunnerFigures | None = None


def report(
    *,
    isolation: str,
    open_layers: dict[str, str] | None = None,
    fault: str = "",
    figures: RunnerFigures | None = None,
) -> None:
    """Stores what a worker has just seen."""
    status = RunnerStatus(
        isolation=isolation, open_layers=open_layers or {}, fault=fault, reported_at=time.time(), figures=figures
    )
    cache.set(_KEY, asdict(status), KEPT_SECONDS)


def is_fresh(status: RunnerStatus | None) -> bool:
    """Whether it was reported within the last minute; a report of the future is none: the clock was set back."""
    return status is not None and abs(time.time() - status.reported_at) <= FRESH_SECONDS


def latest() -> RunnerStatus | None:
    """What was reported last; nothing where no worker has reported or Redis is away."""
    stored = cache.get(_KEY)
    if stored is None:
        return None
    said = stored.get("figures")
    figures = RunnerFigures(**_known(RunnerFigures, said)) if said is not None else None
    return RunnerStatus(**{**_known(RunnerStatus, stored), "figures": figures})


def _known(kind: type[RunnerFigures | RunnerStatus], stored: Mapping[str, Any]) -> dict[str, Any]:
    """What this release knows of what another may have stored."""
    return {each.name: stored[each.name] for each in fields(kind) if each.name in stored}
