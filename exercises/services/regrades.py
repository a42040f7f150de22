from django.db import transaction
from django.utils import timezone

from exercises.choices import Lane, Reason, State
from exercises.errors import RegradeNotReadyError
from exercises.models import ExerciseVersion, Grading, Submission
from exercises.queue import enqueue_work
from exercises.services.best_scores import refresh_best_score
from exercises.services.locks import lock_student
from exercises.services.outcomes import publish_after_commit
from graders.outcomes import Verdict


@transaction.atomic
def queue_regrade(submission: Submission, version: ExerciseVersion) -> Grading:
    """A second judging of the submission, by another version. It changes nothing until it is applied."""
    grading = Grading.objects.create(
        student=submission.student,
        submission=submission,
        version=version,
        lane=Lane.REGRADE,
        reason=Reason.REGRADE,
        queued_at=timezone.now(),
    )
    enqueue_work()
    return grading


@transaction.atomic
def apply_regrade(grading: Grading) -> None:
    """Put the regrade in force in place of the grading before it, and make the best score follow.

    Raises:
        RegradeNotReadyError: it has no outcome, or none that could be scored.
    """
    lock_student(grading.student_id)
    grading.refresh_from_db()
    if grading.state != State.GRADED or grading.verdict == Verdict.INTERNAL_ERROR:
        raise RegradeNotReadyError("A regrade takes effect only once it has an outcome.")
    grading.submission.gradings.filter(in_force=True).update(in_force=False)
    grading.in_force = True
    grading.save(update_fields=["in_force"])
    refresh_best_score(grading.student_id, grading.submission.exercise_id)
    publish_after_commit(grading.topic)
