from collections import Counter
from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from exercises.choices import STAFF_ROLES, Lane, RunKind, State
from exercises.models import BestScore, Exercise, Grading, Membership, Run, Submission, User
from exercises.queries.best_scores import shown_best_scores
from exercises.queries.gradings import with_gradings, without_feedback


def submissions_of(student: User, exercise: Exercise) -> QuerySet[Submission]:
    """The student's hand-ins to the exercise, the newest first; `grading` and `attempt` cost no further query."""
    found = with_gradings(Submission.objects.filter(student=student, exercise=exercise).select_related("attempt"))
    return without_feedback(found)


def submission_lines_of(student: User, exercise: Exercise) -> QuerySet[Submission]:
    """The same for lists, without what was handed in: each may be as long as a hand-in may be."""
    return submissions_of(student, exercise).defer("source", "response")


def attempts_among(submissions: Iterable[Submission]) -> Counter[int | None]:
    """How many of these count as attempts, by the id of their assignment; `attempt` must have been fetched."""
    charged = (row for row in submissions if hasattr(row, "attempt") and row.attempt.given_back_at is None)
    return Counter(row.assignment_id for row in charged)


def submission_for(viewer: User, submission_id: int) -> Submission:
    """A submission that the viewer may see: their own, or one in a course where they are staff.

    Raises:
        Submission.DoesNotExist: there is none, or not for this viewer.
    """
    staff = Membership.objects.filter(course=OuterRef("exercise__course"), user=viewer, role__in=STAFF_ROLES)
    submissions = Submission.objects.select_related("student", "exercise__course", "exercise__published", "version")
    return with_gradings(submissions.filter(Q(student=viewer) | Exists(staff))).get(pk=submission_id)


def run_for(viewer: User, run_id: int) -> Run:
    """A run of the viewer's own; runs are nobody else's business.

    Not one of a submission's copy: that one tells of hidden cases, to whoever is staff at the time
    (`queries.receipts.staff_run_in`).

    Raises:
        Run.DoesNotExist: there is none, or it is another's.
    """
    runs = Run.objects.select_related("version", "lesson__course").exclude(kind=RunKind.JUDGED)
    return runs.get(student=viewer, pk=run_id)


def queue_place(submission: Submission) -> int | None:
    """Its place among the waiting submissions, from 1 on; None if it does not wait, or waits for a person."""
    grading = submission.grading
    if grading.state != State.QUEUED or grading.lane == Lane.REVIEW:
        return None
    waiting = Grading.objects.filter(state=State.QUEUED)
    older = Q(queued_at__lt=grading.queued_at) | Q(queued_at=grading.queued_at, pk__lt=grading.pk)
    return waiting.filter(Q(lane__lt=grading.lane) | Q(older, lane=grading.lane)).count() + 1


def run_place(run: Run) -> int | None:
    """Its place among the waiting runs, from 1 on; None if it does not wait."""
    if run.state != State.QUEUED:
        return None
    older = Q(queued_at__lt=run.queued_at) | Q(queued_at=run.queued_at, pk__lt=run.pk)
    return Run.objects.filter(older, state=State.QUEUED).count() + 1


def best_score_of(student: User, exercise: Exercise) -> BestScore | None:
    """The student's best score of the exercise, of what they may see; None before the first such outcome."""
    return shown_best_scores(student, BestScore.objects.filter(exercise=exercise)).get(exercise.pk)
