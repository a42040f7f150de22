"""What a runner says of itself, as staff and Prometheus see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from exercises.runner_status import RunnerFigures


def figures_of(said: Mapping[str, Any]) -> RunnerFigures:
    """The figures in a runner's answer to `status`; what a runner of another release does not tell is 0 or empty."""
    figures = {
        **said,
        "ready": said.get("containers", {}).get("ready", 0),
        "layers": {layer["name"]: layer["state"] for layer in said.get("layers", ())},
    }
    return RunnerFigures(**{each.name: figures[each.name] for each in fields(RunnerFigures) if each.name in figures})
