"""Runners that change jobs on their way, or remember them: for checks that run the same thing in another way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from worker.sandbox.job import CallProgram, CallResult, CasesProgram, Job, Program, RunReport, ScriptProgram
from worker.solution import Runner

OnResult = Callable[[CallResult], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Varied:
    """Runs every job with another seed, or with a setting of torch, such as `set_num_threads(1)`."""

    runner: Runner
    seed: int = 0
    setting: str = ""

    def run(self, job: Job, on_result: OnResult | None = None) -> RunReport:
        program = _with_setting(job.program, self.setting) if self.setting else job.program
        return self.runner.run(replace(job, seed=self.seed, program=program), on_result)


@dataclass(slots=True, kw_only=True)
class Remembering:
    """Runs every job, and keeps those that draw cases with what they gave."""

    runner: Runner
    drawn: list[tuple[Job, RunReport]] = field(default_factory=list)

    def run(self, job: Job, on_result: OnResult | None = None) -> RunReport:
        report = self.runner.run(job, on_result)
        if isinstance(job.program, CasesProgram):
            self.drawn.append((job, report))
        return report


def _with_setting(program: Program, setting: str) -> Program:
    text = f"import torch\ntorch.{setting}\n"
    if isinstance(program, CallProgram):
        # At the end, so that lines keep their numbers.
        return replace(program, source=f"{program.source}\n{text}")
    return replace(program, before=(text,)) if isinstance(program, ScriptProgram) else program
