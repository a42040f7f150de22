"""One person before one exercise: what several parts of a page ask of the two, asked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.db.models import Count, Max, Q
from django.utils import timezone

from exercises.choices import STAFF_ROLES, ActivityKind, Role
from exercises.models import Activity, Assignment, Attempt, BestScore, Exercise, Membership, User
from exercises.queries.best_scores import shown_best_scores
from exercises.queries.case_sets import visible_cases
from exercises.queries.conversations import answers_questions
from exercises.queries.windows import Window, window_of
from exercises.queries.withheld import Dated, Withheld, dated_assignments, withheld_by


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonName:
    slug: str
    title: str


class Encounter:
    """What is known of one person before one exercise, at one moment.

    A view makes it for one page and hands it on: each fact is read when it is first wanted, and no second time. What
    changes something makes its own, after it has locked the student.
    """

    def __init__(
        self,
        person: User,
        exercise: Exercise,
        *,
        attempts: Mapping[int | None, int] | None = None,
        withheld: Withheld | None = None,
    ) -> None:
        """`attempts` and `withheld` are what was read for many exercises at once."""
        self.person = person
        self.exercise = exercise
        if attempts is not None:
            self.attempts = attempts
        if withheld is not None:
            self.withheld = withheld

    @cached_property
    def roles(self) -> dict[int, Role]:
        """By user: the roles of the staff of the course and of its preview student, and the person's own."""
        of_course = Membership.objects.filter(course=self.exercise.course_id)
        wanted = Q(role__in=(*STAFF_ROLES, Role.PREVIEW)) | Q(user=self.person)
        return {pk: Role(role) for pk, role in of_course.filter(wanted).values_list("user_id", "role")}

    @property
    def role(self) -> Role | None:
        """The person's role in the course; None for a stranger."""
        return self.roles.get(self.person.pk)

    @property
    def is_staff(self) -> bool:
        """Whether the person teaches or assists in the course."""
        return self.role in STAFF_ROLES

    @property
    def may_ask(self) -> bool:
        """As `queries.may_ask`."""
        return answers_questions(self.roles, self.person)

    @cached_property
    def assignments(self) -> list[Dated]:
        """Those that hold the exercise, and those of any course that may withhold something from the person."""
        return dated_assignments(self.person, holding=self.exercise)

    @cached_property
    def holding(self) -> list[Dated]:
        """Those that hold the exercise, in order; hidden ones too."""
        return [row for row in self.assignments if self.exercise.pk in row.exercises]

    @property
    def holding_openly(self) -> list[Dated]:
        """Those that hold the exercise, without those that only staff see."""
        return [row for row in self.holding if not row.assignment.is_hidden]

    @property
    def is_held_back(self) -> bool:
        """Whether the person has yet to meet the exercise, as `queries.held_back` says of many at once.

        No query where `exercise_for` found a lesson that shows it.
        """
        if self.lesson is not None or not self.holding or self.is_staff:
            return False
        now = timezone.now()
        return not any(row.window.has_opened(now) and not row.window.awaits_start(now) for row in self.holding_openly)

    @cached_property
    def withheld(self) -> Withheld:
        """What the person does not see yet of what they handed in."""
        return withheld_by(self.assignments)

    @cached_property
    def scores(self) -> dict[int, BestScore]:
        """The person's best scores in the course, of what they may see, by exercise."""
        of_course = BestScore.objects.filter(exercise__course=self.exercise.course_id)
        return shown_best_scores(self.person, of_course, withheld=self.withheld)

    @property
    def best(self) -> BestScore | None:
        """The person's best score of the exercise, of what they may see; None before the first such outcome."""
        return self.scores.get(self.exercise.pk)

    @property
    def has_solved(self) -> bool:
        """Whether a submission of the person was ever accepted, as far as they may know."""
        return self.best is not None and self.best.solved_at is not None

    @cached_property
    def activity(self) -> dict[str, int]:
        """What the person did with the exercise, by kind, and the highest number of it: of hints the last one."""
        rows = Activity.objects.filter(student=self.person, exercise=self.exercise).order_by().values_list("kind")
        return {kind: last or 0 for kind, last in rows.annotate(last=Max("number"))}

    @property
    def has_given_up(self) -> bool:
        """Whether the person gave the exercise up: what they hand in afterwards is practice."""
        return ActivityKind.GAVE_UP in self.activity

    @property
    def has_viewed_solution(self) -> bool:
        """Whether the person opened the solution."""
        return ActivityKind.SOLUTION_VIEWED in self.activity

    @property
    def hints_opened(self) -> int:
        """How many hints the person has opened; they are opened one after another."""
        return self.activity.get(ActivityKind.HINT_OPENED, 0)

    @cached_property
    def attempts(self) -> Mapping[int | None, int]:
        """How many attempts were used, by the id of the assignment; None of those by itself."""
        return attempts_used(self.person, [self.exercise]).get(self.exercise.pk, {})

    @cached_property
    def cases(self) -> list[dict[str, Any]]:
        """What students may see of the visible cases of the published version."""
        published = self.exercise.published
        return visible_cases(published) if published is not None and published.is_code else []

    @cached_property
    def lesson(self) -> LessonName | None:
        """The first lesson that shows the exercise; no query where `exercise_for` found it."""
        if hasattr(self.exercise, "lesson_slug"):
            slug, title = self.exercise.lesson_slug, getattr(self.exercise, "lesson_title", "")
            return LessonName(slug=slug, title=title) if slug else None
        shown = self.exercise.embeddings.filter(lesson__is_retired=False).order_by("position")
        found = shown.values("lesson__slug", "lesson__title").first()
        return LessonName(slug=found["lesson__slug"], title=found["lesson__title"]) if found else None

    def window_in(self, assignment: Assignment) -> Window:
        """The person's dates of an assignment."""
        found = self._dated(assignment)
        return window_of(assignment, self.person) if found is None else found.window

    def points_in(self, assignment: Assignment) -> Decimal | None:
        """The points that the exercise has in an assignment; None where it is not in it."""
        found = self._dated(assignment)
        return found.exercises.get(self.exercise.pk) if found is not None else None

    def extra_attempts_in(self, assignment: Assignment) -> int:
        """How many attempts the person was granted beyond those of the assignment."""
        found = self._dated(assignment)
        if found is not None:
            return found.extra_attempts
        granted = assignment.extensions.filter(student=self.person).values_list("extra_attempts", flat=True)
        return granted.first() or 0

    def _dated(self, assignment: Assignment) -> Dated | None:
        return next((row for row in self.assignments if row.assignment.pk == assignment.pk), None)


def attempts_used(student: User, exercises: Iterable[Exercise]) -> dict[int, dict[int | None, int]]:
    """How many attempts the student used at each exercise, by its id and by that of the assignment. One query."""
    used = Attempt.objects.filter(
        submission__student=student,
        submission__exercise__in=[exercise.pk for exercise in exercises],
        given_back_at=None,
    )
    counted = used.order_by().values_list("submission__exercise", "submission__assignment").annotate(Count("pk"))
    found: dict[int, dict[int | None, int]] = {}
    for exercise_id, assignment_id, count in counted:
        found.setdefault(exercise_id, {})[assignment_id] = count
    return found
