"""What students take back themselves: hand-ins that wait, runs that wait or run."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from exercises.blobs import pack
from exercises.choices import Lane, State
from exercises.models import Grading, Run, Submission, User
from exercises.queue import enqueue_work
from exercises.services.attempts import give_back_attempt
from exercises.services.locks import lock_student
from exercises.services.outcomes import publish_after_commit

WITHDRAWABLE_LANES = (Lane.SUBMISSION, Lane.REPLACED)
_WORDS = "You took it back before it was judged. It costs no attempt."


def withdraw(submission: Submission, *, student: User) -> bool:
    """Take a hand-in back that waits for a worker, and give its attempt back.

    False, and nothing changed, where it is too late, it waits for a person, or it is another's.
    """
    with transaction.atomic():
        lock_student(student.pk)
        waiting = Grading.objects.filter(
            submission=submission, student=student, in_force=True, state=State.QUEUED, lane__in=WITHDRAWABLE_LANES
        )
        feedback = pack({"feedback": {"summary": _WORDS}, "cases": []})
        # One statement: a worker that claims it at the same moment has it, or has it not.
        if not waiting.update(state=State.SUPERSEDED, finished_at=timezone.now(), feedback=feedback):
            return False
        give_back_attempt(submission.pk, because="withdrawn by its author")
        publish_after_commit(submission.topic)
        return True


def cancel_run(run: Run, *, student: User) -> bool:
    """Let a run go that waits or runs; False, and nothing changed, where it is done, or another's.

    What runs goes on to its limits without being heard, and its lease is left until then: it still counts as one of
    those that a student may have at once.
    """
    with transaction.atomic():
        lock_student(student.pk)
        unfinished = Run.objects.filter(pk=run.pk, student=student, state__in=(State.QUEUED, State.RUNNING))
        if not unfinished.update(state=State.SUPERSEDED, finished_at=timezone.now()):
            return False
        publish_after_commit(run.topic)
        # The student's next run may have waited for this one.
        enqueue_work()
        return True
