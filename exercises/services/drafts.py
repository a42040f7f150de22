from __future__ import annotations

from typing import Any

from django.db import transaction

from exercises.errors import StaleDraftError
from exercises.models import Draft, Exercise, User
from exercises.services.clocks import settle_clocks
from exercises.services.kept_drafts import written_draft
from exercises.services.locks import lock_student
from exercises.services.sources import checked_source


def save_draft(student: User, exercise: Exercise, *, source: Any, revision: int) -> Draft:
    """Keep what the student has written; `revision` is that of the draft which the page last saw, 0 for none.

    Raises:
        InvalidFieldError: the source has the wrong form.
        StaleDraftError: another tab saved a different text meanwhile. That one stands, this one is set aside.
    """
    text = checked_source(source)
    # What is written from now on comes after a clock that has ended: the sweeper must not take it for the last draft.
    settle_clocks(student=student)
    with transaction.atomic():
        lock_student(student.pk)
        draft = Draft.objects.filter(student=student, exercise=exercise).first()
        is_stale = draft is not None and draft.revision != revision and draft.source != text
        draft = written_draft(draft or Draft(student=student, exercise=exercise, revision=0), text, set_aside=is_stale)
    if is_stale:
        raise StaleDraftError("This exercise was edited in another tab or on another device.", draft=draft)
    return draft
