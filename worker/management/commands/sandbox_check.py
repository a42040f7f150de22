"""`manage.py sandbox_check`: tries every layer of isolation here and says how tight it is."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from worker.sandbox.client import Client
from worker.sandbox.job import RunnerUnavailableError
from worker.sandbox.service import private_runner
from worker.sandbox.tightness import Layer, layers_from_json


class Command(BaseCommand):
    help = "Tries every layer of isolation and reports it as tight, substituted or open, with the remedy."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--running", action="store_true", help="ask the runner that serves the site instead")

    def handle(self, *args: Any, **options: Any) -> None:
        status = _ask_running() if options["running"] else _try_here()
        layers = layers_from_json(status["layers"])
        is_tight = not any(layer.is_in_the_way for layer in layers)
        if options["json"]:
            self.stdout.write(json.dumps({"tight": is_tight, "mode": status["mode"], "layers": status["layers"]}))
        else:
            self._print(status["mode"], layers)
        if not is_tight:
            raise SystemExit(1)

    def _print(self, mode: str, layers: list[Layer]) -> None:
        self.stdout.write(f"mode: {mode}")
        width = max(len(layer.name) for layer in layers)
        for layer in layers:
            self.stdout.write(f"{layer.name:<{width}}  {layer.state.value:<11}  {layer.detail}")
            if layer.remedy:
                self.stdout.write(f"{'':<{width}}  remedy: {layer.remedy}")


def _try_here() -> dict[str, Any]:
    try:
        # Reduced isolation is allowed so that an open layer is reported with all others, not only refused.
        with private_runner(slots=1, allow_reduced=True) as client:
            return client.status()
    except RunnerUnavailableError as error:
        raise CommandError(str(error)) from error


def _ask_running() -> dict[str, Any]:
    try:
        return Client(settings.RUNNER_SOCKET).status()
    except RunnerUnavailableError as error:
        raise CommandError(f"{settings.RUNNER_SOCKET}: {error}") from error
