from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from exercises.choices import AuditAction, Reason, State
from exercises.errors import NotAllowedError
from exercises.models import Grading, User
from exercises.queue import enqueue_work
from exercises.services.audit import record_action
from exercises.services.locks import lock_students
from exercises.services.outcomes import publish_after_commit
from exercises.services.regrades import require_kept
from graders.outcomes import Verdict


@transaction.atomic
def requeue(grading_ids: Iterable[int], *, actor: User) -> int:
    """Let workers try again what we gave up by our own fault, with its three tries anew; how many they were.

    What was judged meanwhile, or is none of these, is left alone. The attempt that was given back stays so.

    Raises:
        NotAllowedError: the actor does not run this site.
        RegradeImpossibleError: one was erased with its student's account; nothing is put back then.
    """
    if not actor.is_staff:
        raise NotAllowedError("Only those who run this site may put work back into the queue.")
    given_up = Grading.objects.filter(pk__in=list(grading_ids), state=State.GRADED, verdict=Verdict.INTERNAL_ERROR)
    given_up = given_up.exclude(reason=Reason.DRY_RUN)
    lock_students(given_up.values_list("student_id", flat=True))
    found = list(given_up.select_related("submission__exercise__course").order_by("pk"))
    for grading in found:
        require_kept(grading.submission)
    for grading in found:
        _put_back(grading, actor)
    if found:
        enqueue_work()
    return len(found)


def _put_back(grading: Grading, actor: User) -> None:
    grading.state, grading.verdict, grading.tries = State.QUEUED, "", 0
    grading.queued_at, grading.retry_at = timezone.now(), None
    grading.started_at = grading.finished_at = grading.score = grading.max_score = grading.feedback = None
    grading.save()
    record_action(
        grading.submission.exercise.course,
        AuditAction.REQUEUED,
        actor=actor,
        target=grading.submission.receipt,
        details={"fault": grading.fault},
    )
    publish_after_commit(grading.topic)
