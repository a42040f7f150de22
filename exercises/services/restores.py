from __future__ import annotations

from typing import Any

from django.db import transaction

from exercises.choices import Kind, RefusalReason
from exercises.errors import NotAllowedError
from exercises.literals import literal_of
from exercises.models import Draft, Exercise, Refusal, Submission, User
from exercises.responses import GAP, INDENT, PAIR, PLACE, WHOLE, Fields
from exercises.services.clocks import settle_before_writing
from exercises.services.kept_drafts import Written, names_of, stands_in, written_draft
from exercises.services.locks import lock_student


def restore_submission(submission: Submission, *, student: User) -> Draft:
    """The draft, with what was handed in then. What stood in it is set aside, from where it can be put back.

    Raises:
        NotAllowedError: it is another's, was erased, or answers another kind of exercise than the one that stands.
    """
    exercise = submission.exercise
    if student.pk != submission.student_id or submission.is_erased:
        raise NotAllowedError("One restores one's own submissions only.")
    if exercise.published is None or exercise.published.kind != submission.version.kind:
        raise NotAllowedError("The exercise is of another kind by now: this submission cannot be put into it.")
    written = submission.source if submission.version.is_code else fields_of(submission)
    return _put_back(student, exercise, written)


def restore_refusal(refusal: Refusal, *, student: User) -> Draft:
    """The draft, with what was not taken then. What stood in it is set aside, from where it can be put back.

    Raises:
        NotAllowedError: it is another's, or does not fit what the exercise asks now.
    """
    version = refusal.exercise.published
    if student.pk != refusal.student_id or version is None:
        raise NotAllowedError("One restores one's own hand-ins only, while the exercise is there.")
    if version.is_code != bool(refusal.source):
        raise NotAllowedError("The exercise is of another kind by now: this cannot be put into it.")
    if version.is_code:
        return _put_back(student, refusal.exercise, refusal.source)
    if refusal.reason == RefusalReason.INVALID:
        fields: Fields = refusal.response or {}
        return _put_back(student, refusal.exercise, fields)
    try:
        written = _fields(Kind(version.kind), refusal.response)
    except (AttributeError, TypeError, IndexError) as error:
        raise NotAllowedError("The exercise is of another kind by now: this cannot be put into it.") from error
    return _put_back(student, refusal.exercise, written)


def fields_of(submission: Submission) -> Fields:
    """The fields of a question's form that mean what was answered."""
    return _fields(Kind(submission.version.kind), submission.response)


def _put_back(student: User, exercise: Exercise, written: Written) -> Draft:
    settle_before_writing(student, exercise)
    with transaction.atomic():
        lock_student(student.pk)
        draft = Draft.objects.filter(student=student, exercise=exercise).first()
        draft = draft or Draft(student=student, exercise=exercise, revision=0)
        standing, aside = names_of(is_code=isinstance(written, str))
        if getattr(draft, standing) and not stands_in(draft, written):
            setattr(draft, aside, getattr(draft, standing))
        return written_draft(draft, written, set_aside=False)


def _fields(kind: Kind, response: Any) -> Fields:
    if kind == Kind.CHOICE:
        return {WHOLE: list(response) if isinstance(response, list) else [str(response)]}
    if kind == Kind.BLANKS:
        return _named(GAP, response)
    if kind == Kind.MATCHING:
        return _named(PAIR, response)
    if kind == Kind.ORDERING:
        return _ordered(response)
    return {WHOLE: [literal_of(response) if kind == Kind.TENSOR else str(response)]}


def _named(beginning: str, values: dict[str, Any]) -> Fields:
    return {f"{beginning}{name}": [str(value)] for name, value in values.items()}


def _ordered(response: list[Any]) -> Fields:
    fields: dict[str, list[str]] = {}
    for place, entry in enumerate(response, start=1):
        name, depth = (entry, 0) if isinstance(entry, str) else (entry[0], entry[1])
        fields[f"{PLACE}{name}"] = [str(place)]
        fields[f"{INDENT}{name}"] = [str(depth)]
    return fields
