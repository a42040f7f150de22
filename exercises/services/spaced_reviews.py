"""Spaced review: when a student is asked again what once went wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from fsrs import Card, Rating, Scheduler

from exercises.choices import REVIEWED_KINDS, State
from exercises.models import Exercise, Grading, ReviewCard, Submission, User
from graders.outcomes import Verdict

LONGEST_DAYS = 365
SCHEDULER = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=LONGEST_DAYS, enable_fuzzing=False)
"""In whole days, since nobody solves an exercise again within minutes to remember it. Its weights and the 90 % that are
to be remembered are those of the library. Source: FSRS 6, fsrs 6.3."""


def note_outcome(grading: Grading, *, did_load: bool = True) -> None:
    """Let an outcome in force move the student's reviews; called in the transaction that records it.

    A card is made when an exercise that once went wrong is solved. A try at a review moves its date: further away where
    it is accepted, else nearer. Source that did not load, and a fault of ours, say nothing of what is remembered.
    """
    submission = grading.submission
    if submission.is_counted:
        _make_card(grading)
    elif did_load and grading.verdict != Verdict.INTERNAL_ERROR:
        _settle(grading)


def plan_review(student: User, exercise: Exercise) -> None:
    """Ask the student again what they gave up: tomorrow for the first time."""
    if exercise.published is not None and exercise.published.kind not in REVIEWED_KINDS:
        _add_card(student.pk, exercise.pk, rating=Rating.Again, at=timezone.now())


def begin_review(card: ReviewCard, submission: Submission) -> None:
    """Let the hand-in decide about a card that is due; of one that is not due yet nothing moves."""
    if card.due_at > submission.created_at:
        return
    card.submission = submission
    card.save(update_fields=["submission"])
    if submission.grading.state == State.GRADED:
        note_outcome(submission.grading)


def _make_card(grading: Grading) -> None:
    submission = grading.submission
    if grading.verdict != Verdict.ACCEPTED or grading.version.kind in REVIEWED_KINDS:
        return
    if _went_wrong_before(submission):
        _add_card(submission.student_id, submission.exercise_id, rating=Rating.Hard, at=submission.created_at)


def _add_card(student_id: int, exercise_id: int, *, rating: Rating, at: datetime) -> None:
    """A card that was rated once; the one that there is stays as it is."""
    first = _rated(Card(card_id=exercise_id), rating, at)
    ReviewCard.objects.get_or_create(student_id=student_id, exercise_id=exercise_id, defaults=first)


def _went_wrong_before(submission: Submission) -> bool:
    """Whether an earlier hand-in was judged not right: what did not load, and was no attempt, is no mistake."""
    earlier = Grading.objects.filter(
        student=submission.student_id,
        submission__exercise=submission.exercise_id,
        submission__is_counted=True,
        submission_id__lt=submission.pk,
        submission__attempt__given_back_at=None,
        in_force=True,
        state=State.GRADED,
    )
    return earlier.exclude(verdict__in=(Verdict.ACCEPTED, Verdict.INTERNAL_ERROR)).exists()


def _settle(grading: Grading) -> None:
    submission = grading.submission
    card = ReviewCard.objects.filter(submission=submission, due_at__lte=submission.created_at).first()
    if card is None:
        return
    rating = Rating.Good if grading.verdict == Verdict.ACCEPTED else Rating.Again
    for name, value in _rated(Card.from_dict(card.state), rating, submission.created_at).items():
        setattr(card, name, value)
    card.save()


def _rated(card: Card, rating: Rating, at: datetime) -> dict[str, Any]:
    """The fields of a row after the card was rated at this moment."""
    moved, _log = SCHEDULER.review_card(card, rating, at.astimezone(UTC))
    return {"state": moved.to_dict(), "due_at": moved.due}
