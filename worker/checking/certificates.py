"""Certificates beside the exercises that were checked, to be kept in version control."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from exercises.content import CERTIFICATE_FILE, CertificateFile, write_certificate
from exercises.content.values import FATES
from worker.checking.findings import ExerciseReport

Change = Literal["written", "kept", "removed", "none"]


def put_certificate(folder: Path, report: ExerciseReport, *, torch_version: str) -> Change:
    """What became of the certificate in an exercise folder: one that is proven has one, any other has none.

    A certificate that says the same already stays as it is, so that a check alone changes no file.
    """
    file = folder / CERTIFICATE_FILE
    before = _read(file)
    if not report.is_proven:
        file.unlink(missing_ok=True)
        return "removed" if before else "none"
    made = certificate_of(report, torch_version, at=datetime.now(UTC))
    if before is not None and before.model_copy(update={"checked_at": made.checked_at}) == made:
        return "kept"
    file.write_bytes(write_certificate(made))
    return "written"


def certificate_of(report: ExerciseReport, torch_version: str, *, at: datetime) -> CertificateFile:
    """The certificate for a report that proves an exercise sound."""
    mutation = report.mutation
    return CertificateFile(
        grading_hash=report.grading_hash,
        mutation_score=None if mutation is None else round(mutation.score, 4),
        mutants={} if mutation is None else {fate: mutation.count(fate) for fate in FATES},
        # Questions are judged without torch.
        torch_version="" if mutation is None else torch_version,
        checked_at=at,
    )


def _read(file: Path) -> CertificateFile | None:
    """The certificate that is there; None for none, and for what is none."""
    try:
        return CertificateFile.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return None
