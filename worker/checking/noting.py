"""A runner that notes by which torch a check was made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from worker.sandbox.job import CallResult, Job, RunReport
from worker.solution import Runner


@dataclass(slots=True, kw_only=True)
class NotingRunner:
    """Runs every job with `runner`; `torch_version` is that of the last report, empty before the first."""

    runner: Runner
    torch_version: str = ""

    def run(self, job: Job, on_result: Callable[[CallResult], None] | None = None) -> RunReport:
        report = self.runner.run(job, on_result)
        self.torch_version = report.torch_version
        return report
