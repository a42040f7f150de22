from __future__ import annotations

from typing import Any

from django.db.models import Exists, F, OuterRef

from exercises.blobs import unpack
from exercises.choices import CODE_KINDS
from exercises.models import CaseSet, ExerciseVersion


def visible_cases(version: ExerciseVersion) -> list[dict[str, Any]]:
    """What students may see of the visible cases (`CaseSet.visible`); none before a worker has made them."""
    found = CaseSet.objects.filter(exercise=version.exercise_id, grading_hash=version.grading_hash)
    return found.values_list("visible", flat=True).first() or []


def hidden_cases(version: ExerciseVersion) -> list[dict[str, Any]]:
    """What staff may see of the hidden cases, each draw by `index` and `draw`; none before a worker has made them."""
    found = CaseSet.objects.filter(exercise=version.exercise_id, grading_hash=version.grading_hash)
    return unpack(found.values_list("hidden", flat=True).first()) or []


def versions_without_cases() -> list[int]:
    """Ids of published versions of code whose cases no worker has made."""
    made = CaseSet.objects.filter(exercise=OuterRef("exercise"), grading_hash=OuterRef("grading_hash"))
    published = ExerciseVersion.objects.filter(exercise__published=F("pk"), exercise__is_retired=False)
    return list(published.filter(~Exists(made), kind__in=CODE_KINDS).values_list("pk", flat=True))
