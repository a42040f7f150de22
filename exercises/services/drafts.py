from __future__ import annotations

import json
from typing import Any

from django.db import transaction

from exercises.errors import InvalidFieldError, StaleDraftError
from exercises.models import Draft, Exercise, User
from exercises.queries.versions import last_met_version
from exercises.responses import Fields
from exercises.services.clocks import settle_before_writing
from exercises.services.kept_drafts import Written, names_of, stands_in, written_draft
from exercises.services.locks import lock_student
from exercises.services.sources import checked_response, checked_source

LARGEST_FORM = 256 * 1024
"""Characters of a question's form, as JSON."""


def save_draft(
    student: User, exercise: Exercise, *, revision: int, source: Any = None, fields: Fields | None = None
) -> Draft:
    """Keep what the student has written: `source` of code, or the `fields` of a question's form as they stand.

    `revision` is that of the draft which the page last saw, 0 for none.

    Raises:
        InvalidFieldError: what was written has the wrong form.
        StaleDraftError: another tab saved something else meanwhile. That stands, this is set aside.
    """
    written = checked_source(source) if fields is None else _checked_fields(fields)
    settle_before_writing(student, exercise)
    with transaction.atomic():
        lock_student(student.pk)
        draft = Draft.objects.filter(student=student, exercise=exercise).first()
        is_stale = draft is not None and draft.revision != revision and not stands_in(draft, written)
        draft = written_draft(
            draft or Draft(student=student, exercise=exercise, revision=0), written, set_aside=is_stale
        )
    if is_stale:
        raise StaleDraftError("This exercise was edited in another tab or on another device.", draft=draft)
    return draft


def swap_draft(student: User, exercise: Exercise) -> Draft:
    """Let what stands and what was set aside change places, so that both are kept.

    Raises:
        Draft.DoesNotExist: nothing was set aside.
    """
    settle_before_writing(student, exercise)
    with transaction.atomic():
        return _swapped(student, exercise)


def _swapped(student: User, exercise: Exercise) -> Draft:
    lock_student(student.pk)
    draft = Draft.objects.get(student=student, exercise=exercise)
    version = last_met_version(exercise)
    standing, aside = names_of(is_code=version is None or version.is_code)
    taken: Written | None = getattr(draft, aside)
    if not taken:
        raise Draft.DoesNotExist(f"nothing was set aside of {draft}")
    setattr(draft, aside, getattr(draft, standing))
    setattr(draft, standing, taken)
    draft.revision += 1
    draft.save()
    return draft


def _checked_fields(fields: Fields) -> Fields:
    if len(json.dumps(dict(fields))) > LARGEST_FORM:
        raise InvalidFieldError("response", f"The form holds more than {LARGEST_FORM} characters.")
    kept: Fields = checked_response(dict(fields))
    return kept
