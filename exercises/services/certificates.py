from __future__ import annotations

from datetime import datetime
from typing import Any, TypedDict, Unpack

from exercises.models import Certificate, Exercise


class Proof(TypedDict, total=False):
    """What a certificate says, as in `Certificate`."""

    mutation_score: float | None
    mutants: dict[str, int]
    report: dict[str, Any]
    torch_version: str


def store_certificate(
    exercise: Exercise, grading_hash: str, *, checked_at: datetime, **proof: Unpack[Proof]
) -> Certificate:
    """Keep that what has this grading hash is sound; a later proof takes the place of an earlier one.

    A check here, which has a report, stands against the word of a file, whatever date that bears.
    """
    certificate = Certificate.objects.filter(exercise=exercise, grading_hash=grading_hash).first()
    if certificate is not None and _stands(certificate, checked_at, is_checked_here=bool(proof.get("report"))):
        return certificate
    certificate, _ = Certificate.objects.update_or_create(
        exercise=exercise, grading_hash=grading_hash, defaults={**proof, "checked_at": checked_at}
    )
    return certificate


def withdraw_certificate(exercise: Exercise, grading_hash: str) -> None:
    """Let what has this grading hash count as sound no longer. What is published stays so."""
    Certificate.objects.filter(exercise=exercise, grading_hash=grading_hash).delete()


def _stands(certificate: Certificate, checked_at: datetime, *, is_checked_here: bool) -> bool:
    was_checked_here = bool(certificate.report)
    if was_checked_here != is_checked_here:
        return was_checked_here
    return certificate.checked_at >= checked_at
