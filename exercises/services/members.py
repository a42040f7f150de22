from exercises.choices import ROLES_OF_PEOPLE, Role
from exercises.errors import CourseNotOpenError
from exercises.models import Course, Membership, User

RANKS = {role: rank for rank, role in enumerate((Role.PREVIEW, *ROLES_OF_PEOPLE))}


def enrol(user: User, course: Course, *, role: Role = Role.STUDENT) -> Membership:
    """Make the user a member; who is one already keeps the higher role of the two."""
    membership, is_new = Membership.objects.get_or_create(user=user, course=course, defaults={"role": role})
    if not is_new and RANKS[role] > RANKS[Role(membership.role)]:
        membership.role = role
        membership.save(update_fields=["role"])
    return membership


def join_open_course(user: User, course: Course) -> Membership:
    """Make the user a student of a course that anyone may join.

    Raises:
        CourseNotOpenError: it takes members by invitation only.
    """
    if not course.self_paced:
        raise CourseNotOpenError("This course takes members by invitation only.")
    return enrol(user, course)
