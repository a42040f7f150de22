"""The program that makes mutants: it parses an author's source and runs none of it."""

from __future__ import annotations

import time

from worker.sandbox.attempts import Attempt
from worker.sandbox.job import CallResult, MutantsProgram
from worker.sandbox.modules import SOLUTION
from worker.sandbox.mutants.making import make_mutants
from worker.sandbox.pipes import Pipes
from worker.sandbox.results import LOADED, load_error_frame
from worker.sandbox.tracebacks import student_error


def run_mutants(pipes: Pipes, program: MutantsProgram) -> None:
    """Answer with the list of mutants, or with the error that says why the source cannot be parsed."""
    start = time.perf_counter()
    made = Attempt(make_mutants, program.source, program.given, program.most)
    if made.error is not None:
        pipes.send(load_error_frame(student_error(made.error, SOLUTION)))
        return
    pipes.send(LOADED)
    pipes.send_result(CallResult(index=0, value=made.value, seconds=max(time.perf_counter() - start, 0.0)))
