"""Assignments as one student meets them: what there is, what is due, what it has brought so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import QuerySet

from exercises.choices import State
from exercises.models import Assignment, AssignmentExercise, Course, Membership, Override, Submission, User
from exercises.queries.counting import HandIn, counting, rounded, share_kept, share_of
from exercises.queries.gradings import with_gradings, without_feedback
from exercises.queries.windows import Window, window_of, with_own_dates
from exercises.queries.withheld import Dated


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemScore:
    """What counts of an exercise in an assignment: `points` of `item.points`, once rounded to two decimals.

    `submission` is the hand-in that counts, if one was judged; `kept` is the part, 0 to 1, that being late leaves of
    it. Where staff set the score by hand that stands, and `is_overridden` says so.
    """

    item: AssignmentExercise
    points: Decimal = Decimal(0)
    submission: Submission | None = None
    kept: Decimal = Decimal(1)
    is_overridden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentScore:
    """What an assignment has brought a student, exercise by exercise in its order."""

    items: tuple[ItemScore, ...]

    @property
    def points(self) -> Decimal:
        """The sum of what counts."""
        return sum((item.points for item in self.items), Decimal(0))

    @property
    def max_points(self) -> Decimal:
        """What could be reached."""
        return sum((item.item.points for item in self.items), Decimal(0))


def assignments_of(student: User, course: Course) -> QuerySet[Assignment]:
    """The assignments of a course that students see, in order; `own_window` of each costs no further query."""
    found = Assignment.objects.filter(course=course, course__memberships__user=student, is_hidden=False)
    return with_own_dates(found, student)


def assignment_for(viewer: User, course_slug: str, slug: str) -> Assignment:
    """An assignment that students see, in a course of the viewer; `own_window` of it costs no further query.

    Raises:
        Assignment.DoesNotExist: there is none, or not for this viewer.
    """
    found = Assignment.objects.filter(is_hidden=False, course__memberships__user=viewer)
    return with_own_dates(found, viewer).get(course__slug=course_slug, slug=slug)


def due_assignments(found: Iterable[Dated], *, at: datetime) -> list[tuple[Assignment, Window]]:
    """What of one's own assignments still takes hand-ins that count, as a student; what ends first is first."""
    own = [row for row in found if row.is_learner and not row.assignment.is_hidden]
    return sorted(((row.assignment, row.window) for row in own if is_to_do(row.window, at)), key=_urgency)


def is_to_do(window: Window, at: datetime) -> bool:
    """Whether a student can do something about it now: hand in, or start it. What has no date does not press."""
    has_date = window.due_at is not None or window.ends_at is not None
    return has_date and window.has_opened(at) and not window.is_over(at)


def clock_length(assignment: Assignment, student: User) -> timedelta | None:
    """How long the clock of a quiz runs for this person, with their extra time; None where it has none."""
    if assignment.minutes is None:
        return None
    factor = Membership.objects.values_list("extra_time_factor", flat=True).get(user=student, course=assignment.course)
    return timedelta(minutes=assignment.minutes) * float(factor)


def items_of(assignment: Assignment) -> QuerySet[AssignmentExercise]:
    """The exercises of an assignment in its order, with their versions; retired and unpublished ones among them."""
    found = assignment.items.select_related("exercise__published")
    return found.defer("exercise__published__definition")


def assignment_score(assignment: Assignment, student: User, *, window: Window | None = None) -> AssignmentScore:
    """What the assignment has brought the student so far; `window` are their dates, if they are known already."""
    window = window or window_of(assignment, student)
    handed_in = _judged(assignment, [student.pk])
    overrides = _overrides(assignment, [student.pk])
    return _score(list(items_of(assignment)), handed_in, overrides, window=window, student_id=student.pk)


def _score(
    items: Iterable[AssignmentExercise],
    handed_in: Mapping[tuple[int, int], list[Submission]],
    overrides: Mapping[tuple[int, int], Override],
    *,
    window: Window,
    student_id: int,
) -> AssignmentScore:
    scores = []
    for item in items:
        key = (student_id, item.exercise_id)
        scores.append(_item_score(item, handed_in.get(key, []), overrides.get(key), window))
    return AssignmentScore(items=tuple(scores))


def _item_score(
    item: AssignmentExercise, handed_in: list[Submission], override: Override | None, window: Window
) -> ItemScore:
    if override is not None:
        share = share_of(override.score, override.max_score)
        return ItemScore(item=item, points=rounded(item.points * share), is_overridden=True)
    by_id = {row.pk: row for row in handed_in}
    counts = counting([_hand_in(row) for row in handed_in], window, counted=item.assignment.counted)
    if counts is None:
        return ItemScore(item=item)
    points, kept = rounded(item.points * share_kept(counts, window)), window.share_kept(counts.created_at)
    return ItemScore(item=item, points=points, submission=by_id[counts.submission_id], kept=kept)


def _hand_in(submission: Submission) -> HandIn:
    grading = submission.grading
    share = share_of(grading.score, grading.max_score)
    return HandIn(submission_id=submission.pk, created_at=submission.created_at, share=share)


def _judged(assignment: Assignment, student_ids: list[int]) -> dict[tuple[int, int], list[Submission]]:
    """What was handed in, counts and has a score, by student and exercise, the oldest first."""
    found = Submission.objects.filter(
        assignment=assignment,
        student__in=student_ids,
        is_counted=True,
        gradings__in_force=True,
        gradings__state=State.GRADED,
        gradings__score__isnull=False,
    )
    by_key: dict[tuple[int, int], list[Submission]] = {}
    for row in without_feedback(with_gradings(found)).defer("source").order_by("pk"):
        by_key.setdefault((row.student_id, row.exercise_id), []).append(row)
    return by_key


def _overrides(assignment: Assignment, student_ids: list[int]) -> dict[tuple[int, int], Override]:
    standing = Override.objects.filter(assignment=assignment, student__in=student_ids, withdrawn_at=None)
    return {(row.student_id, row.exercise_id): row for row in standing}


def _urgency(pair: tuple[Assignment, Window]) -> tuple[datetime, int]:
    assignment, window = pair
    moments = [at for at in (window.due_at, window.ends_at) if at]
    return min(moments), assignment.pk
