"""The only program that runs student code: reads commands from a pipe, answers on another, inside a prepared container.

It keeps private references to what it needs, bound before student code runs, so that patches of torch or the standard
library meet the student's own code first. No security property depends on that: all that leaves here is read by trusted
code as bytes that anyone may have written.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import einops
import torch

from worker.sandbox import notices, substitutes
from worker.sandbox.commands import read_program
from worker.sandbox.job import CallProgram, CasesProgram, ScriptProgram
from worker.sandbox.modules import SOLUTION
from worker.sandbox.mutants.program import run_mutants
from worker.sandbox.pipes import Pipes, flush_printed, open_streams
from worker.sandbox.programs import run_calls, run_cases, run_script
from worker.sandbox.rehearsal import rehearse
from worker.sandbox.results import ENDED
from worker.sandbox.surroundings import put_files, seed_everything

__all__ = ["einops", "prepare", "serve"]

# Of the process, where the fault is ours: EX_SOFTWARE of sysexits.h.
_FAULT_STATUS = 70

_exit = os._exit


def prepare() -> None:
    """Put in place what every run needs; called once by the warm process, before it forks."""
    substitutes.install()
    notices.install()


def serve(commands: int, results: int, *, threads: int = 1) -> NoReturn:
    """Run the program that comes on `commands`, answer on `results`, and end the process.

    Descriptors 1 and 2 take what is printed. `threads` is for torch's operators. `prepare` was called before the fork.
    """
    status = 0
    try:
        _serve(Pipes(commands, results), threads)
    # The outer rim: whatever went wrong here, the process ends, and the runner sees a run without its last frames.
    except BaseException:  # noqa: BLE001
        status = _FAULT_STATUS
        flush_printed()
    # Exit hooks, finalisers and threads of the student get no say.
    _exit(status)


def _serve(pipes: Pipes, threads: int) -> None:
    open_streams()
    sys.argv = [SOLUTION]
    torch.set_num_threads(threads)
    rehearse()
    frame = pipes.receive()
    if frame is None:
        return
    program = read_program(frame)
    if frame.header["plots"]:
        substitutes.allow_plots()
    if program.files:
        put_files(program.files, Path.cwd())
    seed_everything(frame.header["seed"])
    match program:
        case CallProgram():
            run_calls(pipes, program, frame.header["result_bytes"])
        case ScriptProgram():
            run_script(pipes, program, frame.header["result_bytes"])
        case CasesProgram():
            run_cases(pipes, program, frame.header["result_bytes"])
        case _:
            run_mutants(pipes, program)
    pipes.send(ENDED)
