from django.db import transaction
from django.utils import timezone

from exercises.choices import Lane, Reason, State
from exercises.errors import RegradeImpossibleError, RegradeNotReadyError
from exercises.models import ExerciseVersion, Grading, Submission
from exercises.queue import enqueue_work
from exercises.services.best_scores import refresh_best_score
from exercises.services.locks import lock_student
from exercises.services.outcomes import NO_FACTS, publish_after_commit, write_outcome
from graders.errors import GraderError
from graders.outcomes import Outcome, Verdict
from graders.questions.kinds import grade_response
from graders.questions.parameters import pinned


@transaction.atomic
def queue_regrade(submission: Submission, version: ExerciseVersion) -> Grading:
    """A second judging of the submission, by another version. It changes nothing until it is applied.

    A response is judged at once, as the answer to what the student was asked: with the numbers of that variant.

    Raises:
        RegradeImpossibleError: this version does not have what the response names, or a person judges it.
    """
    if version.is_reviewed:
        raise RegradeImpossibleError("A person judges this exercise: review the submission instead.")
    outcome = None if version.is_code else _outcome(submission, version)
    grading = Grading.objects.create(
        student=submission.student,
        submission=submission,
        version=version,
        lane=Lane.REGRADE,
        reason=Reason.REGRADE,
        queued_at=timezone.now(),
    )
    if outcome is not None:
        write_outcome(grading, outcome, facts=NO_FACTS)
    else:
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


def _outcome(submission: Submission, version: ExerciseVersion) -> Outcome:
    asked = submission.version.definition["exercise"]
    try:
        question = pinned(version.definition["exercise"], asked, submission.seed)
        return grade_response(question, submission.response, submission.seed)
    except GraderError as error:
        raise RegradeImpossibleError(f"Version {version.number} cannot judge this response: {error}.") from error
