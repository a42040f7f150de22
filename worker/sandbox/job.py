"""What crosses the border of the sandbox: a job goes in, a report comes out. Plain frozen values, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Union

MEBIBYTE = 1024 * 1024


class SandboxError(Exception):
    """A fault of ours or of the machine: never the student's."""


class RunnerUnavailableError(SandboxError):
    """No runner answers on the socket. Try again later."""


class RunnerLostError(RunnerUnavailableError):
    """The runner died, or failed, during a job. The job may be the cause: it should not be tried for ever."""


class ProtocolMismatchError(RunnerUnavailableError):
    """The runner is of another release than we are. Nothing was run: wait until both are of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorBytes:
    """A dense tensor as bytes: C order, little-endian, `dtype` named as in torch (`float32`, `bfloat16`, `bool`, …).

    `origin` says what the student's object was: a torch tensor or a numpy array.
    """

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    origin: Literal["torch", "numpy"] = "torch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """In place of a returned object that is no value: `kind` says in words what it was ("a generator")."""

    kind: str


Value = Union[  # noqa: UP007  (a forward reference inside `|` is no type at run time)
    TensorBytes,
    Unsupported,
    int,
    float,
    complex,
    str,
    bool,
    None,
    list["Value"],
    tuple["Value", ...],
    dict[str, "Value"],
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use. CPU seconds decide; the wall clock is a backstop."""

    cpu_seconds: float = 4.0
    memory_bytes: int = 512 * MEBIBYTE
    tasks: int = 64
    printed_bytes: int = 16 * MEBIBYTE
    kept_bytes: int = 64 * 1024
    result_bytes: int = 16 * MEBIBYTE
    idle_seconds: float = 10.0

    @property
    def wall_seconds(self) -> float:
        """The backstop: 3 × CPU + 2 s."""
        return 3 * self.cpu_seconds + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Probes:
    """What a call tells beside its output; the result is then a dict of `output` and an entry for each of these.

    `inputs`: args and kwargs as they are after the call. `gradients`: those of sum(output · cotangent) for the
    arguments at these places, a position or a name (of a keyword, of the entry's own parameter, of a module's
    parameter), found by a second call; cotangents are drawn from `seed`. `parameters`: the names of the entry's own.
    `operators`: names of the operators that the call dispatched, as `aten::mm`. `steps`: how many steps torch's
    optimisers made. Before the call, generators are seeded with `reseed`.
    """

    inputs: bool = False
    gradients: tuple[int | str, ...] = ()
    seed: int = 0
    parameters: bool = False
    operators: bool = False
    steps: bool = False
    reseed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of the entry, with its inputs. `visible` calls come before hidden ones.

    `fed` is the position or the name of an argument in the place of which the output of the call before is given.
    """

    name: str
    visible: bool
    args: tuple[Value, ...] = ()
    kwargs: dict[str, Value] = field(default_factory=dict)
    init: dict[str, Value] | None = None
    state: dict[str, Value] | None = None
    probes: Probes | None = None
    fed: int | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """What to look for in the text of a submission: names, dotted or bare, and loops."""

    names: tuple[str, ...] = ()
    loops: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallProgram:
    """Load `source`, then call `entry` once for each call, in order.

    With `forbidden` the source is surveyed before it is run, and a result with what was found stands before those of
    the calls: a list of dicts of rule (`names`, `loops`), name and line. `driver` is an author's program whose
    `drive(entry, case)` makes each call; `files` are put into the working directory, by their path.
    """

    source: str
    entry: str
    calls: tuple[Call, ...]
    forbidden: Forbidden | None = None
    driver: str = ""
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptProgram:
    """Run `before` silently, then `source`; give back the variables named in `collect`, or what the run left.

    `inspect` asks for the value of the last expression and a list of the tensors left.
    """

    source: str
    before: tuple[str, ...] = ()
    collect: tuple[str, ...] = ()
    inspect: bool = False
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesProgram:
    """Run an author's `cases.py`: `visible()` once, `hidden(generator)` once for each seed.

    With another `stray` the global generators are seeded otherwise; what is drawn from `generator` stays the same.
    """

    source: str
    seeds: tuple[int, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    stray: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantsProgram:
    """Parse `source`, run nothing, and give back `most` mutants of it: the same with one small change.

    The one result is a list of dicts, see `mutants.making`. Lines that also stand in `given` are left as they are.
    """

    source: str
    given: str = ""
    most: int = 100
    files: dict[str, bytes] = field(default_factory=dict)


Program = CallProgram | ScriptProgram | CasesProgram | MutantsProgram


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run in a container of its own. `seed` seeds torch, numpy and random of the run.

    With `plots` it may import matplotlib; what is in the lane of runs may do so anyway.
    """

    id: str
    program: Program
    limits: Limits = Limits()
    lane: Literal["run", "submission", "regrade"] = "submission"
    seed: int = 0
    plots: bool = False


class Status(StrEnum):
    """How the process ended; says nothing of the work."""

    FINISHED = "finished"
    EXITED = "exited"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_TOO_LARGE = "output_too_large"
    TASK_LIMIT = "task_limit"
    FILTER_KILLED = "filter_killed"
    CRASHED = "crashed"
    GARBLED = "garbled"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentError:
    """An exception in the student's code: only frames and lines of the student's own file."""

    type: str
    message: str
    traceback: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What one call gave: a value, or an error.

    Index: of the call; for a script 0; for cases 0 is `visible()` and 1 + n is draw n of `hidden`.
    """

    index: int
    value: Value = None
    error: StudentError | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSummary:
    """A tensor that a free run left, for showing; `preview` is nested lists of at most 1024 leading elements."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    preview: list[object] | float | int | bool | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """How a job went. `detail` is for students (it names limits, not paths); `evidence` is for staff.

    `load_error` is set when the source did not compile, raised while loading, or lacks its entry; then there are no
    results. `stdout` holds what was printed while visible cases ran, at most `kept_bytes`, valid UTF-8; `stderr` the
    same of standard error (progress bars, warnings), apart so that comparing printed text never meets it.
    """

    status: Status
    detail: str = ""
    evidence: str = ""
    load_error: StudentError | None = None
    results: tuple[CallResult, ...] = ()
    stdout: str = ""
    stdout_truncated: bool = False
    stderr: str = ""
    value_text: str | None = None
    tensors: tuple[TensorSummary, ...] = ()
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_memory_bytes: int = 0
    peak_tasks: int = 0
    torch_version: str = ""
    cpu_capability: str = ""
