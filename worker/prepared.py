"""Cases of a version, made once for its grading hash, stored, and kept in this process while they are in use."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Final

from exercises import services
from exercises.content.kinds.known import unknown_fields
from exercises.draws import seeds_of
from exercises.models import CaseSet, ExerciseVersion
from worker.cases import shown_cases, shown_hidden_cases
from worker.grading import Prepared, make_sound_cases, prepare
from worker.solution import Runner
from worker.stored_cases import OtherLayoutError, dump_cases, load_cases

logger = logging.getLogger(__name__)

KEPT: Final = 32


class LaterReleaseError(Exception):
    """The version was made by a later release than this worker's, which would judge it by half."""


_kept: OrderedDict[tuple[int, str], Prepared] = OrderedDict()


def prepared(version: ExerciseVersion, runner: Runner) -> Prepared:
    """The cases of a version: from this process, else from the database, else made now.

    Raises: CasesError (the author's code), SandboxError (ours), LaterReleaseError.
    """
    place = (version.exercise_id, version.content_hash)
    if place not in _kept:
        _check_is_known(version)
        _kept[place] = _stored_or_made(version, runner)
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(place)
    return _kept[place]


def _check_is_known(version: ExerciseVersion) -> None:
    if unknown := unknown_fields(version.definition["exercise"]):
        raise LaterReleaseError(f"{version} is of a later release: this worker does not know {', '.join(unknown)}")


def _stored_or_made(version: ExerciseVersion, runner: Runner) -> Prepared:
    found = CaseSet.objects.filter(exercise_id=version.exercise_id, grading_hash=version.grading_hash)
    stored = found.values_list("blob", flat=True).first()
    if stored is None:
        return _made(version, runner)
    try:
        return prepare(version.definition, load_cases(bytes(stored)))
    except OtherLayoutError as error:
        logger.info("cases of %s are made anew: %s", version, error)
        return _made(version, runner, instead_of=bytes(stored))


def _made(version: ExerciseVersion, runner: Runner, *, instead_of: bytes | None = None) -> Prepared:
    made = make_sound_cases(version.definition, seeds_of(version), runner)
    services.store_case_set(
        version,
        blob=dump_cases(made.cases),
        visible=shown_cases(made.cases),
        hidden=shown_hidden_cases(made.cases),
        instead_of=instead_of,
    )
    return made
