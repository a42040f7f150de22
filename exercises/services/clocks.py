"""The clock of a quiz: started by the student, ended by the student or by time, and then nothing is lost."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from exercises.errors import InvalidFieldError, NotAllowedError, NotOpenYetError, QuestionNotDrawnError, TimeOverError
from exercises.models import Assignment, AssignmentStart, Draft, Exercise, Submission, User
from exercises.queries.assignments import clock_length
from exercises.queries.solutions import has_given_up
from exercises.queries.terms import Terms
from exercises.queries.versions import last_met_version
from exercises.queries.windows import Window, window_of
from exercises.responses import is_blank, response_of_fields
from exercises.services.faults import going_on
from exercises.services.hand_ins import checked_hand_in
from exercises.services.locks import lock_student
from exercises.services.refusals import keep_unreadable
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
    """Hand in the last drafts of those whose clock has ended, each in a transaction; how many clocks were settled.

    One that cannot be settled, by a fault of ours, is logged and holds up no other.
    """
    ended = _ended() if student is None else _ended().filter(student=student)
    settled = 0
    for pk, student_id in ended.values_list("pk", "student_id"):
        with going_on(f"settling the clock {pk}"):
            settled += _settle(pk, student_id)
    return settled


def settle_before_writing(student: User, exercise: Exercise) -> None:
    """Settle the student's clocks whose end hands in what stands in the exercise, before anything else stands there.

    Raises: whatever keeps one from being settled; what is written after the end must not be taken for the last draft.
    """
    for pk in _ended().filter(student=student, assignment__exercises=exercise).values_list("pk", flat=True):
        _settle(pk, student.pk)


def _ended() -> QuerySet[AssignmentStart]:
    return AssignmentStart.objects.filter(handed_in_at=None, ends_at__lte=timezone.now())


@transaction.atomic
def _settle(start_id: int, student_id: int) -> bool:
    lock_student(student_id)
    # Asked again, and held: staff may have given more time since the clocks were listed.
    ended = _ended().select_related("assignment__course", "student").filter(pk=start_id)
    start = ended.select_for_update(of=("self",), no_key=True).first()
    if start is None:
        return False
    _hand_in_drafts(start)
    start.handed_in_at = start.ends_at
    start.save(update_fields=["handed_in_at"])
    return True


def _hand_in_drafts(start: AssignmentStart) -> None:
    """Hand in what was written since the start and is not what was handed in last."""
    drafts = Draft.objects.filter(
        student=start.student, exercise__in=start.assignment.exercises.all(), saved_at__gte=start.started_at
    )
    for draft in drafts.select_related("exercise__course", "exercise__published").order_by("exercise__position"):
        try:
            _hand_in_draft(start, draft)
        except (InvalidFieldError, QuestionNotDrawnError):
            keep_unreadable(start.student, draft.exercise, draft.response, assignment=start.assignment)


def _hand_in_draft(start: AssignmentStart, draft: Draft) -> None:
    """Hand in one draft, if it says something new.

    Raises:
        InvalidFieldError: the fields of a form are no answer, such as one with half of its gaps filled.
        QuestionNotDrawnError: there is no question that could be judged.
    """
    version = last_met_version(draft.exercise)
    if version is None:
        return
    source = draft.source if version.is_code and draft.source.strip() else None
    has_answer = not version.is_code and draft.response and not is_blank(draft.response)
    response = response_of_fields(draft.response or {}, version) if has_answer else None
    if source is None and response is None:
        return
    hand_in = checked_hand_in(draft.exercise, source=source, response=response, version=None)
    last = _last_hand_in(start, draft)
    if last is not None and last.body_hash == hand_in.body_hash:
        return
    is_counted = not has_given_up(start.student, draft.exercise)
    window = window_of(start.assignment, start.student)
    hand_in_for_clock(start.student, hand_in, Terms(assignment=start.assignment, window=window, is_counted=is_counted))


def _last_hand_in(start: AssignmentStart, draft: Draft) -> Submission | None:
    return Submission.objects.filter(
        student=start.student, exercise=draft.exercise_id, assignment=start.assignment_id
    ).first()


def _end(assignment: Assignment, student: User, window: Window, *, now: datetime) -> datetime | None:
    length = clock_length(assignment, student)
    return None if length is None else min(filter(None, (now + length, window.closes_at)))
