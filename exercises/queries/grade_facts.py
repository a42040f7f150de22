"""What the database keeps of some students' work in a course, as the gradebook needs it: few and narrow queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from exercises.choices import State
from exercises.models import Assignment, AssignmentStart, BestScore, Extension, Override, Submission
from exercises.queries.counting import HandIn, share_of
from exercises.queries.windows import Window, make_window

JUDGED_OR_TO_BE = (State.GRADED, State.QUEUED, State.RUNNING)
Key = tuple[int, int]
"""An assignment and a student."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeFacts:
    """By assignment and student: hand-ins that count, by exercise, the oldest first; exercises that wait to be judged;
    shares set by hand, by exercise, those of no assignment among them. By student and exercise: the best share.
    """

    now: datetime
    usual: Mapping[int, Window]
    windows: dict[Key, Window] = field(default_factory=dict)
    hand_ins: dict[Key, dict[int, list[HandIn]]] = field(default_factory=dict)
    waiting: dict[Key, set[int]] = field(default_factory=dict)
    overrides: dict[tuple[int | None, int], dict[int, Decimal]] = field(default_factory=dict)
    best: dict[Key, Decimal] = field(default_factory=dict)

    def window(self, assignment_id: int, student_id: int) -> Window:
        """The student's dates."""
        return self.windows.get((assignment_id, student_id)) or self.usual[assignment_id]

    def hand_ins_of(self, assignment_id: int, student_id: int) -> Mapping[int, list[HandIn]]:
        """The student's judged hand-ins to the assignment, by exercise."""
        return self.hand_ins.get((assignment_id, student_id), {})

    def overrides_of(self, assignment_id: int | None, student_id: int) -> Mapping[int, Decimal]:
        """The shares that staff set by hand, by exercise."""
        return self.overrides.get((assignment_id, student_id), {})


def read_facts(
    *, assignments: Sequence[Assignment], exercise_ids: Sequence[int], student_ids: Sequence[int]
) -> GradeFacts:
    """All of it for these students, in four queries; `items` and `course` of the assignments must have been fetched."""
    facts = GradeFacts(now=timezone.now(), usual={row.pk: make_window(row) for row in assignments})
    if assignments:
        _read_windows(facts, assignments, student_ids)
        _read_hand_ins(facts, assignments, student_ids)
    if exercise_ids:
        _read_best(facts, exercise_ids, student_ids)
    concerned = {*exercise_ids, *(item.exercise_id for row in assignments for item in row.items.all())}
    standing = Override.objects.filter(exercise__in=concerned, student__in=student_ids, withdrawn_at=None)
    for row in standing.only("student", "exercise", "assignment", "score", "max_score"):
        of_student = facts.overrides.setdefault((row.assignment_id, row.student_id), {})
        of_student[row.exercise_id] = share_of(row.score, row.max_score)
    return facts


def _read_windows(facts: GradeFacts, assignments: Sequence[Assignment], student_ids: Sequence[int]) -> None:
    """The dates of those who have any of their own."""
    mine = {"assignment__in": assignments, "student__in": student_ids}
    extensions = {(row.assignment_id, row.student_id): row for row in Extension.objects.filter(**mine)}
    starts = {(row.assignment_id, row.student_id): row for row in AssignmentStart.objects.filter(**mine)}
    by_id = {row.pk: row for row in assignments}
    for key in {*extensions, *starts}:
        facts.windows[key] = make_window(by_id[key[0]], extensions.get(key), starts.get(key))


def _read_hand_ins(facts: GradeFacts, assignments: Sequence[Assignment], student_ids: Sequence[int]) -> None:
    found = Submission.objects.filter(
        assignment__in=assignments,
        student__in=student_ids,
        is_counted=True,
        gradings__in_force=True,
        gradings__state__in=JUDGED_OR_TO_BE,
    ).order_by("pk")
    judged = ("gradings__state", "gradings__score", "gradings__max_score")
    rows = found.values_list("assignment_id", "student_id", "exercise_id", "pk", "created_at", *judged)
    for assignment_id, student_id, exercise_id, pk, at, state, score, max_score in rows.iterator():
        key = (assignment_id, student_id)
        if state != State.GRADED:
            facts.waiting.setdefault(key, set()).add(exercise_id)
        elif score is not None:
            hand_in = HandIn(submission_id=pk, created_at=at, share=share_of(score, max_score))
            facts.hand_ins.setdefault(key, {}).setdefault(exercise_id, []).append(hand_in)


def _read_best(facts: GradeFacts, exercise_ids: Sequence[int], student_ids: Sequence[int]) -> None:
    found = BestScore.objects.filter(student__in=student_ids, exercise__in=exercise_ids)
    for row in found.only("student", "exercise", "score", "max_score"):
        facts.best[row.student_id, row.exercise_id] = row.share
