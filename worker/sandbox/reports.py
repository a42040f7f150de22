"""What the runner says of a run, as a frame."""

from __future__ import annotations

from dataclasses import replace

from worker.sandbox.forms import expect_fields, expect_kind
from worker.sandbox.frames import Frame, WireError
from worker.sandbox.job import RunReport, Status
from worker.sandbox.texts import clean_text

_DETAIL_LENGTH = 2_000


def report_frame(report: RunReport) -> Frame:
    """What only the runner knows of a run; results, load error and inspection are relayed from the child instead."""
    header = {name: getattr(report, name) for name in _REPORT_FIELDS}
    header["status"] = report.status.value
    return Frame(header={"kind": "report", **header}, body=report.stdout.encode("utf-8"))


def read_report(frame: Frame) -> RunReport:
    """The report in the runner's last frame, without results. Raises: WireError."""
    expect_kind(frame, "report")
    expect_fields(frame.header, {"kind": str, **_REPORT_FIELDS})
    try:
        fields = {name: frame.header[name] for name in _REPORT_FIELDS}
        report = RunReport(**{**fields, "status": Status(fields["status"]), "stdout": frame.body.decode("utf-8")})
    except ValueError as error:
        raise WireError(f"not a report: {error}") from error
    return replace(report, detail=report.detail[:_DETAIL_LENGTH], stdout=clean_text(report.stdout, len(report.stdout)))


_REPORT_FIELDS: dict[str, type] = {
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
