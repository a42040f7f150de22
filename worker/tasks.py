"""The tasks that messages name. Each is a wake-up: what there is to do stands in the database."""

from __future__ import annotations

import logging
import os
import socket
import time
from functools import cache

from django.conf import settings

from exercises import queries, runner_status, services
from exercises.models import ExerciseVersion
from exercises.queue import enqueue_preparation
from exercises.services.faults import going_on
from worker.app import app
from worker.cases import CasesError
from worker.execution import execute
from worker.figures import figures_of
from worker.prepared import LaterReleaseError, prepared
from worker.sandbox.client import Client
from worker.sandbox.job import SandboxError
from worker.stopping import is_stopping

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 5.0


@cache
def runner() -> Client:
    return Client(settings.RUNNER_SOCKET)


@app.task
def work() -> None:
    """Claims and does what waits, until nothing may be claimed or the worker stops.

    While there is much to do, no process is free for beat's reminder to sweep: that is done in between.
    """
    owner = f"{socket.gethostname()}:{os.getpid()}"
    swept_at = time.monotonic()
    while not is_stopping() and (claim := services.claim_next(owner)) is not None:
        execute(claim, runner())
        if time.monotonic() - swept_at > SWEEP_SECONDS:
            sweep()
            swept_at = time.monotonic()


@app.task
def prepare_cases(version_id: int) -> None:
    """Makes the cases of a version before the first student needs them."""
    version = ExerciseVersion.objects.select_related("exercise__course").get(pk=version_id)
    try:
        prepared(version, runner())
    except CasesError as error:
        logger.error("no cases for %s: %s", version, error)
    except (SandboxError, LaterReleaseError) as error:
        logger.warning("no cases for %s yet: %s", version, error)


@app.task
def sweep() -> None:
    """Frees what dead workers held and wakes living ones; publishes what is due, goes on with regrades.

    Of quizzes whose clock has ended it hands in the last drafts. It also sees to versions whose cases were not made.
    What fails is logged, and holds up nothing else.
    """
    with going_on("taking work from dead workers"):
        _take_back()
    with going_on("settling clocks"):
        services.settle_clocks()
    with going_on("publishing what is due"):
        services.publish_due()
    with going_on("going on with regrades"):
        _continue_regrades()
    with going_on("asking for missing cases"):
        for version_id in queries.versions_without_cases():
            enqueue_preparation(version_id)


def _take_back() -> None:
    swept = services.sweep()
    if swept.freed or swept.given_up:
        logger.warning("swept: %d freed, %d given up", swept.freed, swept.given_up)


def _continue_regrades() -> None:
    for regrade_id in queries.regrades_under_way():
        with going_on(f"going on with the regrade {regrade_id}"):
            services.continue_regrade(regrade_id)


@app.task
def report_runner() -> None:
    """Notes how the runner beside this worker stands, for `/readyz` and for staff."""
    host = socket.gethostname()
    try:
        said = runner().status()
    except SandboxError as error:
        runner_status.report(host=host, isolation=runner_status.REDUCED, fault=str(error))
        return
    layers = said["layers"]
    open_layers = {layer["name"]: layer["remedy"] for layer in layers if layer["required"] and layer["state"] == "open"}
    isolation = runner_status.REDUCED if open_layers else runner_status.TIGHT
    runner_status.report(host=host, isolation=isolation, open_layers=open_layers, figures=figures_of(said))
