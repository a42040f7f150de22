"""A runner with its log, and the graders: what a hand-in meets in the product, without database and pages."""

import contextlib
import functools
import os
import re
import subprocess
import time
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path

from exercises.content import read_exercise
from exercises.draws import draw_seeds
from graders.outcomes import Outcome
from tests.corpus.items import FOLDER
from tests.worker.sandbox.runs import group_folders, wait_until
from worker.grading import grade_code, make_sound_cases
from worker.sandbox.client import Client
from worker.sandbox.job import Call, CallProgram, Job, RunnerUnavailableError, RunReport, TensorBytes
from worker.sandbox.launch import PROJECT
from worker.sandbox.service import RUNNER_ENVIRONMENT, runner_command

# What an audit line tells, beside the time and the name of the runner.
AUDIT = re.compile(
    r"run (?P<id>\S+): (?P<status>\w+); CPU (?P<cpu>[\d.]+) s, wall [\d.]+ s, memory (?P<memory>\d+), "
    r"tasks (?P<tasks>\d+); sign (?P<sign>\w+);"
)
# Well-behaved, its outputs known byte for byte; tells too in which state it found what every run inherits.
CANARY = """
import hashlib, os, random, sys, warnings
import numpy as np
import torch

def f(x):
    state = [
        sorted(sys.modules), sys.path, sorted(os.environ.items()), os.listdir("."), sys.getrecursionlimit(),
        torch.get_default_dtype(), torch.get_num_threads(), torch.is_grad_enabled(),
        torch.are_deterministic_algorithms_enabled(), torch.random.get_rng_state().tolist(),
        random.getstate(), np.random.get_state()[1].tolist(), np.geterr(), len(warnings.filters),
    ]
    digest = hashlib.sha256(repr(state).encode()).hexdigest()
    return [torch.softmax(x, dim=0), torch.outer(x, x), torch.randn(4), torch.nn.Linear(3, 2)(x).detach(), digest]
"""
_VECTOR = TensorBytes(dtype="float32", shape=(3,), data=bytes.fromhex("0000803f0000004000004040"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """A hand-in with its outcome, the runner's report, and how long it took on the wall."""

    id: str
    outcome: Outcome
    report: RunReport
    seconds: float

    @property
    def verdict(self):
        return self.outcome.verdict.value

    @property
    def printed(self):
        """All that was printed and kept."""
        return self.report.stdout + self.report.stderr

    @property
    def evidence(self):
        return self.report.evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """A runner, its process, and its log."""

    client: Client
    process: subprocess.Popen
    log: Path
    groups: list[Path] = field(default_factory=list)

    @property
    def pid(self):
        return self.process.pid

    def grade(self, file, exercise, *, source=None, limits=None):
        """Hand a file in, or another source in its name; with the limits of the exercise, or others."""
        made = prepared(exercise, self)
        text = file.read_text(encoding="utf-8") if source is None else source
        request = made.request(f"{file.stem}-{uuid.uuid4().hex[:8]}", definition(exercise)["exercise"], text)
        request = replace(request, limits=limits)
        started = time.perf_counter()
        outcome, report = grade_code(self.client, request, made.key)
        return Graded(id=request.id, outcome=outcome, report=report, seconds=time.perf_counter() - started)

    def canary(self):
        """What the canary returned: values, and a digest of the state that it found."""
        program = CallProgram(source=CANARY, entry="f", calls=(Call(name="only", visible=True, args=(_VECTOR,)),))
        report = self.client.run(Job(id=f"canary-{uuid.uuid4().hex[:8]}", program=program))
        (result,) = report.results
        assert result.error is None, result.error
        return result.value

    def wait_for_rest(self, seconds=10.0):
        """Until nothing runs, nothing is on its way out and the reserve is full."""
        wait_until(lambda: is_at_rest(self.client.status()), seconds=seconds)

    def audit_lines(self, run_id):
        """What the runner's log says of a run."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [found.groupdict() for line in lines if f"run {run_id}:" in line and (found := AUDIT.search(line))]


def is_at_rest(status):
    containers = status["containers"]
    full = containers["ready"] == 2 * status["slots"]
    return full and not status["running"] and sum(containers.values()) == containers["ready"]


@contextlib.contextmanager
def open_arena(folder, *, slots=2, environment=None, waits_for_rest=True):
    """A runner started as the supervisor does it, with its log in `folder`; ended with the block."""
    path, log = folder / "runner.sock", folder / "runner.log"
    command = runner_command(path, slots=slots)
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=PROJECT, env={**RUNNER_ENVIRONMENT, **(environment or {})}, stdout=said, stderr=said
        )
    arena = Arena(client=Client(path), process=process, log=log)
    try:
        wait_until(lambda: process.poll() is not None or answers(arena.client), seconds=120)
        assert process.poll() is None, log.read_text()
        if waits_for_rest:
            arena.wait_for_rest(60)
        arena.groups.extend(group_folders(process.pid))
        yield arena
    finally:
        process.terminate()
        process.wait(20)


def answers(client):
    """Whether a runner serves."""
    try:
        client.status()
    except RunnerUnavailableError:
        return False
    return True


@functools.cache
def definition(exercise):
    return read_exercise(FOLDER / "exercises" / exercise).definition


_made = {}


def prepared(exercise, arena):
    """Cases and key of an exercise, made once in this process."""
    if exercise not in _made:
        folder = read_exercise(FOLDER / "exercises" / exercise)
        declared = folder.definition["exercise"]
        seeds = draw_seeds("corpus", folder.slug, folder.grading_hash, declared.get("draws", 1))
        _made[exercise] = make_sound_cases(folder.definition, seeds, arena.client)
    return _made[exercise]


def is_root():
    return os.geteuid() == 0
