import pytest

from exercises.choices import AuditAction, Role
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import AuditEntry, Course
from exercises.queries import may_create_courses, role_in
from exercises.services import change_course, create_course
from tests.exercises.authoring import make_author
from tests.factories import make_course, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    return make_course(title="Before")


def test_administrator_makes_a_course_and_teaches_it():
    creator = make_user(is_staff=True)

    course = create_course(creator, slug="my-course", title=" My course ", self_paced=True)

    assert (course.title, course.self_paced, course.required_score, course.keeps_better_score) == (
        "My course",
        True,
        0.9,
        False,
    )
    assert role_in(creator, course) == Role.INSTRUCTOR
    assert AuditEntry.objects.get().action == AuditAction.COURSE_CREATED


def test_who_teaches_may_make_another_course(course):
    people = [make_author(course), make_member(course, Role.ASSISTANT), make_member(course), make_user()]

    assert [may_create_courses(person) for person in people] == [True, False, False, False]
    with pytest.raises(NotAllowedError):
        create_course(people[1], slug="theirs", title="Theirs")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "My Course"),
        ("slug", "taken"),
        ("title", "  "),
        ("title", "x" * 201),
        ("time_zone", "Mars/Olympus"),
        ("required_score", 1.5),
        ("required_score", -0.1),
    ],
)
def test_field_of_the_wrong_form_is_refused(field, value):
    make_course(slug="taken")
    fields = {"slug": "my-course", "title": "My course", field: value}

    with pytest.raises(InvalidFieldError) as refusal:
        create_course(make_user(is_staff=True), **fields)

    assert refusal.value.field == field
    assert Course.objects.count() == 1


def test_instructor_changes_what_is_given(course):
    author = make_author(course)

    change_course(course, author=author, title="After", required_score=0.9)

    course.refresh_from_db()
    assert (course.title, course.required_score) == ("After", 0.9)
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.details) == (AuditAction.COURSE_CHANGED, {"title": ["Before", "After"]})


def test_change_of_nothing_leaves_no_record(course):
    change_course(course, author=make_author(course), title="Before")

    assert not AuditEntry.objects.exists()


def test_assistant_changes_no_course(course):
    with pytest.raises(NotAllowedError):
        change_course(course, author=make_member(course, Role.ASSISTANT), title="After")
