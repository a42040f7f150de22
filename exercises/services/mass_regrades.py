"""Everything that was handed in to an exercise, judged anew by its corrected version: looked at first, then applied.

Both go in batches, each a transaction of its own: the first at once, the others by the sweeper. So a regrade survives
whatever dies meanwhile, and doing a batch once more finds nothing left to do.
"""

from __future__ import annotations

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import AuditAction, Lane, Reason, RegradeState, State
from exercises.errors import RegradeImpossibleError, RegradeNotReadyError
from exercises.models import BestScore, Exercise, ExerciseVersion, Grading, Notice, Regrade, Submission, User
from exercises.queries.regrade_changes import regrade_summary
from exercises.queries.regrades import is_better, regrade_progress, submissions_due, to_be_applied
from exercises.queries.submissions import best_score_of
from exercises.queries.withheld import withheld_from
from exercises.queue import enqueue_work
from exercises.services.attempts import give_back_attempt
from exercises.services.audit import record_action
from exercises.services.locks import lock_student
from exercises.services.outcomes import follow_best_score, publish_after_commit
from exercises.services.regrade_ends import end_regrade
from exercises.services.regrades import put_in_force, queue_regrade
from exercises.services.revisions import lock_exercise
from exercises.services.rights import require_instructor
from graders.outcomes import Verdict

SUBMISSIONS_AT_ONCE = 200
STUDENTS_AT_ONCE = 25


def preview_regrade(exercise: Exercise, *, author: User) -> Regrade:
    """Have every hand-in judged anew that was judged by another grading hash; an open regrade is answered with.

    Nothing takes effect before it is applied.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        RegradeImpossibleError: nothing is published, or a person judges it.
    """
    require_instructor(author, exercise.course)
    with transaction.atomic():
        lock_exercise(exercise)
        regrade = exercise.regrades.filter(state__in=(RegradeState.PREVIEW, RegradeState.APPLYING)).first()
        if regrade is None:
            version = _judging_version(exercise)
            regrade = Regrade.objects.create(exercise=exercise, version=version, asked_by=author)
    continue_regrade(regrade.pk)
    regrade.refresh_from_db()
    return regrade


def apply_regrade_of(regrade: Regrade, *, author: User) -> Regrade:
    """Let the regrade take effect: all of it, or only what is better where the course keeps the better score.

    An attempt is given back where the correction changes whether it is accepted, and its student sees that.

    Applying what is applied already changes nothing; applying what was broken off goes on with it.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        RegradeNotReadyError: not everything is judged yet, or it was cancelled.
    """
    require_instructor(author, regrade.exercise.course)
    with transaction.atomic():
        lock_exercise(regrade.exercise)
        regrade.refresh_from_db()
        if regrade.state == RegradeState.CANCELLED:
            raise RegradeNotReadyError("This regrade was cancelled.")
        if regrade.state == RegradeState.PREVIEW:
            _begin_applying(regrade, author)
    continue_regrade(regrade.pk)
    regrade.refresh_from_db()
    return regrade


@transaction.atomic
def cancel_regrade(regrade: Regrade, *, author: User) -> None:
    """Give the preview up; none of its gradings is left. Cancelling what is cancelled changes nothing.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        RegradeNotReadyError: it takes effect already.
    """
    course = regrade.exercise.course
    require_instructor(author, course)
    lock_exercise(regrade.exercise)
    regrade.refresh_from_db()
    if regrade.state in (RegradeState.APPLYING, RegradeState.APPLIED):
        raise RegradeNotReadyError("This regrade takes effect already and cannot be cancelled.")
    if regrade.state == RegradeState.CANCELLED:
        return
    details = {"version": regrade.version.number, "gradings": regrade.gradings.count()}
    end_regrade(regrade, RegradeState.CANCELLED)
    target = regrade.exercise.slug
    record_action(course, AuditAction.REGRADE_CANCELLED, actor=author, target=target, details=details)


def continue_regrade(regrade_id: int) -> None:
    """Do the next batch of a regrade, if there is one: queue gradings, or let them take effect."""
    regrade = Regrade.objects.select_related("exercise__course", "version", "applied_by").get(pk=regrade_id)
    if regrade.state == RegradeState.PREVIEW and regrade.queued_at is None:
        _queue_batch(regrade)
    elif regrade.state == RegradeState.APPLYING:
        _apply_batch(regrade)


def _judging_version(exercise: Exercise) -> ExerciseVersion:
    exercise.refresh_from_db(fields=["published"])
    if exercise.published is None:
        raise RegradeImpossibleError("This exercise is not published: there is nothing to judge by.")
    if exercise.published.is_reviewed:
        raise RegradeImpossibleError("A person judges this exercise: review its submissions instead.")
    return exercise.published


@transaction.atomic
def _queue_batch(regrade: Regrade) -> None:
    lock_exercise(regrade.exercise)
    regrade.refresh_from_db(fields=["state", "queued_at"])
    if regrade.state != RegradeState.PREVIEW:
        return
    due = submissions_due(regrade.exercise, regrade.version).exclude(gradings__regrade=regrade)
    batch = list(due.select_related("version")[:SUBMISSIONS_AT_ONCE])
    for submission in batch:
        _queue(regrade, submission)
    if len(batch) < SUBMISSIONS_AT_ONCE:
        regrade.queued_at = timezone.now()
        regrade.save(update_fields=["queued_at"])
    if regrade.version.is_code and batch:
        enqueue_work()
    publish_after_commit(regrade.topic)


def _queue(regrade: Regrade, submission: Submission) -> None:
    try:
        queue_regrade(submission, regrade.version, regrade=regrade)
    except RegradeImpossibleError as error:
        Grading.objects.create(
            student_id=submission.student_id,
            submission=submission,
            version=regrade.version,
            lane=Lane.REGRADE,
            reason=Reason.DRY_RUN,
            regrade=regrade,
            instead_of=submission.gradings.filter(in_force=True).first(),
            state=State.IMPOSSIBLE,
            fault=str(error),
            finished_at=timezone.now(),
        )


def _begin_applying(regrade: Regrade, author: User) -> None:
    progress = regrade_progress(regrade)
    if not progress.is_judged:
        raise RegradeNotReadyError(
            f"{progress.judged} of {progress.total} submissions are judged: wait for the others."
        )
    regrade.state, regrade.applied_by = RegradeState.APPLYING, author
    regrade.keeps_better_score = regrade.exercise.course.keeps_better_score
    regrade.save()


def _apply_batch(regrade: Regrade) -> None:
    left = to_be_applied(regrade).order_by("student_id").values_list("student_id", flat=True).distinct()
    batch = list(left[:STUDENTS_AT_ONCE])
    for student_id in batch:
        _apply_to_student(regrade, student_id)
    if len(batch) < STUDENTS_AT_ONCE:
        _finish(regrade)
    publish_after_commit(regrade.topic)


@transaction.atomic
def _apply_to_student(regrade: Regrade, student_id: int) -> None:
    lock_student(student_id)
    gradings = list(to_be_applied(regrade).filter(student=student_id).select_related("submission", "version"))
    student = User.objects.get(pk=student_id)
    before, withheld = best_score_of(student, regrade.exercise), withheld_from(student)
    seen = [grading for grading in gradings if not withheld.hides(grading)]
    has_changed = [_take_effect(regrade, grading, is_seen=grading in seen) for grading in gradings]
    if not gradings:
        return
    follow_best_score(student_id, regrade.exercise)
    # Where all of it is practice, or not shown yet, there is no score to tell of.
    if any(has_changed) and (after := best_score_of(student, regrade.exercise)) is not None:
        _tell(regrade, student_id, before, after)


def _take_effect(regrade: Regrade, grading: Grading, *, is_seen: bool) -> bool:
    """Whether the student sees another outcome in force now, if they see this one."""
    before = grading.submission.gradings.filter(in_force=True).defer("feedback").first()
    grading.instead_of = before
    if before is not None and regrade.keeps_better_score and is_better(before, grading):
        grading.reason = Reason.REGRADE
        grading.save(update_fields=["reason", "instead_of"])
        return False
    put_in_force(grading)
    if is_seen and before is not None and _is_accepted(before) != _is_accepted(grading):
        # What the broken version said of it misled its student, whichever way. Where it said nothing, as yet, an
        # attempt more would tell that it has changed.
        give_back_attempt(grading.submission_id, because="the exercise was corrected")
    outcome = (grading.verdict, grading.score, grading.max_score)
    return is_seen and (before is None or (before.verdict, before.score, before.max_score) != outcome)


def _is_accepted(grading: Grading) -> bool:
    return grading.verdict == Verdict.ACCEPTED


def _tell(regrade: Regrade, student_id: int, before: BestScore | None, after: BestScore) -> None:
    exercise, then, now = regrade.exercise, before and _points(before), _points(after)
    change = f"stays at {now} points" if then == now else f"is now {now} points"
    was = f", before {then}" if then not in (None, now) else ""
    Notice.objects.create(
        user_id=student_id,
        text=f"“{regrade.version.title}” was corrected, and what you handed in was judged again. "
        f"Your score {change}{was}.",
        url=reverse("learn:exercise", args=(exercise.course.slug, exercise.slug)),
    )


def _points(best: BestScore) -> str:
    return f"{best.score.normalize():f} of {best.max_score.normalize():f}"


@transaction.atomic
def _finish(regrade: Regrade) -> None:
    lock_exercise(regrade.exercise)
    regrade.refresh_from_db(fields=["state"])
    if regrade.state != RegradeState.APPLYING:
        return
    end_regrade(regrade, RegradeState.APPLIED)
    record_action(
        regrade.exercise.course,
        AuditAction.REGRADE_APPLIED,
        actor=regrade.applied_by,
        target=regrade.exercise.slug,
        details={"version": regrade.version.number, **regrade_summary(regrade)},
    )
