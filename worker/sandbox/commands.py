"""Jobs as frames: what the client says to the runner, and the runner to the child, one command at a time."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from worker.sandbox.forms import expect_all, expect_fields, expect_kind
from worker.sandbox.frames import Frame, WireError, dump_json, load_json
from worker.sandbox.job import (
    Call,
    CallProgram,
    CasesProgram,
    Forbidden,
    Job,
    Limits,
    MutantsProgram,
    Probes,
    Program,
    ScriptProgram,
    Value,
)
from worker.sandbox.packing import HEADER_BYTES
from worker.sandbox.values import TREE_BYTES, dump_value, load_value

# Between client and runner; to be raised with every change of what they say to each other.
PROTOCOL = 2
END = Frame(header={"kind": "end"})


_JOB_FIELDS: dict[str, type] = {
    "kind": str,
    "protocol": int,
    "id": str,
    "lane": str,
    "limits": dict,
    "seed": int,
    "frames": int,
    "hidden_from": int,
}


def fault_frame(message: str) -> Frame:
    """The runner's answer to what it could not do, with the version that it speaks."""
    return Frame(header={"kind": "fault", "protocol": PROTOCOL, "message": message})


def body_cap(limits: Limits) -> int:
    """The most bytes that the body of one frame of the child may have."""
    return limits.result_bytes + HEADER_BYTES + TREE_BYTES + 64


def job_frame(job: Job, frames: list[Frame]) -> Frame:
    """What opens a connection to the runner: everything of the job but its commands.

    Commands from `hidden_from` on are hidden: recording of printed text is closed before the first of them goes in.
    Where none is hidden, `hidden_from` equals the number of frames.
    """
    hidden = [index for index, frame in enumerate(frames) if frame.header.get("visible") is False]
    return Frame(
        header={
            "kind": "job",
            "protocol": PROTOCOL,
            "id": job.id,
            "lane": job.lane,
            "limits": limits_json(job.limits),
            "seed": job.seed,
            "frames": len(frames),
            "hidden_from": min(hidden, default=len(frames)),
        }
    )


def read_job(frame: Frame) -> tuple[dict[str, Any], Limits]:
    """The checked header of a job frame (id, lane, seed, frames, hidden_from) and its limits. Raises: WireError."""
    header = frame.header
    expect_kind(frame, "job")
    # Before all else: what else there should be depends on it.
    if header.get("protocol") != PROTOCOL:
        raise WireError(f"expected version {PROTOCOL} of the protocol, found {header.get('protocol')!s:.20}")
    expect_fields(header, _JOB_FIELDS)
    if not 1 <= header["hidden_from"] <= header["frames"]:
        raise WireError("expected hidden_from between 1 and the number of frames")
    return header, limits_from_json(header["limits"])


def limits_json(limits: Limits) -> dict[str, Any]:
    """The limits as a JSON object."""
    return asdict(limits)


def limits_from_json(data: Any) -> Limits:
    """The limits in a JSON object. Raises: WireError (a field is missing, unknown, or no positive number)."""
    defaults = asdict(Limits())
    if not isinstance(data, dict) or data.keys() != defaults.keys():
        raise WireError(f"expected the limits {', '.join(defaults)}")
    for name, default in defaults.items():
        if type(data[name]) not in (int, type(default)) or not 0 < data[name] < math.inf:
            raise WireError(f"expected a positive number as limit {name}")
    return Limits(**data)


def job_frames(job: Job) -> list[Frame]:
    """The commands of a job: the program, then one frame for each call, visible ones first.

    Raises: WireError (a value over the caps of the wire, or a visible call after a hidden one).
    """
    program = job.program
    plots = job.plots or job.lane == "run"
    header = {"kind": "program", "seed": job.seed, "result_bytes": job.limits.result_bytes, "plots": plots}
    body: dict[str, Any] = {"source": program.source, "files": _files_json(program.files)}
    if isinstance(program, CallProgram):
        forbidden = None if program.forbidden is None else _forbidden_json(program.forbidden)
        body |= {"entry": program.entry, "forbidden": forbidden, "driver": program.driver}
        first = Frame(header={**header, "program": "call"}, body=dump_json(body))
        surveys = [] if forbidden is None else [Frame(header={"kind": "survey", "index": 0, "visible": True})]
        return [first, *surveys, *_call_frames(program.calls, start=len(surveys))]
    if isinstance(program, ScriptProgram):
        body |= {"before": list(program.before), "collect": list(program.collect), "inspect": program.inspect}
        return [Frame(header={**header, "program": "script"}, body=dump_json(body))]
    if isinstance(program, MutantsProgram):
        body |= {"given": program.given, "most": program.most}
        return [Frame(header={**header, "program": "mutants"}, body=dump_json(body))]
    body |= {"seeds": list(program.seeds), "stray": program.stray}
    return [Frame(header={**header, "program": "cases"}, body=dump_json(body))]


def _files_json(files: dict[str, bytes]) -> dict[str, str]:
    return {path: base64.b64encode(content).decode("ascii") for path, content in files.items()}


def _forbidden_json(forbidden: Forbidden) -> dict[str, Any]:
    return {"names": list(forbidden.names), "loops": forbidden.loops}


def _call_frames(calls: tuple[Call, ...], *, start: int) -> list[Frame]:
    visible = [call.visible for call in calls]
    if visible != sorted(visible, reverse=True):
        raise WireError("visible calls come before hidden ones")
    return [_call_frame(call, index) for index, call in enumerate(calls, start)]


def _call_frame(call: Call, index: int) -> Frame:
    inputs: dict[str, Value] = {"args": call.args, "kwargs": call.kwargs, "init": call.init, "state": call.state}
    header: dict[str, Any] = {"kind": "call", "index": index, "visible": call.visible}
    if call.probes is not None:
        header["probes"] = {**asdict(call.probes), "gradients": list(call.probes.gradients)}
    if call.fed is not None:
        header["fed"] = call.fed
    return Frame(header=header, body=dump_value(inputs))


def read_program(frame: Frame) -> Program:
    """The program of a job's first command; its calls come in frames of their own. Raises: WireError."""
    expect_kind(frame, "program")
    expect_fields(frame.header, {"kind": str, "seed": int, "result_bytes": int, "plots": bool, "program": str})
    if frame.header["program"] not in _READERS:
        raise WireError("expected a call, script, cases or mutants program")
    return _READERS[frame.header["program"]](load_json(frame.body))


def _call_program(body: Any) -> CallProgram:
    forbidden = body.get("forbidden") if isinstance(body, dict) else None
    fields = {"source": str, "files": dict, "entry": str, "forbidden": type(forbidden), "driver": str}
    expect_fields(body, fields)
    if forbidden is not None:
        expect_fields(forbidden, {"names": list, "loops": bool})
        names = tuple(expect_all(forbidden["names"], str))
        body["forbidden"] = Forbidden(names=names, loops=forbidden["loops"])
    return CallProgram(**{**body, "files": _files(body["files"])}, calls=())


def _script_program(body: Any) -> ScriptProgram:
    expect_fields(body, {"source": str, "files": dict, "before": list, "collect": list, "inspect": bool})
    texts, names = expect_all(body["before"], str), expect_all(body["collect"], str)
    return ScriptProgram(
        source=body["source"],
        before=tuple(texts),
        collect=tuple(names),
        inspect=body["inspect"],
        files=_files(body["files"]),
    )


def _cases_program(body: Any) -> CasesProgram:
    expect_fields(body, {"source": str, "files": dict, "seeds": list, "stray": int})
    seeds = tuple(expect_all(body["seeds"], int))
    return CasesProgram(source=body["source"], seeds=seeds, files=_files(body["files"]), stray=body["stray"])


def _mutants_program(body: Any) -> MutantsProgram:
    expect_fields(body, {"source": str, "files": dict, "given": str, "most": int})
    return MutantsProgram(**{**body, "files": _files(body["files"])})


_READERS: dict[str, Callable[[Any], Program]] = {
    "call": _call_program,
    "script": _script_program,
    "cases": _cases_program,
    "mutants": _mutants_program,
}


def _files(files: dict[str, Any]) -> dict[str, bytes]:
    try:
        return {path: base64.b64decode(text, validate=True) for path, text in files.items()}
    except (TypeError, ValueError) as error:
        raise WireError("expected files in base64") from error


def read_call(frame: Frame) -> tuple[int, dict[str, Any]]:
    """The index of a call and its inputs: args, kwargs, init, state. Raises: WireError."""
    expect_kind(frame, "call")
    fields: dict[str, type] = {"kind": str, "index": int, "visible": bool}
    fields |= {"probes": dict} if "probes" in frame.header else {}
    fields |= {"fed": int if type(frame.header["fed"]) is int else str} if "fed" in frame.header else {}
    expect_fields(frame.header, fields)
    inputs = load_value(frame.body)
    if not isinstance(inputs, dict) or inputs.keys() != {"args", "kwargs", "init", "state"}:
        raise WireError("expected args, kwargs, init and state of a call")
    return frame.header["index"], inputs


def read_probes(frame: Frame) -> Probes | None:
    """What a call is to tell beside its output. Raises: WireError."""
    probes = frame.header.get("probes")
    if probes is None:
        return None
    types = {name: type(value) for name, value in asdict(Probes()).items()}
    reseed = int if probes.get("reseed") is not None else type(None)
    expect_fields(probes, {**types, "gradients": list, "reseed": reseed})
    if any(type(place) not in (int, str) for place in probes["gradients"]):
        raise WireError("expected places of arguments")
    return Probes(**{**probes, "gradients": tuple(probes["gradients"])})
