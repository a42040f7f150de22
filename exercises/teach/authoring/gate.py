"""What stands between a working copy and its students, in words."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.content import ContentError
from exercises.models import Certificate, Check, Exercise, Revision
from exercises.queries import read_working_copy
from exercises.queries.soundness import certificate_of
from exercises.services.publishing import falls_short


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """`missing` says why it is closed; `needs_reason`: it opens to an instructor who gives one.

    `is_current`: what stands there is published already.
    """

    is_open: bool = False
    needs_reason: bool = False
    is_current: bool = False
    missing: list[str] = field(default_factory=list)


def gate_of(exercise: Exercise, head: Revision | None, *, check: Check | None, certificate: Certificate | None) -> Gate:
    """Whether the head may be published, and what is missing.

    `check` is the latest one of the exercise, `certificate` that of the head as it was saved.
    """
    if head is None:
        return Gate(missing=[_("Nothing is saved yet.")])
    try:
        folder = read_working_copy(exercise, head.files)
    except ContentError as error:
        return Gate(missing=_problems(error))
    version = exercise.published
    if version is not None and version.content_hash == folder.content_hash and not exercise.is_retired:
        return Gate(is_open=True, is_current=True)
    if folder.grading_hash != head.grading_hash:
        certificate = certificate_of(exercise.pk, folder.grading_hash)
    if certificate is None:
        return Gate(missing=[_unproven(check, head)])
    if falls_short(certificate, folder, exercise.course.required_score):
        words = _(
            "The mutation score is %(score)s; the course asks for %(required)s. Take offered cases, or say why not."
        )
        values = {"score": f"{certificate.mutation_score:.2f}", "required": f"{exercise.course.required_score:g}"}
        return Gate(is_open=True, needs_reason=True, missing=[words % values])
    return Gate(is_open=True)


def _problems(error: ContentError) -> list[str]:
    return [_("The files are no exercise yet:"), *(str(problem) for problem in error.problems)]


def _unproven(check: Check | None, head: Revision) -> str:
    if check is None or check.revision_id != head.pk:
        return _("It is not checked yet as it stands now.")
    if check.is_open:
        return _("The check is under way.")
    if check.report is None:
        return _("The last check failed on our side. Start it again.")
    count = sum(finding["level"] == "problem" for finding in check.report["findings"])
    return ngettext("The check found %(count)d problem.", "The check found %(count)d problems.", count) % {
        "count": count
    }
