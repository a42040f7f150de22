from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from exercises.choices import Lane, RefusalReason, State
from exercises.errors import (
    ExerciseClosedError,
    ExerciseError,
    InvalidFieldError,
    NoAttemptsLeftError,
    NotOpenYetError,
    NotStartedError,
    TimeOverError,
    VersionChangedError,
)
from exercises.models import Assignment, Exercise, Grading, Refusal, Submission, User
from exercises.queries.attempts import attempts_allowed
from exercises.queries.questions import response_seed
from exercises.queries.spaced_reviews import review_card
from exercises.queries.terms import Terms, terms_of
from exercises.queries.windows import Window
from exercises.queue import enqueue_work
from exercises.services.attempts import charge_attempt, give_back_attempt
from exercises.services.hand_ins import HandIn, check_is_current, checked_hand_in
from exercises.services.idempotency import checked_key, remember_key, submission_of_key
from exercises.services.kept_drafts import keep_as_draft
from exercises.services.locks import lock_student
from exercises.services.outcomes import NO_FACTS, publish_after_commit, take_over_outcome, write_outcome
from exercises.services.spaced_reviews import begin_review
from graders.errors import ResponseError
from graders.outcomes import Outcome, Verdict
from graders.questions.kinds import check_response, grade_response

REASONS: dict[type[ExerciseError], RefusalReason] = {
    ExerciseClosedError: RefusalReason.CLOSED,
    NotOpenYetError: RefusalReason.NOT_OPEN,
    NotStartedError: RefusalReason.NOT_STARTED,
    TimeOverError: RefusalReason.TIME_OVER,
    NoAttemptsLeftError: RefusalReason.NO_ATTEMPTS,
    VersionChangedError: RefusalReason.VERSION_CHANGED,
}
RECEIPT_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without those that are taken for another when read aloud or copied by hand."""
MACHINE_VERDICTS = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.RESOURCE_LIMIT)
"""They may come out differently on another day: an equal hand-in is judged afresh."""
PRACTICE = Terms(is_counted=False)


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
        KeyReusedError: the key came before, with another body.
        VersionChangedError: the version that the student saw is judged differently by now. Code is kept as the draft,
            too, from which it can be handed in to the version that stands.
        NotOpenYetError, NotStartedError, TimeOverError: the assignment, or the student's clock, does not take it.
        ExerciseClosedError, NoAttemptsLeftError: nothing more is taken. What was handed in is then kept as a `Refusal`,
            as it is where the version or the clock stood against it.
    """
    arrived_at = timezone.now()
    hand_in = checked_hand_in(exercise, source=source, response=response, version=version, assignment=assignment)
    key = None if idempotency_key is None else checked_key(idempotency_key)
    outcome = None if hand_in.is_code else _outcome(student, hand_in)
    terms = Terms(assignment=hand_in.assignment)
    try:
        with transaction.atomic():
            lock_student(student.pk)
            if key and (earlier := submission_of_key(student, key, hand_in)):
                return earlier
            # Before the version: else what comes after a clock's end were kept as the draft, which is handed in for it.
            terms = terms_of(student, exercise, at=arrived_at, asked=hand_in.assignment)
            _check_terms(terms)
            check_is_current(hand_in)
            submission = _store(student, hand_in, terms, outcome)
            if key:
                remember_key(submission, key)
            return submission
    except tuple(REASONS) as refusal:
        _keep_refusal(student, hand_in, refusal, terms.assignment)
        if isinstance(refusal, VersionChangedError) and hand_in.is_code:
            keep_as_draft(student, hand_in.exercise, hand_in.source)
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
        InvalidFieldError, KeyReusedError, ExerciseClosedError, VersionChangedError: as `submit` does; nothing is kept.
        ReviewCard.DoesNotExist: the student is not asked this again, or not while an assignment asks for it.
    """
    at = timezone.now()
    hand_in = checked_hand_in(exercise, source=source, response=response, version=version)
    key = None if idempotency_key is None else checked_key(idempotency_key)
    outcome = None if hand_in.is_code else _outcome(student, hand_in)
    with transaction.atomic():
        lock_student(student.pk)
        if key and (earlier := submission_of_key(student, key, hand_in)):
            return earlier
        card = review_card(student, exercise, at=at)
        check_is_current(hand_in)
        submission = _store(student, hand_in, PRACTICE, outcome)
        begin_review(card, submission)
        if key:
            remember_key(submission, key)
        return submission


def hand_in_for_clock(student: User, hand_in: HandIn, terms: Terms) -> Submission | None:
    """Take code that a student wrote until their clock ended; None where it was refused, and kept so.

    The student must be locked.
    """
    try:
        with transaction.atomic():
            check_is_current(hand_in)
            return _store(student, hand_in, terms, None)
    except tuple(REASONS) as refusal:
        _keep_refusal(student, hand_in, refusal, terms.assignment)
        return None


def _outcome(student: User, hand_in: HandIn) -> Outcome | None:
    """The outcome of a response; None where a person judges it."""
    seed = response_seed(student, hand_in.exercise)
    question = hand_in.version.definition["exercise"]
    try:
        if hand_in.version.is_reviewed:
            check_response(question, hand_in.response, seed)
            return None
        return grade_response(question, hand_in.response, seed)
    except ResponseError as error:
        raise InvalidFieldError("response", str(error)) from error


def _check_terms(terms: Terms) -> None:
    """Raises: the error that says why the assignment does not take the hand-in just now."""
    if terms.refusal is None:
        return
    assert terms.assignment is not None
    title, kept = terms.assignment.title, "What you handed in is kept with its time, and staff can see it."
    if terms.refusal == RefusalReason.NOT_OPEN:
        raise NotOpenYetError(f"“{title}” is not open yet. {kept}")
    if terms.refusal == RefusalReason.NOT_STARTED:
        raise NotStartedError(f"“{title}” has to be started first, on its page. {kept}")
    if terms.refusal == RefusalReason.TIME_OVER:
        raise TimeOverError(f"Your time for “{title}” is over. {kept}")
    raise ExerciseClosedError(f"“{title}” is closed. {kept} You can still practise: open the exercise again.")


def _store(student: User, hand_in: HandIn, terms: Terms, outcome: Outcome | None) -> Submission:
    twin = _judged_twin(student, hand_in)
    place = _replace_waiting(student, hand_in.exercise, terms)
    submission = Submission.objects.create(
        student=student,
        exercise=hand_in.exercise,
        version=hand_in.version,
        receipt=_receipt(),
        source=hand_in.source,
        response=hand_in.response,
        seed="" if hand_in.is_code else response_seed(student, hand_in.exercise),
        body_hash=hand_in.body_hash,
        assignment=terms.assignment,
        is_counted=terms.is_counted,
        due_at=terms.window.due_at if terms.window else None,
    )
    if twin is None and terms.is_counted:
        charge_attempt(submission)
    grading = Grading.objects.create(
        student=student,
        submission=submission,
        version=hand_in.version,
        lane=Lane.REVIEW if hand_in.version.is_reviewed else Lane.SUBMISSION,
        in_force=True,
        queued_at=place or submission.created_at,
    )
    _judge_or_queue(grading, outcome, twin)
    return submission


def _judge_or_queue(grading: Grading, outcome: Outcome | None, twin: Grading | None) -> None:
    if outcome is not None:
        write_outcome(grading, outcome, facts=NO_FACTS)
    elif twin is not None and twin.verdict not in MACHINE_VERDICTS:
        take_over_outcome(grading, twin)
    elif grading.lane != Lane.REVIEW:
        enqueue_work()


def _judged_twin(student: User, hand_in: HandIn) -> Grading | None:
    """The grading of an equal hand-in, if it was judged as this one would be."""
    return (
        Grading.objects.filter(
            submission__student=student,
            submission__exercise=hand_in.exercise,
            submission__body_hash=hand_in.body_hash,
            version__grading_hash=hand_in.version.grading_hash,
            in_force=True,
            state=State.GRADED,
        )
        .exclude(verdict=Verdict.INTERNAL_ERROR)
        .last()
    )


def _replace_waiting(student: User, exercise: Exercise, terms: Terms) -> datetime | None:
    """Let the student's waiting hand-ins of this exercise make way; their place in the queue, if there was one.

    They are judged after everybody else's; or not at all, where attempts are limited, since it would be one for free,
    and where a person judges. Practice takes no place of what counts, nor a late one that of an earlier day's.
    """
    place = None
    is_limited = attempts_allowed(student, exercise, assignment=terms.assignment) is not None
    waiting = Grading.objects.filter(
        student=student,
        submission__exercise=exercise,
        submission__assignment=terms.assignment,
        submission__is_counted=terms.is_counted,
        state=State.QUEUED,
        lane__in=(Lane.SUBMISSION, Lane.REVIEW),
    ).select_related("submission")
    for grading in waiting.order_by("-queued_at"):
        if terms.window and _is_worth_more(grading.submission, terms.window):
            continue
        place = grading.queued_at
        if not is_limited and grading.lane == Lane.SUBMISSION:
            grading.lane = Lane.REPLACED
        else:
            grading.state, grading.finished_at = State.SUPERSEDED, timezone.now()
        grading.save()
        give_back_attempt(grading.submission_id, because="replaced by a newer submission")
        publish_after_commit(grading.topic)
    return place


def _is_worth_more(earlier: Submission, window: Window) -> bool:
    """Whether the earlier hand-in loses less for being late than one of now would."""
    return window.share_kept(earlier.created_at) > window.share_kept(timezone.now())


def _receipt() -> str:
    """Eight letters, as `7F3K-22XA`: one of 6.5e11, so that they don't tell how many there are."""
    letters = "".join(secrets.choice(RECEIPT_LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def _keep_refusal(student: User, hand_in: HandIn, refusal: ExerciseError, assignment: Assignment | None) -> None:
    Refusal.objects.create(
        student=student,
        exercise=hand_in.exercise,
        assignment=assignment,
        reason=REASONS[type(refusal)],
        source=hand_in.source,
        response=hand_in.response,
    )
