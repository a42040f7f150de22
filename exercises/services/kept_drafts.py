from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from exercises.models import AssignmentStart, Draft, Exercise, User
from exercises.responses import Fields
from exercises.services.locks import lock_student

Written = str | Fields
"""Source, or the fields of a question's form as they stand."""


def keep_as_draft(student: User, exercise: Exercise, source: str) -> None:
    """Keep a text that was not taken: as the draft or, where that says something else, set aside beside it."""
    with transaction.atomic():
        lock_student(student.pk)
        draft = Draft.objects.filter(student=student, exercise=exercise).first()
        is_other = draft is not None and draft.source != source
        written_draft(draft or Draft(student=student, exercise=exercise, revision=0), source, set_aside=is_other)


def stands_in(draft: Draft, written: Written) -> bool:
    """Whether the draft says the same."""
    return written == (draft.source if isinstance(written, str) else draft.response)


def written_draft(draft: Draft, written: Written, *, set_aside: bool) -> Draft:
    """The draft with what was written in it, or set aside beside what stands; saved."""
    standing, aside = names_of(is_code=isinstance(written, str))
    if set_aside:
        setattr(draft, aside, written)
        # The time stays that of what stands.
        draft.save(update_fields=[aside])
        return draft
    if draft.revision == 0 or not stands_in(draft, written):
        setattr(draft, standing, written)
        draft.revision += 1
    draft.save()
    _keep_within_clocks(draft)
    return draft


def _keep_within_clocks(draft: Draft) -> None:
    """What is written in a quiz is handed in at its end, also if the machine's clock was set back since its start."""
    running = AssignmentStart.objects.filter(
        student=draft.student_id, handed_in_at=None, assignment__exercises=draft.exercise_id
    )
    begun = running.filter(started_at__gt=draft.saved_at).aggregate(latest=Max("started_at"))["latest"]
    if begun is not None:
        # The field is set to now by each save.
        Draft.objects.filter(pk=draft.pk).update(saved_at=begun)
        draft.saved_at = begun


def names_of(*, is_code: bool) -> tuple[str, str]:
    """The fields of a draft: of what stands, and of what is set aside."""
    return ("source", "set_aside") if is_code else ("response", "set_aside_response")
