from collections.abc import Mapping

from django.db.models import Q, QuerySet

from exercises.choices import STAFF_ROLES, Role
from exercises.models import Course, ExerciseVersion, Membership, Question, User


def may_ask(user: User, course: Course) -> bool:
    """Whether the course has staff who could answer, and is asked by none of them, also as a student. One query."""
    others = Membership.objects.filter(course=course, role__in=(*STAFF_ROLES, Role.PREVIEW))
    return answers_questions(dict(others.values_list("user_id", "role")), user)


def answers_questions(roles: Mapping[int, str], user: User) -> bool:
    """Whether there is somebody who answers the user, by these roles in the course, all of staff among them."""
    own = roles.get(user.pk)
    return own not in (*STAFF_ROLES, Role.PREVIEW) and any(role in STAFF_ROLES for role in roles.values())


def question_for(viewer: User, question_id: int) -> Question:
    """A question that the viewer may read: their own, or one in a course where they are staff.

    Raises:
        Question.DoesNotExist: there is none, or not for this viewer.
    """
    as_staff = Q(course__memberships__user=viewer, course__memberships__role__in=STAFF_ROLES)
    found = _with_subjects(Question.objects.filter(Q(student=viewer) | as_staff))
    return found.prefetch_related("replies__author").distinct().get(pk=question_id)


def questions_asked_by(student: User) -> QuerySet[Question]:
    """All that the student asked or reported, the newest first."""
    return _with_subjects(Question.objects.filter(student=student))


def questions_in(course: Course, *, is_open: bool | None = None) -> QuerySet[Question]:
    """What students asked or reported in the course, the newest first: open, answered or (None) all of it."""
    found = _with_subjects(Question.objects.filter(course=course))
    return found if is_open is None else found.filter(answered_at__isnull=is_open)


def fixes_for(question: Question) -> QuerySet[ExerciseVersion]:
    """The versions of its exercise since it was asked, the newest first: those that may have put it right."""
    since = ExerciseVersion.objects.filter(exercise=question.exercise_id, created_at__gt=question.asked_at)
    return since.defer("definition").order_by("-number")


def _with_subjects(questions: QuerySet[Question]) -> QuerySet[Question]:
    subjects = questions.select_related(
        "course", "student", "answered_by", "lesson", "exercise__published", "submission__version", "fixed_by"
    )
    return subjects.defer(
        "lesson__source",
        "lesson__html",
        "lesson__search_text",
        "lesson__snippets",
        "exercise__published__definition",
        "submission__version__definition",
        "fixed_by__definition",
        "submission__source",
    )
