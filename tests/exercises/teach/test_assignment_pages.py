"""Instructors make assignments and change them; assistants look, students see none of it."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from exercises.choices import AuditAction, Kind, Role, Shown
from exercises.models import Assignment, AuditEntry, Course, Notice
from exercises.services import start_assignment, submit
from exercises.services.assignments import change_assignment
from tests.factories import make_assignment, make_course, make_exercise, make_member

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def course():
    return make_course(time_zone="Europe/Berlin")


@pytest.fixture
def teacher(course):
    return make_member(course, role=Role.INSTRUCTOR)


@pytest.fixture
def student(course):
    return make_member(course)


@pytest.fixture
def exercise(course):
    return make_exercise(course, kind=Kind.NUMERIC)


@pytest.fixture(autouse=True)
def signed_in(client, teacher):
    client.force_login(teacher)


def settings(exercise, **overrides):
    """What the form sends."""
    fields = {
        "title": "Week 1",
        "opens_at": "2026-06-01T14:00",
        "due_at": "2026-06-08T23:59",
        "closes_at": "",
        "grace_minutes": "5",
        "late_percent_per_day": "10",
        "max_attempts": "3",
        "counted": "best",
        "weight": "1",
        "outcomes_shown": "at_once",
        "solutions_shown": "closed",
        "minutes": "",
        f"points-{exercise.pk}": "2.5",
    }
    return {**fields, **overrides}


def page(name, *arguments):
    return reverse(f"teach:{name}", args=arguments)


def test_new_assignment_has_its_dates_on_the_clock_of_the_course(client, course, exercise, teacher):
    other = make_exercise(course)

    answer = client.post(page("new-assignment", course.slug), settings(exercise, **{f"points-{other.pk}": ""}))

    assignment = Assignment.objects.get()
    assert answer.headers["Location"] == page("assignment", course.slug, "week-1")
    assert (assignment.opens_at, assignment.due_at) == (NOON, datetime(2026, 6, 8, 21, 59, tzinfo=UTC))
    assert (assignment.grace_minutes, assignment.late_percent_per_day, assignment.max_attempts) == (5, 10, 3)
    assert [(item.exercise, item.points) for item in assignment.items.all()] == [(exercise, Decimal("2.5"))]
    entry = AuditEntry.objects.get(action=AuditAction.ASSIGNMENT_CREATED)
    assert (entry.actor, entry.target) == (teacher, "week-1")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"title": ""}, "This field is required"),
        ({"due_at": "2026-05-01T00:00"}, "The dates must come in this order"),
        ({"due_at": "2027-03-28T02:30"}, "couldn’t be interpreted in time zone Europe/Berlin"),
        ({"due_at": "soon"}, "Enter a valid date/time"),
        ({"due_at": "9999-12-31T23:59"}, "Dates go from the year 2000 to the year 2099."),
        ({"closes_at": "9999-12-31T23:59"}, "Dates go from the year 2000 to the year 2099."),
        ({"due_at": "2100-01-03T12:00"}, "Dates go from the year 2000 to the year 2099."),
        ({"opens_at": "0001-01-01T00:00"}, "Dates go from the year 2000 to the year 2099."),
        ({"opens_at": "1999-12-30T00:00"}, "Dates go from the year 2000 to the year 2099."),
        ({"minutes": "30"}, "Only a quiz has a clock"),
        ({"late_percent_per_day": "101"}, "less than or equal to 100"),
        ({"outcomes_shown": "closed"}, "What never closes would never show outcomes"),
        ({"weight": "-1"}, "greater than or equal to 0"),
        ({"slug": "Not a slug"}, "The address of an assignment"),
        ({"slug": "taken"}, "There is an assignment called taken already"),
    ],
)
def test_new_assignment_that_cannot_be_says_why(client, course, exercise, wrong, said):
    make_assignment(exercise, slug="taken")

    answer = client.post(page("new-assignment", course.slug), settings(exercise, **wrong))

    assert answer.status_code == 400
    assert said in answer.content.decode().replace("&#x27;", "'")
    assert Assignment.objects.count() == 1


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Kiritimati"])
@pytest.mark.parametrize("at", ["9999-12-31T23:59", "0001-01-01T00:00"])
def test_date_at_the_end_of_the_calendar_is_refused_in_every_zone(client, course, exercise, zone, at):
    Course.objects.update(time_zone=zone)
    assignment = make_assignment(exercise)

    answers = [
        client.post(page("new-assignment", course.slug), settings(exercise, due_at=at)),
        client.post(page("assignment", course.slug, assignment.slug), settings(exercise, due_at=at)),
        client.post(page("extend", course.slug, assignment.slug), {"student": "0", "due_at": at}),
    ]

    assert [answer.status_code for answer in answers] == [400] * 3
    assert all("Dates go from the year 2000" in answer.content.decode() for answer in answers)


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Kiritimati"])
def test_last_minute_there_is_may_be_due(client, course, exercise, zone):
    Course.objects.update(time_zone=zone)

    client.post(page("new-assignment", course.slug), settings(exercise, due_at="2099-12-31T23:59"))

    assert Assignment.objects.get().due_at == datetime(2099, 12, 31, 23, 59, tzinfo=ZoneInfo(zone))


def test_release_meanwhile_stands_when_an_older_page_is_saved(exercise, teacher):
    stale = make_assignment(exercise, closes_at=NOON + DAY)
    Assignment.objects.update(released_at=NOON, is_hidden=True)

    change_assignment(stale, author=teacher, points={exercise.pk: Decimal(1)}, title="Anew")

    assignment = Assignment.objects.get()
    assert (assignment.title, assignment.released_at, assignment.is_hidden) == ("Anew", NOON, True)


def test_assignment_needs_an_exercise(client, course, exercise):
    answer = client.post(page("new-assignment", course.slug), settings(exercise, **{f"points-{exercise.pk}": ""}))

    assert answer.status_code == 400
    assert "Give points to at least one exercise" in answer.content.decode()
    assert not Assignment.objects.exists()


def test_form_shows_what_stands_and_saving_it_changes_nothing(client, course, exercise):
    client.post(page("new-assignment", course.slug), settings(exercise))
    address = page("assignment", course.slug, "week-1")
    before = Assignment.objects.values().get()

    text = client.get(address).content.decode()
    client.post(address, settings(exercise))

    assert 'value="2026-06-08T23:59"' in text
    assert 'value="2.5"' in text
    assert Assignment.objects.values().get() == before
    assert not AuditEntry.objects.filter(action=AuditAction.ASSIGNMENT_CHANGED).exists()


def test_whole_points_are_written_out(client, course, exercise):
    assignment = make_assignment(exercise)

    text = client.get(page("assignment", course.slug, assignment.slug)).content.decode()

    assert f'name="points-{exercise.pk}" value="10"' in text


def test_points_that_are_none_are_refused_beside_their_exercise(client, course, exercise):
    answer = client.post(page("new-assignment", course.slug), settings(exercise, **{f"points-{exercise.pk}": "-1"}))

    assert answer.status_code == 400
    assert "greater than or equal to 0" in answer.content.decode()


def test_change_is_kept_in_the_record(client, course, exercise, teacher):
    client.post(page("new-assignment", course.slug), settings(exercise))

    client.post(
        page("assignment", course.slug, "week-1"),
        settings(exercise, max_attempts="4", **{f"points-{exercise.pk}": "3"}),
    )

    entry = AuditEntry.objects.get(action=AuditAction.ASSIGNMENT_CHANGED)
    points = [f"{exercise.slug} 2.5", f"{exercise.slug} 3"]
    assert (entry.actor, entry.details) == (teacher, {"max_attempts": [3, 4], "points": points})
    assert Assignment.objects.get().items.get().points == 3


def test_exercise_to_which_students_have_handed_in_stays(client, course, exercise, student):
    other = make_exercise(course, kind=Kind.NUMERIC)
    assignment = make_assignment(exercise, other)
    submit(student, exercise, response=5)

    answer = client.post(
        page("assignment", course.slug, assignment.slug), settings(other, opens_at="", due_at="", title="x")
    )

    assert answer.status_code == 400
    assert "have handed in must stay" in answer.content.decode()
    assert assignment.items.count() == 2
    assignment.refresh_from_db()
    assert assignment.title != "x"


def test_quiz_that_students_started_stays_one(client, course, exercise, student):
    quiz = make_assignment(exercise, is_quiz=True)
    start_assignment(student, quiz)

    answer = client.post(page("assignment", course.slug, quiz.slug), settings(exercise, opens_at="", due_at=""))

    assert answer.status_code == 400
    assert "it stays what it is" in answer.content.decode()


def test_list_shows_all_of_the_course_also_hidden_ones(client, course, exercise):
    shown, hidden = make_assignment(exercise, due_at=NOON), make_assignment(exercise, is_hidden=True)

    text = client.get(page("assignments", course.slug)).content.decode()

    assert shown.title in text
    assert hidden.title in text
    assert "Seen by staff alone" in text
    assert "Mon 1 June 2026, 14:00" in text


def test_form_sets_what_is_shown_and_how(client, course, exercise):
    more = {"weight": "2.5", "outcomes_shown": "released", "one_question_a_page": "on", "is_shuffled": "on"}

    client.post(page("new-assignment", course.slug), settings(exercise, **more))

    made = Assignment.objects.get()
    assert (made.weight, made.outcomes_shown) == (Decimal("2.5"), Shown.RELEASED)
    assert made.one_question_a_page
    assert made.is_shuffled
    client.post(page("assignment", course.slug, made.slug), settings(exercise, **{**more, "weight": "3"}))
    assert AuditEntry.objects.get(action=AuditAction.ASSIGNMENT_CHANGED).details == {"weight": ["2.5", "3"]}


def test_list_tells_at_a_glance_what_is_open_and_shown(client, course, exercise):
    now = timezone.now()
    make_assignment(exercise, opens_at=now + DAY)
    make_assignment(exercise, closes_at=now - DAY, outcomes_shown=Shown.CLOSED, weight=2)
    waiting = make_assignment(exercise, outcomes_shown=Shown.RELEASED, solutions_shown=Shown.NEVER)

    text = client.get(page("assignments", course.slug)).content.decode()

    for word in ("Not open yet", "Closed", "Outcomes: shown, as it is closed", "weight 2", "Solutions: never"):
        assert word in text
    assert "Outcomes: not released yet" in text
    Assignment.objects.filter(pk=waiting.pk).update(released_at=now)
    assert "Outcomes: released" in client.get(page("assignments", course.slug)).content.decode()


@pytest.mark.parametrize("rows", [1, 3])
def test_list_costs_the_same_for_any_number(client, course, exercise, rows, django_assert_max_num_queries):
    for _ in range(rows):
        make_assignment(exercise)

    with django_assert_max_num_queries(10):
        client.get(page("assignments", course.slug))


def test_release_is_recorded_told_and_can_be_taken_back(client, course, exercise, student, teacher):
    assignment = make_assignment(exercise, outcomes_shown=Shown.RELEASED)
    submit(student, exercise, response=5)
    idle = make_member(course)
    address = page("release", course.slug, assignment.slug)

    for _ in range(2):
        client.post(address)

    assignment.refresh_from_db()
    assert assignment.released_at is not None
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.action, entry.target) == (teacher, AuditAction.OUTCOMES_RELEASED, assignment.slug)
    assert Notice.objects.get(user=student).text == f"“{assignment.title}”: what was judged is shown now."
    assert not Notice.objects.filter(user=idle).exists()

    client.post(address, {"take_back": "1"})
    assignment.refresh_from_db()
    assert assignment.released_at is None
    assert AuditEntry.objects.filter(action=AuditAction.RELEASE_TAKEN_BACK).count() == 1


def test_nothing_is_released_that_waits_for_nothing(client, course, exercise):
    assignment = make_assignment(exercise)

    answer = client.post(page("release", course.slug, assignment.slug), follow=True)

    assert "Nothing of this assignment waits for a release." in answer.content.decode()
    assignment.refresh_from_db()
    assert assignment.released_at is None


def test_assistants_look_and_change_nothing(client, course, exercise, student):
    assignment = make_assignment(exercise)
    client.force_login(make_member(course, role=Role.ASSISTANT))

    listed = client.get(page("assignments", course.slug))

    assert listed.status_code == 200
    assert "New assignment" not in listed.content.decode()
    assert client.post(page("new-assignment", course.slug), settings(exercise)).status_code == 403
    assert client.post(page("assignment", course.slug, assignment.slug), settings(exercise)).status_code == 403
    assert client.post(page("extend", course.slug, assignment.slug), {"student": student.pk}).status_code == 403
    assert client.post(page("release", course.slug, assignment.slug)).status_code == 403
    assert client.post(page("extra-time", course.slug, student.pk), {"factor": "2"}).status_code == 403
    assert "Extra time" not in client.get(page("student", course.slug, student.pk)).content.decode()
