"""A class as it stands now: who is at work, what is due, who is at risk and why, what is hard."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import nlargest

from django.db.models import Avg, Count, Exists, F, IntegerField, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from exercises.choices import Lane, Role, State
from exercises.models import (
    Assignment,
    Course,
    Exercise,
    Extension,
    Grading,
    Membership,
    Question,
    Submission,
)
from exercises.queries.analysis import best_shares
from exercises.queries.classes import STUCK_AFTER, stuck_at
from exercises.queries.courses import preview_students

JUST_NOW = timedelta(minutes=15)
A_DAY = timedelta(days=1)
SILENT_AFTER = timedelta(days=7)
BUSY_SHARE = 0.25
"""Where fewer of the class handed in something during those days, nobody is called silent: it is a quiet week."""
STUCK_AT_RISK = 3
"""Stuck at so many exercises a student is at risk."""
TRIED_BY = 5
"""An exercise that fewer students tried is not called hard yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """How many students the class has, and how many of them handed in something in the time just past."""

    students: int
    just_now: int
    today: int
    this_week: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AtRisk:
    """A student with the reasons: silent since `last_at` (None: always), assignments `missed`, exercises `stuck` at."""

    member: Membership
    is_silent: bool
    last_at: datetime | None
    missed: int
    stuck: int

    @property
    def reasons(self) -> int:
        """How many there are."""
        return self.is_silent + bool(self.missed) + (self.stuck >= STUCK_AT_RISK)


@dataclass(frozen=True, slots=True, kw_only=True)
class HardExercise:
    """An exercise that is worked at just now: how many tried and solved it, and how many are stuck."""

    exercise: Exercise
    students: int
    solved: int
    stuck: int
    facility: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits: for a worker, for a person to judge it, for an answer."""

    for_workers: int
    for_review: int
    questions: int


def students_at_work(course: Course) -> list[Membership]:
    """The students of the course, each with `last_at`: when they last handed in something to it."""
    handed_in = Submission.objects.filter(student=OuterRef("user"), exercise__course=course)
    last_at = Subquery(handed_in.order_by("-created_at").values("created_at")[:1])
    members = Membership.objects.filter(course=course, role=Role.STUDENT).select_related("user")
    return list(members.annotate(last_at=last_at).order_by("user__last_name", "user__first_name", "user__username"))


def activity_of(members: list[Membership], *, at: datetime) -> Activity:
    """Counts of those whom `students_at_work` gave."""
    ages = [at - last_at for member in members if (last_at := last_at_of(member))]
    return Activity(
        students=len(members),
        just_now=sum(age <= JUST_NOW for age in ages),
        today=sum(age <= A_DAY for age in ages),
        this_week=sum(age <= SILENT_AFTER for age in ages),
    )


def students_at_risk(course: Course, members: list[Membership], *, at: datetime) -> list[AtRisk]:
    """Who may need someone, with the most reasons first. Two queries."""
    activity = activity_of(members, at=at)
    is_busy = activity.this_week >= BUSY_SHARE * activity.students
    missed, stuck = _missed(course, at), dict(stuck_at(course).order_by().values_list("student").annotate(Count("pk")))
    risks = []
    for member in members:
        last_at = last_at_of(member)
        since = max(filter(None, (last_at, member.joined_at)))
        risks.append(
            AtRisk(
                member=member,
                is_silent=is_busy and at - since > SILENT_AFTER,
                last_at=last_at,
                missed=missed.get(member.user_id, 0),
                stuck=stuck.get(member.user_id, 0),
            )
        )
    return sorted((risk for risk in risks if risk.reasons), key=_by_need)


def hardest_now(course: Course, *, at: datetime, most: int) -> list[HardExercise]:
    """Exercises at which somebody worked during the last days, the hardest first. Two queries."""
    recent = Submission.objects.filter(exercise=OuterRef("pk"), created_at__gte=at - SILENT_AFTER)
    exercises = {
        row.pk: row
        for row in Exercise.objects.filter(Exists(recent), course=course, is_retired=False, published__isnull=False)
        .select_related("published")
        .defer("published__definition")
    }
    is_stuck = Q(solved_at=None, submissions__gte=STUCK_AFTER)
    figures = (
        best_shares(course)
        .filter(exercise__in=exercises, student__memberships__course=course, student__memberships__role=Role.STUDENT)
        .order_by()
        .values_list("exercise")
        .annotate(
            tried=Count("pk"), solved=Count("solved_at"), stuck=Count("pk", filter=is_stuck), facility=Avg("part")
        )
        .filter(tried__gte=TRIED_BY)
        .order_by("facility", "exercise")
    )
    return [
        HardExercise(exercise=exercises[pk], students=students, solved=solved, stuck=stuck, facility=facility)
        for pk, students, solved, stuck, facility in figures[:most]
    ]


def assignments_with_hand_ins(course: Course) -> QuerySet[Assignment]:
    """All assignments, also hidden ones, each with `handed_in`: how many students have something in it that counts."""
    handed_in = Submission.objects.filter(
        assignment=OuterRef(OuterRef("pk")), student=OuterRef("user"), is_counted=True
    )
    students = (
        Membership.objects.filter(Exists(handed_in), course=OuterRef("course"), role=Role.STUDENT)
        .order_by()
        .values("course")
        .annotate(number=Count("pk"))
        .values("number")
    )
    return course.assignments.annotate(handed_in=Coalesce(Subquery(students, output_field=IntegerField()), 0))


def latest_hand_ins(course: Course, members: list[Membership], *, most: int) -> list[Submission]:
    """What came in last of those whom `students_at_work` gave, with the grading in force. Two queries."""
    # The last ones of all are by those whose own last ones are the last: no need to look through the others'.
    dated = [(last_at, member.user_id) for member in members if (last_at := last_at_of(member))]
    newest = nlargest(most, dated)
    if not newest:
        return []
    in_force = Grading.objects.filter(in_force=True).defer("feedback")
    found = Submission.objects.filter(exercise__course=course, student__in=[student for _at, student in newest])
    if len(newest) == most:
        found = found.filter(created_at__gte=newest[-1][0])
    shown = found.select_related("student", "exercise", "version")
    shown = shown.defer("source", "response", "version__definition").order_by("-created_at", "-pk")
    return list(shown.prefetch_related(Prefetch("gradings", in_force))[:most])


def waiting_in(course: Course) -> Waiting:
    """How much waits in the course. One query."""
    queued = Grading.objects.filter(
        state=State.QUEUED, submission__exercise__course=OuterRef("pk"), in_force=True
    ).exclude(student__in=preview_students(course))
    questions = Question.objects.filter(course=OuterRef("pk"), answered_at=None)
    counts = Course.objects.filter(pk=course.pk).values_list(
        _number(queued.exclude(lane=Lane.REVIEW), "submission__exercise__course"),
        _number(queued.filter(lane=Lane.REVIEW), "submission__exercise__course"),
        _number(questions, "course"),
    )
    for_workers, for_review, asked = counts.get()
    return Waiting(for_workers=for_workers, for_review=0 if course.self_paced else for_review, questions=asked)


def last_at_of(member: Membership) -> datetime | None:
    """When somebody whom `students_at_work` gave last handed in something."""
    found: datetime | None = getattr(member, "last_at", None)
    return found


def _missed(course: Course, at: datetime) -> Mapping[int, int]:
    """How many assignments each student has let pass: due for them, and nothing of theirs in it."""
    own = {"assignment": OuterRef("course__assignments"), "student": OuterRef("user")}
    pairs = Membership.objects.filter(
        ~Exists(Submission.objects.filter(**own, is_counted=True)),
        ~Exists(Extension.objects.filter(**own, due_at__gt=at)),
        course=course,
        role=Role.STUDENT,
        course__assignments__is_hidden=False,
        course__assignments__due_at__lt=at,
        # Nobody has missed what was due before they came.
        course__assignments__due_at__gt=F("joined_at"),
    )
    missed: dict[int, int] = defaultdict(int)
    for student in pairs.values_list("user_id", flat=True):
        missed[student] += 1
    return missed


def _number(rows: QuerySet[Grading] | QuerySet[Question], course: str) -> Coalesce:
    counted = rows.order_by().values(course).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _by_need(risk: AtRisk) -> tuple[int, int, int]:
    return (-risk.reasons, -risk.missed, -risk.stuck)
