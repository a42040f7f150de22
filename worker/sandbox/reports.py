"""What the runner says of a run, as a frame."""

from __future__ import annotations

from dataclasses import replace

from worker.sandbox.forms import expect_fields, expect_kind
from worker.sandbox.frames import Frame, WireError, dump_json, load_json
from worker.sandbox.job import RunReport, Status
from worker.sandbox.texts import clean_text

_DETAIL_LENGTH = 2_000

_HEADER_FIELDS: dict[str, type] = {
    "status": str,
    "detail": str,
    "evidence": str,
    "stdout_truncated": bool,
    "cpu_seconds": float,
    "wall_seconds": float,
    "peak_memory_bytes": int,
    "peak_tasks": int,
    "torch_version": str,
    "cpu_capability": str,
}
# Text of some ten kilobytes, which a header has no room for.
_BODY_FIELDS: dict[str, type] = {"stdout": str, "stderr": str}


def report_frame(report: RunReport) -> Frame:
    """What only the runner knows of a run; results, load error and inspection are relayed from the child instead."""
    header = {name: getattr(report, name) for name in _HEADER_FIELDS}
    header["status"] = report.status.value
    body = {name: getattr(report, name) for name in _BODY_FIELDS}
    return Frame(header={"kind": "report", **header}, body=dump_json(body))


def read_report(frame: Frame) -> RunReport:
    """The report in the runner's last frame, without results. Raises: WireError."""
    expect_kind(frame, "report")
    expect_fields(frame.header, {"kind": str, **_HEADER_FIELDS})
    printed = load_json(frame.body)
    expect_fields(printed, _BODY_FIELDS)
    fields = {name: frame.header[name] for name in _HEADER_FIELDS}
    if fields["status"] not in list(Status):
        raise WireError("expected a status in a report")
    report = RunReport(**{**fields, "status": Status(fields["status"])})
    return replace(
        report,
        detail=clean_text(report.detail, _DETAIL_LENGTH),
        evidence=clean_text(report.evidence, _DETAIL_LENGTH),
        stdout=clean_text(printed["stdout"], len(printed["stdout"])),
        stderr=clean_text(printed["stderr"], len(printed["stderr"])),
    )
