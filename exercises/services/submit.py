from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from exercises.errors import InvalidFieldError
from exercises.models import Exercise, Submission, User
from exercises.queries.questions import drawing, response_seed
from exercises.queries.spaced_reviews import review_card
from exercises.queries.terms import Terms, terms_of
from exercises.services.hand_ins import HandIn, check_is_current, checked_hand_in
from exercises.services.idempotency import checked_key, remember_key, submission_of_key
from exercises.services.locks import lock_student
from exercises.services.refusals import REFUSALS, check_terms, keep_refused
from exercises.services.spaced_reviews import begin_review
from exercises.services.storing import store_hand_in
from graders.errors import ResponseError
from graders.outcomes import Outcome
from graders.questions.kinds import check_response, grade_response

PRACTICE = Terms(is_counted=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    """A hand-in with what is known of it before its student is locked."""

    student: User
    hand_in: HandIn
    key: str | None
    outcome: Outcome | None


def submit(
    student: User,
    exercise: Exercise,
    *,
    source: Any = None,
    response: Any = None,
    idempotency_key: str | None = None,
    version: int | None = None,
    assignment: Any = None,
) -> Submission:
    """Take a hand-in: a question is judged at once, code is queued, an explanation waits for a person.

    `assignment` is the slug of the one that it is for; without it, `queries.terms` says what it belongs to. Whether
    it is taken is a question of when it arrived, not of how long it waited for its turn.

    It counts as an attempt unless the same was handed in and judged before: then that outcome is taken over. One of the
    same student and exercise that still waits gives its place to this one, and its attempt back. The same idempotency
    key within 24 hours gives the submission that it gave at first.

    Raises:
        InvalidFieldError: a field has the wrong form; nothing is stored.
        QuestionNotDrawnError: there is no question that could be answered; nothing is stored.
        KeyReusedError: the key came before, with another body.
        VersionChangedError: the version that the student saw is judged differently by now. Code is kept as the draft,
            too, from which it can be handed in to the version that stands.
        NotOpenYetError, NotStartedError, TimeOverError: the assignment, or the student's clock, does not take it.
        ExerciseClosedError, NoAttemptsLeftError: nothing more is taken. What was handed in is then kept as a `Refusal`,
            as it is where the version or the clock stood against it.
    """
    arrived_at = timezone.now()
    hand_in = checked_hand_in(exercise, source=source, response=response, version=version, assignment=assignment)
    sent = _sent(student, hand_in, idempotency_key)
    terms = Terms(assignment=hand_in.assignment)
    try:
        with transaction.atomic():
            lock_student(student.pk)
            if earlier := _earlier(sent):
                return earlier
            # Before the version: else what comes after a clock's end were kept as the draft, which is handed in for it.
            terms = terms_of(student, exercise, at=arrived_at, asked=hand_in.assignment)
            check_terms(terms)
            return _stored(sent, terms)
    except REFUSALS as refusal:
        keep_refused(student, hand_in, refusal, assignment=terms.assignment)
        raise


def submit_review(
    student: User,
    exercise: Exercise,
    *,
    source: Any = None,
    response: Any = None,
    idempotency_key: str | None = None,
    version: int | None = None,
) -> Submission:
    """Take a try at a spaced review: judged as any hand-in is, in no score, and no attempt.

    If the review is due its outcome moves the date. Until there is an outcome a newer try takes the place of this one.

    Raises:
        InvalidFieldError, QuestionNotDrawnError, KeyReusedError, ExerciseClosedError, VersionChangedError: as `submit`
            does; nothing is kept.
        ReviewCard.DoesNotExist: the student is not asked this again, or not while an assignment asks for it.
    """
    at = timezone.now()
    hand_in = checked_hand_in(exercise, source=source, response=response, version=version)
    sent = _sent(student, hand_in, idempotency_key)
    with transaction.atomic():
        lock_student(student.pk)
        if earlier := _earlier(sent):
            return earlier
        card = review_card(student, exercise, at=at)
        submission = _stored(sent, PRACTICE)
        begin_review(card, submission)
        return submission


def hand_in_for_clock(student: User, hand_in: HandIn, terms: Terms) -> Submission | None:
    """Take what a student wrote until their clock ended; None where it was refused, and kept so.

    The student must be locked.

    Raises:
        InvalidFieldError: it is no answer to the question.
        QuestionNotDrawnError: there is no question.
    """
    sent = _sent(student, hand_in, None)
    try:
        with transaction.atomic():
            return _stored(sent, terms)
    except REFUSALS as refusal:
        keep_refused(student, hand_in, refusal, assignment=terms.assignment)
        return None


def _sent(student: User, hand_in: HandIn, key: str | None) -> _Sent:
    outcome = None if hand_in.is_code else _outcome(student, hand_in)
    return _Sent(student=student, hand_in=hand_in, key=None if key is None else checked_key(key), outcome=outcome)


def _earlier(sent: _Sent) -> Submission | None:
    """What the same request gave, if it came before."""
    return submission_of_key(sent.student, sent.key, sent.hand_in) if sent.key else None


def _stored(sent: _Sent, terms: Terms) -> Submission:
    check_is_current(sent.hand_in)
    submission = store_hand_in(sent.student, sent.hand_in, terms, outcome=sent.outcome)
    if sent.key:
        remember_key(submission, sent.key)
    return submission


def _outcome(student: User, hand_in: HandIn) -> Outcome | None:
    """The outcome of a response; None where a person judges it."""
    seed = response_seed(student, hand_in.exercise)
    question = hand_in.version.definition["exercise"]
    try:
        with drawing(hand_in.exercise):
            if hand_in.version.is_reviewed:
                check_response(question, hand_in.response, seed)
                return None
            return grade_response(question, hand_in.response, seed)
    except ResponseError as error:
        raise InvalidFieldError("response", str(error)) from error
