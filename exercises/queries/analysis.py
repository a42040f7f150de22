"""What the hand-ins to an exercise say of it: how hard it is, whether it measures, and what is misunderstood.

Counted are the hand-ins of students of the course that count, with the grading in force; and of those only what was
judged by one grading hash, since another one begins new statistics.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from django.db.models import Case, Count, F, FloatField, Max, Min, Q, QuerySet, Sum, When
from django.db.models.functions import Cast, Coalesce, NullIf
from numpy.typing import NDArray

from exercises.choices import Role, State
from exercises.models import (
    BestScore,
    CaseResult,
    Course,
    Exercise,
    ExerciseVersion,
    Grading,
    Membership,
    Run,
    Submission,
)
from exercises.queries.courses import shown_exercises
from exercises.queries.statistics import distribution, mean, median, point_biserial
from graders.outcomes import Verdict

SAMPLES = 3

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionGroup:
    """The versions of an exercise that judge alike, with how many students tried and solved by them."""

    grading_hash: str
    numbers: tuple[int, ...]
    students: int
    solved: int
    hand_ins: int

    @property
    def pass_rate(self) -> float | None:
        """The part of those who tried that solved it; None where nobody tried."""
        return self.solved / self.students if self.students else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemStatistics:
    """The figures of one exercise; None where there is too little to say.

    `facility` is the mean of the students' best shares (0 to 1), `discrimination` a point-biserial correlation (-1 to
    1), `scores` how many best shares lie in each tenth. `verdicts` counts hand-ins.
    """

    students: int
    solved: int
    hand_ins: int
    facility: float | None
    discrimination: float | None
    median_attempts: float | None
    median_seconds: float | None
    scores: tuple[int, ...]
    verdicts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFailures:
    """How often a case was judged and not accepted, in hand-ins; and by how many students."""

    name: str
    is_visible: bool
    judged: int
    failed: int
    students: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Misconception:
    """A cause, with how many students had it at least once, in how many hand-ins, and the newest by some of them.

    `samples` are ids of submissions, of different students.
    """

    cause: str
    students: int
    hand_ins: int
    samples: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLine:
    """One exercise in the table of all: of every student's best score, whatever version judged it."""

    exercise: Exercise
    students: int
    solved: int
    facility: float | None
    discrimination: float | None
    median_hand_ins: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _HandIn:
    student: int
    at: datetime
    share: float
    verdict: str


def counted_gradings(exercise: Exercise, versions: Iterable[int]) -> QuerySet[Grading]:
    """The gradings in force, by these versions, of hand-ins to the exercise that count."""
    return Grading.objects.filter(_counted(exercise, versions)).exclude(verdict=Verdict.INTERNAL_ERROR)


def _counted(exercise: Exercise, versions: Iterable[int], *, of: str = "") -> Q:
    """What picks them; `of` leads to the grading, as `grading__`."""
    students = Membership.objects.filter(course=exercise.course_id, role=Role.STUDENT)
    picked = {
        "version__in": list(versions),
        "submission__exercise": exercise,
        "submission__is_counted": True,
        "in_force": True,
        "state": State.GRADED,
        "score__isnull": False,
        "max_score__gt": 0,
        "student__in": students.values("user"),
    }
    return Q(**{f"{of}{name}": value for name, value in picked.items()})


def _cases(exercise: Exercise, versions: Iterable[int]) -> QuerySet[CaseResult]:
    """The cases of these gradings."""
    counted = CaseResult.objects.filter(_counted(exercise, versions, of="grading__"))
    return counted.exclude(grading__verdict=Verdict.INTERNAL_ERROR).order_by()


def item_lines(course: Course) -> list[ItemLine]:
    """A line for each shown exercise, in the order of the course. Two queries."""
    exercises = list(shown_exercises().filter(course=course))
    students = Membership.objects.filter(course=course, role=Role.STUDENT).values("user")
    is_solved = Case(When(solved_at=None, then=0), default=1)
    scores = best_shares(course).filter(student__in=students).order_by()
    rows = scores.values_list("exercise_id", "student_id", Coalesce("part", 0.0), is_solved, "submissions")
    # So many rows are quicker as columns; ids fit into a float.
    table = np.array(list(rows), dtype=np.float64).reshape(-1, 5)
    points = {exercise.pk: float(exercise.published.points) for exercise in exercises if exercise.published}
    worth = np.array([points[pk] for pk in table[:, 0].astype(int).tolist()])
    _ids, places = np.unique(table[:, 1], return_inverse=True)
    rest = np.bincount(places, weights=table[:, 2] * worth)[places] - table[:, 2] * worth if len(table) else worth
    return [_item_line(exercise, table, rest) for exercise in exercises]


def _item_line(exercise: Exercise, table: Floats, rest: Floats) -> ItemLine:
    """Of the rows of this exercise; `table` has columns exercise, student, share, whether solved, and hand-ins."""
    here = table[:, 0] == exercise.pk
    _exercises, _students, shares, solved, hand_ins = table[here].T
    return ItemLine(
        exercise=exercise,
        students=len(shares),
        solved=int(solved.sum()),
        facility=mean(shares.tolist()),
        discrimination=point_biserial((solved > 0).tolist(), rest[here].tolist()),
        median_hand_ins=median(hand_ins.tolist()),
    )


def version_groups(exercise: Exercise) -> list[VersionGroup]:
    """The groups that judge alike, the oldest first; of each the hand-ins that it judges as things stand."""
    numbers: dict[str, list[int]] = defaultdict(list)
    versions = exercise.versions.order_by("number").values_list("pk", "number", "grading_hash")
    rows = list(versions)
    for _pk, number, grading_hash in rows:
        numbers[grading_hash].append(number)
    is_accepted = Q(verdict=Verdict.ACCEPTED)
    counted = counted_gradings(exercise, [pk for pk, _number, _hash in rows])
    found = (
        counted.order_by()
        .values_list("version__grading_hash")
        .annotate(
            students=Count("student", distinct=True),
            solved=Count("student", distinct=True, filter=is_accepted),
            hand_ins=Count("pk"),
        )
    )
    counts = {name: tuple(figures) for name, *figures in found}
    groups = []
    for name, group in numbers.items():
        students, solved, hand_ins = counts.get(name, (0, 0, 0))
        groups.append(
            VersionGroup(grading_hash=name, numbers=tuple(group), students=students, solved=solved, hand_ins=hand_ins)
        )
    return groups


def item_statistics(exercise: Exercise, versions: Sequence[int]) -> ItemStatistics:
    """The figures of the exercise as these versions, which judge alike, make them. Three queries."""
    hand_ins = _hand_ins(counted_gradings(exercise, versions))
    by_student: dict[int, list[_HandIn]] = defaultdict(list)
    verdicts: dict[str, int] = defaultdict(int)
    for item in hand_ins:
        by_student[item.student].append(item)
        verdicts[item.verdict] += 1
    best = [max(item.share for item in mine) for mine in by_student.values()]
    firsts = {student: _first_accepted(mine) for student, mine in by_student.items()}
    rest = _rest_scores(exercise)
    began = _began_at(versions)
    solved = {student: place for student, place in firsts.items() if place is not None}
    return ItemStatistics(
        students=len(by_student),
        solved=len(solved),
        hand_ins=len(hand_ins),
        facility=mean(best),
        discrimination=point_biserial(
            [student in solved for student in by_student], [rest.get(student, 0.0) for student in by_student]
        ),
        median_attempts=median(place + 1 for place in solved.values()),
        median_seconds=median(
            _seconds(by_student[student], place, began.get(student)) for student, place in solved.items()
        ),
        scores=distribution(best),
        verdicts=dict(verdicts),
    )


def case_failures(exercise: Exercise, versions: Sequence[int]) -> list[CaseFailures]:
    """Each case in the author's order, with how often it failed. One query."""
    # By student, so that the database counts each one without sorting all rows.
    rows = (
        _cases(exercise, versions)
        .values_list("index", "is_visible", "grading__student")
        # The name is the same for all: they judge alike.
        .annotate(called=Max("name"), judged=Count("pk"), failed=Count("pk", filter=~Q(verdict=Verdict.ACCEPTED)))
    )
    cases: dict[tuple[int, bool], list[tuple[str, int, int]]] = defaultdict(list)
    for index, is_visible, _student, name, judged, failed in rows:
        cases[index, is_visible].append((name, judged, failed))
    return [
        CaseFailures(
            name=mine[0][0],
            is_visible=is_visible,
            judged=sum(judged for _name, judged, _failed in mine),
            failed=sum(failed for _name, _judged, failed in mine),
            students=sum(failed > 0 for _name, _judged, failed in mine),
        )
        for (_index, is_visible), mine in sorted(cases.items())
    ]


def misconceptions(exercise: Exercise, versions: Sequence[int]) -> list[Misconception]:
    """The causes that were found, by how many students had them: each counts once for a cause. One query."""
    found = (
        _cases(exercise, versions)
        .exclude(cause="")
        .values_list("cause", "grading__student")
        .annotate(newest=Max("grading__submission"), hand_ins=Count("grading", distinct=True))
    )
    rows: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for cause, _student, newest, hand_ins in found:
        rows[cause].append((newest, hand_ins))
    causes = [
        Misconception(
            cause=cause,
            students=len(mine),
            hand_ins=sum(count for _newest, count in mine),
            samples=tuple(newest for newest, _count in sorted(mine, reverse=True)[:SAMPLES]),
        )
        for cause, mine in rows.items()
    ]
    return sorted(causes, key=lambda item: (-item.students, -item.hand_ins, item.cause))


def _hand_ins(gradings: QuerySet[Grading]) -> list[_HandIn]:
    """The oldest first."""
    rows = gradings.order_by("submission_id").values_list(
        "student_id", "submission__created_at", Cast("score", FloatField()), Cast("max_score", FloatField()), "verdict"
    )
    return [
        _HandIn(student=student, at=at, share=score / max_score, verdict=verdict)
        for student, at, score, max_score, verdict in rows
    ]


def _first_accepted(hand_ins: Sequence[_HandIn]) -> int | None:
    return next((place for place, item in enumerate(hand_ins) if item.verdict == Verdict.ACCEPTED), None)


def _seconds(hand_ins: Sequence[_HandIn], solved: int, began: datetime | None) -> float:
    """From the first run of the cases, or the first hand-in, to the one that solved it."""
    first = hand_ins[0].at
    return (hand_ins[solved].at - min(first, began or first)).total_seconds()


def _began_at(versions: Sequence[int]) -> dict[int, datetime]:
    """When each student first ran the cases of these versions."""
    runs = Run.objects.filter(version__in=versions, submission=None).order_by().values_list("student")
    return dict(runs.annotate(began=Min("queued_at")))


def _rest_scores(exercise: Exercise) -> dict[int, float]:
    """The points of each student in all other exercises of the course that are shown."""
    others = best_shares(exercise.course).exclude(exercise=exercise).order_by().values_list("student")
    return dict(others.annotate(rest=Sum(F("part") * Cast("exercise__published__points", FloatField()))))


def best_shares(course: Course) -> QuerySet[Any]:
    """The best scores in the course's shown exercises, each with the `part` of the points that it is, 0 to 1."""
    shown = BestScore.objects.filter(
        exercise__course=course, exercise__is_retired=False, exercise__published__isnull=False
    )
    return shown.annotate(part=Cast("score", FloatField()) / NullIf(Cast("max_score", FloatField()), 0.0))


def versions_like(exercise: Exercise, grading_hash: str) -> list[int]:
    """Ids of the versions of the exercise that judge by this hash."""
    return list(
        ExerciseVersion.objects.filter(exercise=exercise, grading_hash=grading_hash).values_list("pk", flat=True)
    )


def sample_submissions(ids: Sequence[int]) -> dict[int, Submission]:
    """These submissions with their students, by id. One query."""
    return Submission.objects.select_related("student").in_bulk(ids)
