"""What a regrade is about, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from exercises.choices import Reason, RegradeState, State
from exercises.models import Exercise, ExerciseVersion, Grading, Regrade, Submission
from exercises.queries.courses import preview_students
from graders.outcomes import Verdict

NO_SHARE = Decimal(-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeProgress:
    """How far a regrade is, in submissions.

    `judged` counts what has an end: also what `failed` on our side, and what is `impossible` since the version cannot
    judge it. `applied` took effect, or was left out of it where the better score is kept.
    """

    total: int
    judged: int
    failed: int
    impossible: int
    applied: int
    is_queued: bool

    @property
    def is_judged(self) -> bool:
        """Whether nothing is left to be judged."""
        return self.is_queued and self.judged == self.total


def regrade_progress(regrade: Regrade) -> RegradeProgress:
    """How far the regrade is; `total` grows no more once `is_queued`."""
    is_failed = Q(state=State.GRADED, verdict=Verdict.INTERNAL_ERROR)
    counts = regrade.gradings.aggregate(
        total=Count("pk"),
        judged=Count("pk", filter=Q(state__in=(State.GRADED, State.IMPOSSIBLE))),
        failed=Count("pk", filter=is_failed),
        impossible=Count("pk", filter=Q(state=State.IMPOSSIBLE)),
        applied=Count("pk", filter=Q(reason=Reason.REGRADE)),
    )
    is_queued = regrade.queued_at is not None
    if not is_queued and regrade.state == RegradeState.PREVIEW:
        left = submissions_due(regrade.exercise, regrade.version).exclude(gradings__regrade=regrade)
        counts["total"] += left.count()
    return RegradeProgress(**counts, is_queued=is_queued)


def submissions_due(exercise: Exercise, version: ExerciseVersion) -> QuerySet[Submission]:
    """Hand-ins that were judged, and not yet as this version judges; the oldest first, without what was erased.

    Where the better score was kept, the version has judged, and need not do so again; but only as long as that stands
    which its outcome was compared with.
    """
    so = Q(version__grading_hash=version.grading_hash)
    compared = Grading.objects.filter(so, instead_of=OuterRef("pk"), reason=Reason.REGRADE, state=State.GRADED)
    standing = Grading.objects.filter(submission=OuterRef("pk"), state=State.GRADED, in_force=True)
    due = Submission.objects.filter(Exists(standing.filter(~so, ~Exists(compared))), exercise=exercise)
    return due.exclude(body_hash="").exclude(student__in=preview_students(exercise.course_id)).order_by("pk")


def regrade_due(exercise: Exercise) -> int:
    """How many hand-ins a regrade by the published version would judge anew."""
    version = exercise.published
    return 0 if version is None or version.is_reviewed else submissions_due(exercise, version).count()


def latest_regrade(exercise: Exercise) -> Regrade | None:
    """The newest regrade of the exercise, open or not."""
    return exercise.regrades.select_related("version", "asked_by", "applied_by").first()


def regrades_under_way() -> list[int]:
    """Ids of the regrades of which a batch is left to do."""
    is_queueing = Q(state=RegradeState.PREVIEW, queued_at=None)
    unfinished = Regrade.objects.filter(is_queueing | Q(state=RegradeState.APPLYING))
    return list(unfinished.order_by("pk").values_list("pk", flat=True))


def to_be_applied(regrade: Regrade) -> QuerySet[Grading]:
    """Its gradings that have an outcome of their own and did not take effect yet; of what was erased there is none."""
    judged = regrade.gradings.filter(state=State.GRADED, reason=Reason.DRY_RUN).exclude(submission__body_hash="")
    return judged.exclude(verdict=Verdict.INTERNAL_ERROR).defer("feedback")


def is_better(one: Grading, other: Grading) -> bool:
    """Whether the one has the larger share of its points; what has no score has the least."""
    return share_of(one) > share_of(other)


def share_of(grading: Grading) -> Decimal:
    """The part of the points that was reached, 0 to 1; less than that without a score."""
    if grading.score is None or grading.max_score is None:
        return NO_SHARE
    return grading.score / grading.max_score if grading.max_score else Decimal(0)
