"""A hand-in that is taken, as rows: the submission, its attempt, its first grading."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime
from functools import partial

from django.db import transaction
from django.utils import timezone

from exercises.choices import Lane, State
from exercises.models import Exercise, Grading, Submission, User
from exercises.queries.attempts import attempts_allowed
from exercises.queries.questions import response_seed
from exercises.queries.terms import Terms
from exercises.queries.windows import Window
from exercises.queries.withheld import withheld_from
from exercises.queue import enqueue_work
from exercises.services.attempts import charge_attempt, give_back_attempt
from exercises.services.hand_ins import HandIn
from exercises.services.outcomes import NO_FACTS, publish_after_commit, take_over_outcome, write_outcome
from graders.outcomes import Outcome, Verdict

logger = logging.getLogger(__name__)

RECEIPT_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without those that are taken for another when read aloud or copied by hand."""
MACHINE_VERDICTS = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.RESOURCE_LIMIT)
"""They may come out differently on another day: an equal hand-in is judged afresh, if its student sees outcomes."""


def store_hand_in(student: User, hand_in: HandIn, terms: Terms, *, outcome: Outcome | None) -> Submission:
    """The hand-in on these terms, judged where its `outcome` is known, else waiting; the student is locked.

    Raises:
        NoAttemptsLeftError: it would count, and all attempts are used.
    """
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
    # By this line a request leads to its submission, and that to the lines of the worker and the runner.
    facts = {"submission": submission.pk, "work": f"grading-{grading.pk}"}
    transaction.on_commit(partial(logger.info, "handed in", extra=facts), robust=True)
    if grading.state == State.QUEUED:
        publish_after_commit(hand_in.exercise.class_topic)
    return submission


def _judge_or_queue(grading: Grading, outcome: Outcome | None, twin: Grading | None) -> None:
    if outcome is not None:
        write_outcome(grading, outcome, facts=NO_FACTS)
    elif twin is not None and not _is_judged_afresh(grading, twin):
        take_over_outcome(grading, twin)
    elif grading.lane != Lane.REVIEW:
        enqueue_work()


def _is_judged_afresh(grading: Grading, twin: Grading) -> bool:
    """Whether it might come out differently; not where that it waits would tell how the first came out."""
    return twin.verdict in MACHINE_VERDICTS and not withheld_from(grading.student).hides(grading)


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
    for grading in waiting.order_by("-queued_at", "-pk"):
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
