from __future__ import annotations

from django.db import transaction

from exercises.models import Draft, Exercise, User
from exercises.services.locks import lock_student


def keep_as_draft(student: User, exercise: Exercise, source: str) -> None:
    """Keep a text that was not taken: as the draft or, where that says something else, set aside beside it."""
    with transaction.atomic():
        lock_student(student.pk)
        draft = Draft.objects.filter(student=student, exercise=exercise).first()
        is_other = draft is not None and draft.source != source
        written_draft(draft or Draft(student=student, exercise=exercise, revision=0), source, set_aside=is_other)


def written_draft(draft: Draft, text: str, *, set_aside: bool) -> Draft:
    """The draft with the text in it, or set aside beside what stands; saved."""
    if set_aside:
        draft.set_aside = text
    elif draft.source != text or draft.revision == 0:
        draft.source = text
        draft.revision += 1
    draft.save()
    return draft
