"""Cases of a version, made once for its grading hash, stored, and kept in this process while they are in use."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from exercises import services
from exercises.models import CaseSet, ExerciseVersion
from graders.cases import Key
from worker.cases import Case, draw_seeds, dump_cases, load_cases, make_cases, shown_cases
from worker.grading import key_of
from worker.solution import Runner

KEPT: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Cases as the sandbox takes them, and the key that the graders judge by."""

    cases: tuple[Case, ...]
    key: Key


_kept: OrderedDict[tuple[int, str], Prepared] = OrderedDict()


def prepared(version: ExerciseVersion, runner: Runner) -> Prepared:
    """The cases of a version: from this process, else from the database, else made now.

    Raises: CasesError (the author's code), SandboxError (ours).
    """
    place = (version.exercise_id, version.content_hash)
    if place not in _kept:
        cases = _stored(version) or _made(version, runner)
        _kept[place] = Prepared(cases=cases, key=key_of(version.definition["exercise"], cases))
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(place)
    return _kept[place]


def _stored(version: ExerciseVersion) -> tuple[Case, ...] | None:
    found = CaseSet.objects.filter(exercise_id=version.exercise_id, grading_hash=version.grading_hash)
    blob = found.values_list("blob", flat=True).first()
    return load_cases(bytes(blob)) if blob is not None else None


def _made(version: ExerciseVersion, runner: Runner) -> tuple[Case, ...]:
    exercise = version.definition["exercise"]
    name = f"{version.exercise.course.slug}/{version.exercise.slug}"
    seeds = draw_seeds(settings.SECRET_KEY, name, version.grading_hash, exercise.get("draws", 1))
    cases = make_cases(version.definition, seeds, runner)
    services.store_case_set(version, blob=dump_cases(cases), visible=shown_cases(cases))
    return cases
