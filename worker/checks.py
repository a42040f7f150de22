"""Makes a claimed check: from the revision's files, which never touch the disk, to the report on them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.db import Error, connection

from exercises import services
from exercises.content import ContentError
from exercises.models import Check
from exercises.queries import read_working_copy
from exercises.services import Claim
from worker.checking.exercise import check_read_exercise, unreadable_report
from worker.checking.findings import ExerciseReport, Progress
from worker.checking.noting import NotingRunner
from worker.solution import Runner
from worker.stopping import is_stopping

logger = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 0.2


class CheckBrokenOffError(Exception):
    """The check need not go on: a newer one took its place, or the worker stops."""


def make_check(claim: Claim, runner: Runner) -> None:
    """Makes and records the claimed check. Raises: CheckBrokenOffError, SandboxError (ours)."""
    check = Check.objects.select_related("revision", "exercise__course").get(pk=claim.id)
    noting = NotingRunner(runner=runner)
    report = _report(check, noting, _Telling(claim=claim).tell)
    is_proven = report.is_proven
    services.record_report(claim, report.to_json(), is_proven=is_proven, torch_version=noting.torch_version)


def _report(check: Check, runner: Runner, tell: Callable[[Progress], None]) -> ExerciseReport:
    exercise = check.exercise
    try:
        folder = read_working_copy(exercise, check.revision.files)
    except ContentError as error:
        return unreadable_report(exercise.slug, error)
    return check_read_exercise(folder, runner, required_score=exercise.course.required_score, tell=tell)


@dataclass(slots=True, kw_only=True)
class _Telling:
    """Writes what was found so far: at once where something was, else not too often."""

    claim: Claim
    told_at: float = 0.0
    told: tuple[Any, ...] = ()

    def tell(self, progress: Progress) -> None:
        if is_stopping():
            raise CheckBrokenOffError("the worker stops")
        found = (progress.done, progress.findings)
        now = time.monotonic()
        if found == self.told and progress.tried < progress.mutants and now - self.told_at < PAUSE_SECONDS:
            return
        self.told_at, self.told = now, found
        if not self._record(progress):
            raise CheckBrokenOffError("another check took its place")

    def _record(self, progress: Progress) -> bool:
        """Whether the check is still wanted, as far as is known: what is told before the report may fail."""
        try:
            return services.record_progress(self.claim, progress.to_json())
        except Error:
            logger.warning("the progress of check %d could not be written", self.claim.id, exc_info=True)
            connection.close_if_unusable_or_obsolete()
            return True
