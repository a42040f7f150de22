from django.db import transaction
from django.utils import timezone

from exercises.choices import Lane, Reason, State
from exercises.errors import RegradeImpossibleError, RegradeNotReadyError
from exercises.models import ExerciseVersion, Grading, Regrade, Submission
from exercises.queue import enqueue_work
from exercises.services.locks import lock_student
from exercises.services.outcomes import NO_FACTS, follow_best_score, publish_after_commit, write_outcome
from graders.errors import GraderError
from graders.outcomes import Outcome, Verdict
from graders.questions.kinds import grade_response
from graders.questions.parameters import pinned


@transaction.atomic
def queue_regrade(
    submission: Submission, version: ExerciseVersion, *, regrade: Regrade | None = None, is_dry: bool = False
) -> Grading:
    """A second judging of the submission; a dry run if it is part of a `regrade`, or `is_dry` by itself.

    It changes nothing until it is applied. A response is judged at once, as the answer to what the student was asked:
    with the numbers of that variant. Code waits for a worker, whom the caller of a whole regrade wakes.

    Raises:
        RegradeImpossibleError: this version does not have what the response names or is of another kind, a person
            judges it, or it was erased.
    """
    require_kept(submission)
    if version.is_reviewed:
        raise RegradeImpossibleError("A person judges this exercise: review the submission instead.")
    if version.kind != submission.version.kind:
        asked = f"{submission.version.kind}, and version {version.number} is {version.kind}"
        raise RegradeImpossibleError(f"What was handed in answers an exercise of the kind {asked}.")
    outcome = None if version.is_code else _outcome(submission, version)
    grading = Grading.objects.create(
        student_id=submission.student_id,
        submission=submission,
        version=version,
        lane=Lane.REGRADE,
        reason=Reason.DRY_RUN if regrade or is_dry else Reason.REGRADE,
        regrade=regrade,
        instead_of=submission.gradings.filter(in_force=True).first(),
        queued_at=timezone.now(),
    )
    if outcome is not None:
        write_outcome(grading, outcome, facts=NO_FACTS)
    elif regrade is None:
        enqueue_work()
    return grading


@transaction.atomic
def apply_regrade(grading: Grading) -> None:
    """Put the regrade in force in place of the grading before it, and make the best score follow.

    Raises:
        RegradeNotReadyError: it has no outcome, or none that could be scored.
        RegradeImpossibleError: what it judged was erased meanwhile.
    """
    lock_student(grading.student_id)
    grading.refresh_from_db()
    require_kept(grading.submission)
    if grading.state != State.GRADED or grading.verdict == Verdict.INTERNAL_ERROR:
        raise RegradeNotReadyError("A regrade takes effect only once it has an outcome.")
    put_in_force(grading)
    follow_best_score(grading.student_id, grading.submission.exercise)


def put_in_force(grading: Grading) -> None:
    """Let the grading take the place of the one before it. The caller locks the student, then refreshes the score."""
    grading.submission.gradings.filter(in_force=True).update(in_force=False)
    grading.in_force, grading.reason = True, Reason.REGRADE
    grading.save(update_fields=["in_force", "reason", "instead_of"])
    publish_after_commit(grading.topic)


def require_kept(submission: Submission) -> None:
    """Raises: RegradeImpossibleError where its student had the account erased: judged anew it would be empty."""
    if submission.is_erased:
        raise RegradeImpossibleError(
            f"The account behind {submission.receipt} was erased, and with it what was handed in: "
            "nothing is left that could be judged anew."
        )


def _outcome(submission: Submission, version: ExerciseVersion) -> Outcome:
    asked = submission.version.definition["exercise"]
    try:
        question = pinned(version.definition["exercise"], asked, submission.seed)
        return grade_response(question, submission.response, submission.seed)
    except GraderError as error:
        raise RegradeImpossibleError(f"Version {version.number} cannot judge this response: {error}.") from error
