"""A course once more: all that was written, no people, and dates that move by days of the clock on the wall."""

from datetime import UTC, date, datetime

import pytest
from django.urls import reverse

from exercises.choices import Kind, Role
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import Asset, AuditEntry, Course, Revision
from exercises.queries import course_files
from exercises.services import create_join_link, store_certificate, submit
from exercises.services.course_copies import copy_course
from tests.factories import (
    make_assignment,
    make_course,
    make_exercise,
    make_lesson,
    make_member,
    make_revision,
    publish_version,
)

pytestmark = pytest.mark.django_db

DUE = datetime(2026, 10, 20, 21, 59, tzinfo=UTC)


class Original:
    """A course with one of everything."""

    def __init__(self):
        self.course = make_course(time_zone="Europe/Berlin", dropped_lowest=1, keeps_better_score=True)
        self.author = make_member(self.course, role=Role.INSTRUCTOR)
        self.exercise = make_exercise(self.course, kind=Kind.NUMERIC)
        publish_version(self.exercise, kind=Kind.NUMERIC, definition={"answer": 6}, grading_hash="a" * 64)
        self.certificate = store_certificate(
            self.exercise, self.exercise.published.grading_hash, checked_at=DUE, mutation_score=0.95
        )
        store_certificate(self.exercise, "b" * 64, checked_at=DUE)
        self.head = make_revision(self.exercise, kind=Kind.NUMERIC)
        self.retired = make_exercise(self.course, is_retired=True)
        self.lesson = make_lesson(self.course)
        self.lesson.embedded.create(exercise=self.exercise, position=0)
        make_lesson(self.course, is_retired=True)
        Asset.objects.create(course=self.course, path="a.png", media_type="image/png", digest="1", content=b"picture")
        self.assignment = make_assignment(self.exercise, due_at=DUE, weight=2, title="Week 1")
        self.assignment.items.create(exercise=self.retired, position=1, points=3)
        self.student = make_member(self.course)
        submit(self.student, self.exercise, response=6)
        create_join_link(self.course, Role.STUDENT, created_by=None)

    def copied(self, **fields):
        return copy_course(self.course, author=self.author, **{"slug": "next", "title": "Next", **fields})


@pytest.fixture
def original():
    return Original()


def test_copy_has_what_was_written(original):
    copy = original.copied()

    exercise, lesson = copy.exercises.get(), copy.lessons.get()
    assert (copy.title, copy.time_zone, copy.dropped_lowest, copy.keeps_better_score) == (
        "Next",
        "Europe/Berlin",
        1,
        True,
    )
    assert (exercise.slug, exercise.published.definition) == (
        original.exercise.slug,
        original.exercise.published.definition,
    )
    assert exercise.published.number == exercise.versions.count() == 1
    assert [row.mutation_score for row in exercise.certificates.all()] == [0.95]
    assert Revision.objects.get(exercise=exercise).files == original.head.files
    assert [row.exercise for row in lesson.embedded.all()] == [exercise]
    assert bytes(copy.assets.get().content) == b"picture"
    assert [(item.exercise, item.points) for item in copy.assignments.get().items.all()] == [(exercise, 10)]
    assert copy.assignments.get().weight == 2


def test_files_of_the_copy_are_those_of_the_original_but_for_its_title(original):
    copy = original.copied(title=original.course.title)

    assert course_files(copy) == course_files(original.course)


def test_copy_has_no_people_and_nothing_of_theirs(original):
    copy = original.copied()

    assert [(row.user, row.role) for row in copy.memberships.all()] == [(original.author, Role.INSTRUCTOR)]
    assert not copy.join_links.exists()
    assert not copy.exercises.get().submissions.exists()
    assert copy.assignments.get().released_at is None


@pytest.mark.parametrize("starts_on", [date.max, date(2101, 1, 1), date.min])
def test_copy_whose_dates_would_lie_beyond_the_calendar_is_refused(original, starts_on):
    with pytest.raises(InvalidFieldError, match="2099") as refusal:
        original.copied(starts_on=starts_on)

    assert refusal.value.field == "starts_on"
    assert Course.objects.count() == 1


def test_original_stays_as_it_was(original):
    before = course_files(original.course)

    original.copied(starts_on=date(2027, 1, 1))

    original.assignment.refresh_from_db()
    original.exercise.refresh_from_db()
    assert course_files(original.course) == before
    assert (original.assignment.due_at, original.exercise.versions.count()) == (DUE, 2)


def test_dates_move_by_days_on_the_clock_of_the_course(original):
    later = make_assignment(original.exercise, due_at=datetime(2026, 10, 27, 22, 59, tzinfo=UTC))

    copy = original.copied(starts_on=date(2027, 4, 1))

    # 23:59 in Berlin in October, before and after the change of clocks, and in April.
    assert [row.due_at for row in copy.assignments.order_by("due_at")] == [
        datetime(2027, 4, 1, 21, 59, tzinfo=UTC),
        datetime(2027, 4, 8, 21, 59, tzinfo=UTC),
    ]
    assert later.title in copy.assignments.values_list("title", flat=True)


def test_without_a_day_there_are_no_dates(original):
    assignment = original.copied().assignments.get()

    assert (assignment.opens_at, assignment.due_at, assignment.closes_at) == (None, None, None)


def test_copy_is_on_record(original):
    copy = original.copied(starts_on=date(2026, 10, 21))

    entry = AuditEntry.objects.get(course=copy)
    assert (entry.action, entry.actor, entry.details) == (
        "course_copied",
        original.author,
        {"of": original.course.slug, "exercises": 1, "days": 1},
    )


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.STUDENT, Role.PREVIEW, None])
def test_others_than_instructors_copy_nothing(original, role):
    person = make_member(make_course(), role=Role.INSTRUCTOR)
    if role is not None:
        original.course.memberships.create(user=person, role=role)

    with pytest.raises(NotAllowedError):
        copy_course(original.course, author=person, slug="next", title="Next")

    assert not Course.objects.filter(slug="next").exists()


@pytest.mark.parametrize(
    ("fields", "field"), [({"slug": "No slug"}, "slug"), ({"title": " "}, "title"), ({"title": "x" * 201}, "title")]
)
def test_wrong_names_are_refused(original, fields, field):
    with pytest.raises(InvalidFieldError) as caught:
        original.copied(**fields)

    assert caught.value.field == field


def test_page_copies_and_says_when_the_address_is_taken(client, original):
    client.force_login(original.author)
    address = reverse("teach:copy-course", args=(original.course.slug,))

    page = client.get(address).content.decode()
    done = client.post(address, {"title": "Next term", "slug": "", "starts_on": "2027-04-01"})
    again = client.post(address, {"title": "Next term", "slug": "", "starts_on": ""})

    assert "2026-10-20" in page
    assert done.url == reverse("authoring:course", args=("next-term",))
    assert (again.status_code, "There is a course called next-term already." in again.content.decode()) == (400, True)
