from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from exercises.choices import STAFF_ROLES, Role
from exercises.models import Course, Draft, Exercise, Lesson, LessonExercise, Membership, Submission, User
from exercises.queries.encounters import Encounter
from exercises.queries.held_back import not_held_back

SHOWN = Q(is_retired=False, published__isnull=False)


def visible_courses(user: User) -> QuerySet[Course]:
    """The courses that the user is a member of, each with their `role` and when they `joined_at`."""
    member = {"role": F("memberships__role"), "joined_at": F("memberships__joined_at")}
    return Course.objects.filter(memberships__user=user).annotate(**member)


def taught_courses(user: User) -> QuerySet[Course]:
    """The courses that the user teaches or assists in, each with their `role`."""
    taught = Course.objects.filter(memberships__user=user, memberships__role__in=STAFF_ROLES)
    return taught.annotate(role=F("memberships__role"))


def open_courses(user: User) -> QuerySet[Course]:
    """The self-paced courses that the user may join and has not."""
    return Course.objects.filter(self_paced=True).exclude(memberships__user=user)


def role_in(user: User, course: Course) -> Role | None:
    """The user's role in the course; None for a stranger."""
    membership = Membership.objects.filter(user=user, course=course).first()
    return None if membership is None else Role(membership.role)


def preview_students(course: Course | int) -> QuerySet[Membership, int]:
    """Ids of who is no student, though staff see pages as them: what they handed in is in no list of students' work."""
    return Membership.objects.filter(course=course, role=Role.PREVIEW).values_list("user", flat=True)


def is_staff_of(user: User, course: Course) -> bool:
    """Whether the user teaches or assists in the course."""
    return role_in(user, course) in STAFF_ROLES


def may_create_courses(user: User) -> bool:
    """Whether the user may make a course: administrators, and whoever is an instructor already."""
    return user.is_staff or Membership.objects.filter(user=user, role=Role.INSTRUCTOR).exists()


def teaches(user: User) -> bool:
    """Whether the user is staff of any course."""
    return Membership.objects.filter(user=user, role__in=STAFF_ROLES).exists()


def lesson_for(user: User, course_slug: str, slug: str) -> Lesson:
    """A lesson of a course that the user is a member of.

    Raises:
        Lesson.DoesNotExist: there is none, or not for this user.
    """
    lessons = Lesson.objects.select_related("course").filter(is_retired=False, course__memberships__user=user)
    return lessons.get(course__slug=course_slug, slug=slug)


def exercise_for(user: User, course_slug: str, slug: str) -> Exercise:
    """A published exercise of a course that the user is a member of, unless it waits in an assignment.

    Raises:
        Exercise.DoesNotExist: there is none, or not for this user.
    """
    return encounter_for(user, course_slug, slug).exercise


def encounter_for(user: User, course_slug: str, slug: str) -> Encounter:
    """The user before an exercise that `exercise_for` would find.

    Raises:
        Exercise.DoesNotExist: there is none, or not for this user.
    """
    found = _with_lessons(_exercises_of(user).filter(SHOWN)).get(course__slug=course_slug, slug=slug)
    met = Encounter(user, found)
    if met.is_held_back:
        raise Exercise.DoesNotExist(f"{slug} waits in an assignment")
    return met


def exercise_met_by(user: User, course_slug: str, slug: str) -> Exercise:
    """As `exercise_for`; also one that is closed by now, if the user wrote or handed in something before.

    Raises:
        Exercise.DoesNotExist: there is none, or not for this user.
    """
    of_user = {"student": user, "exercise": OuterRef("pk")}
    has_met = Exists(Draft.objects.filter(**of_user)) | Exists(Submission.objects.filter(**of_user))
    exercises = _exercises_of(user).filter(Q(SHOWN) | Q(has_met))
    found = _with_lessons(exercises.annotate(has_met=has_met)).get(course__slug=course_slug, slug=slug)
    if not getattr(found, "has_met", False) and Encounter(user, found).is_held_back:
        raise Exercise.DoesNotExist(f"{slug} waits in an assignment")
    return found


def _exercises_of(user: User) -> QuerySet[Exercise]:
    return Exercise.objects.select_related("course", "published").filter(course__memberships__user=user)


def _with_lessons(exercises: QuerySet[Exercise]) -> QuerySet[Exercise]:
    """The same with slug and title of the first lesson that shows each, as `lesson_slug` and `lesson_title`."""
    shown = LessonExercise.objects.filter(exercise=OuterRef("pk"), lesson__is_retired=False).order_by("position")
    return exercises.annotate(
        lesson_slug=Subquery(shown.values("lesson__slug")[:1]), lesson_title=Subquery(shown.values("lesson__title")[:1])
    )


def exercises_shown_to(user: User) -> QuerySet[Exercise]:
    """What lists show to this person: without what waits in an assignment that has not opened for them."""
    return shown_exercises().filter(not_held_back(user))


def shown_exercises() -> QuerySet[Exercise]:
    """What lists of exercises show, without the definitions."""
    return Exercise.objects.filter(SHOWN).select_related("published").defer("published__definition")
