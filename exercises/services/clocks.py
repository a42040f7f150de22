"""The clock of a quiz: started by the student, ended by the student or by time, and then nothing is lost."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from exercises.errors import NotAllowedError, NotOpenYetError, TimeOverError
from exercises.models import Assignment, AssignmentStart, Draft, Submission, User
from exercises.queries.assignments import clock_length
from exercises.queries.terms import Terms
from exercises.queries.windows import Window, window_of
from exercises.services.hand_ins import checked_hand_in
from exercises.services.locks import lock_student
from exercises.services.submit import hand_in_for_clock


@transaction.atomic
def start_assignment(student: User, assignment: Assignment) -> AssignmentStart:
    """Start the student's clock, once: another start gives the first one, and its end does not move.

    The clock is as long as the student's extra time makes it. It ends at the closing date at the latest: that one is
    moved by an extension, not by extra time.

    Raises:
        NotAllowedError: it is no quiz.
        NotOpenYetError: the assignment opens later.
        TimeOverError: it is closed.
    """
    if not assignment.is_quiz:
        raise NotAllowedError(f"“{assignment.title}” is no quiz: there is nothing to start.")
    lock_student(student.pk)
    earlier = AssignmentStart.objects.filter(assignment=assignment, student=student).first()
    if earlier is not None:
        return earlier
    now, window = timezone.now(), window_of(assignment, student)
    if not window.has_opened(now):
        raise NotOpenYetError(f"“{assignment.title}” is not open yet.")
    if window.is_closed(now):
        raise TimeOverError(f"“{assignment.title}” is closed.")
    return AssignmentStart.objects.create(
        assignment=assignment, student=student, ends_at=_end(assignment, student, window, now=now)
    )


@transaction.atomic
def finish_assignment(student: User, assignment: Assignment) -> AssignmentStart | None:
    """End the student's quiz before its time: their last drafts are handed in. None where it was never started."""
    lock_student(student.pk)
    start = AssignmentStart.objects.select_related("assignment__course").filter(assignment=assignment, student=student)
    if (found := start.first()) is not None and found.handed_in_at is None:
        _hand_in_drafts(found)
        found.handed_in_at = min(filter(None, (timezone.now(), found.ends_at)))
        found.save(update_fields=["handed_in_at"])
    return found


def lengthen_clock(start: AssignmentStart, window: Window) -> None:
    """Let a clock that runs end when it would, were it started under what holds now; never earlier than it does."""
    lock_student(start.student_id)
    start.refresh_from_db()
    if start.handed_in_at is None and start.ends_at is not None:
        ends_at = _end(start.assignment, start.student, window, now=start.started_at)
        start.ends_at = max(filter(None, (ends_at, start.ends_at)))
        start.save(update_fields=["ends_at"])


def settle_clocks(*, student: User | None = None) -> int:
    """Hand in the last drafts of those whose clock has ended, each in a transaction; how many clocks were settled."""
    ended = AssignmentStart.objects.filter(handed_in_at=None, ends_at__lte=timezone.now())
    if student is not None:
        ended = ended.filter(student=student)
    return sum(_settle(pk, student_id) for pk, student_id in ended.values_list("pk", "student_id"))


@transaction.atomic
def _settle(start_id: int, student_id: int) -> bool:
    lock_student(student_id)
    found = AssignmentStart.objects.select_related("assignment__course", "student")
    start = found.filter(pk=start_id, handed_in_at=None).first()
    if start is None:
        return False
    _hand_in_drafts(start)
    start.handed_in_at = start.ends_at
    start.save(update_fields=["handed_in_at"])
    return True


def _hand_in_drafts(start: AssignmentStart) -> None:
    """Hand in what was written since the start and is not what was handed in last."""
    window = window_of(start.assignment, start.student)
    terms = Terms(assignment=start.assignment, window=window)
    drafts = Draft.objects.filter(
        student=start.student, exercise__in=start.assignment.exercises.all(), saved_at__gte=start.started_at
    )
    for draft in drafts.select_related("exercise__course", "exercise__published").order_by("exercise__position"):
        if draft.source.strip() and draft.source != _last_source(start, draft) and draft.exercise.is_code:
            hand_in = checked_hand_in(draft.exercise, source=draft.source, response=None, version=None)
            hand_in_for_clock(start.student, hand_in, terms)


def _last_source(start: AssignmentStart, draft: Draft) -> str | None:
    handed_in = Submission.objects.filter(
        student=start.student, exercise=draft.exercise_id, assignment=start.assignment_id
    )
    return handed_in.values_list("source", flat=True).first()


def _end(assignment: Assignment, student: User, window: Window, *, now: datetime) -> datetime | None:
    length = clock_length(assignment, student)
    return None if length is None else min(filter(None, (now + length, window.closes_at)))
