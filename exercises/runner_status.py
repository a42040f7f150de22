"""What a worker last saw of the runner, for `/readyz` and for banners. It may vanish, and is soon seen again."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field

from django.core.cache import cache

TIGHT = "tight"
REDUCED = "reduced"
FRESH_SECONDS = 60
KEPT_SECONDS = 24 * 3600
_KEY = "runner-status"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerStatus:
    """`isolation` is `tight` or `reduced`; `open_layers` maps the name of each open layer to its remedy.

    `fault` says why the runner does not answer; it is empty where it does.
    """

    isolation: str
    open_layers: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    reported_at: float = 0.0


def report(*, isolation: str, open_layers: dict[str, str] | None = None, fault: str = "") -> None:
    """Stores what a worker has just seen."""
    status = RunnerStatus(isolation=isolation, open_layers=open_layers or {}, fault=fault, reported_at=time.time())
    cache.set(_KEY, asdict(status), KEPT_SECONDS)


def is_fresh(status: RunnerStatus | None) -> bool:
    """Whether it was reported within the last minute."""
    return status is not None and time.time() - status.reported_at <= FRESH_SECONDS


def latest() -> RunnerStatus | None:
    """What was reported last; nothing where no worker has reported or Redis is away."""
    stored = cache.get(_KEY)
    return RunnerStatus(**stored) if stored is not None else None
