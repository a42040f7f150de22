from __future__ import annotations

from typing import Any

from django import template

from exercises import runner_status

register = template.Library()


@register.inclusion_tag("exercises/_isolation_banner.html")
def isolation_banner() -> dict[str, Any]:
    """On every page: which layers of isolation are open, where the machine cannot close them all."""
    status = runner_status.overall(runner_status.every())
    is_reduced = status is not None and status.isolation == runner_status.REDUCED
    return {"open_layers": status.open_layers if status and is_reduced else {}}
