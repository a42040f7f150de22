from __future__ import annotations

from typing import Any

from django.db import transaction

from exercises.errors import StaleDraftError
from exercises.models import Draft, Exercise, User
from exercises.services.locks import lock_student
from exercises.services.sources import checked_source


def save_draft(student: User, exercise: Exercise, *, source: Any, revision: int) -> Draft:
    """Keep what the student has written; `revision` is that of the draft which the page last saw, 0 for none.

    Raises:
        InvalidFieldError: the source has the wrong form.
        StaleDraftError: another tab saved a different text meanwhile. That one stands, this one is set aside.
    """
    text = checked_source(source)
    with transaction.atomic():
        lock_student(student.pk)
        draft = Draft.objects.filter(student=student, exercise=exercise).first()
        is_stale = draft is not None and draft.revision != revision and draft.source != text
        draft = _written(draft or Draft(student=student, exercise=exercise, revision=0), text, set_aside=is_stale)
    if is_stale:
        raise StaleDraftError("This exercise was edited in another tab or on another device.", draft=draft)
    return draft


def keep_as_draft(student: User, exercise: Exercise, source: str) -> None:
    """Keep a text that was not taken: as the draft or, where that says something else, set aside beside it."""
    with transaction.atomic():
        lock_student(student.pk)
        draft = Draft.objects.filter(student=student, exercise=exercise).first()
        is_other = draft is not None and draft.source != source
        _written(draft or Draft(student=student, exercise=exercise, revision=0), source, set_aside=is_other)


def _written(draft: Draft, text: str, *, set_aside: bool) -> Draft:
    if set_aside:
        draft.set_aside = text
    elif draft.source != text or draft.revision == 0:
        draft.source = text
        draft.revision += 1
    draft.save()
    return draft
