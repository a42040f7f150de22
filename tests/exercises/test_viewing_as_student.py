"""Staff who see a course as a student: as its preview student, who counts nowhere, and with no right more."""

import pytest
from django.test import Client
from django.urls import reverse

from exercises.choices import Kind, Role
from exercises.models import AuditEntry, Draft, Membership, Submission, User
from exercises.queries import may_ask
from exercises.queries.analysis import item_lines
from exercises.queries.gradebook import students_of
from exercises.queries.memberships import members_of
from exercises.queries.overview import students_at_work, waiting_in
from exercises.queries.regrades import submissions_due
from exercises.queries.reviewing import review_queues
from exercises.services import start_assignment, submit
from exercises.services.previews import forget_preview, preview_student
from tests.factories import make_assignment, make_course, make_exercise, make_member, publish_version

pytestmark = pytest.mark.django_db


class Viewing:
    def __init__(self, role=Role.INSTRUCTOR):
        self.course = make_course()
        self.exercise = make_exercise(self.course, kind=Kind.NUMERIC)
        self.staff = make_member(self.course, role=role)
        self.client = Client()
        self.client.force_login(self.staff)

    def begin(self):
        return self.client.post(reverse("teach:view-as-student", args=(self.course.slug,)))

    def leave(self):
        return self.client.post(reverse("teach:leave-view", args=(self.course.slug,)))

    def get(self, name, *args):
        return self.client.get(reverse(name, args=(self.course.slug, *args)))

    @property
    def student(self):
        return User.objects.get(memberships__course=self.course, memberships__role=Role.PREVIEW)


@pytest.mark.parametrize("role", [Role.INSTRUCTOR, Role.ASSISTANT])
def test_staff_meet_the_pages_as_the_preview_student_and_go_back(role):
    viewing = Viewing(role)

    viewing.begin()
    page = viewing.get("learn:course").content.decode()
    viewing.leave()
    after = viewing.get("learn:course").content.decode()

    assert "as a student.</strong>" in page
    assert "Preview student" in page
    assert "View as a student" not in page
    assert "as a student.</strong>" not in after
    assert "View as a student" in after


def test_what_is_handed_in_is_the_preview_students():
    viewing = Viewing()
    viewing.begin()

    viewing.client.post(
        reverse("learn:submit", args=(viewing.course.slug, viewing.exercise.slug)),
        {"response": "5", "version": viewing.exercise.published.number},
    )

    assert [row.student for row in Submission.objects.all()] == [viewing.student]


def test_pages_of_staff_are_not_there_meanwhile():
    viewing = Viewing()
    viewing.begin()

    assert viewing.get("teach:class").status_code == 404
    assert viewing.get("authoring:course").status_code == 404
    assert viewing.get("authoring:settings").status_code == 404


def test_own_account_stays_ones_own():
    viewing = Viewing()
    Draft.objects.create(student=viewing.staff, exercise=viewing.exercise, source="mine")
    viewing.begin()

    copy = b"".join(viewing.client.get(reverse("learn:download-own-data")).streaming_content).decode()
    viewing.client.post(reverse("learn:erase-own-data"), {"proof": viewing.student.username})

    assert viewing.staff.username in copy
    assert viewing.student.first_name == "Preview"


def test_other_courses_are_not_there_meanwhile():
    viewing = Viewing()
    other = make_course()
    Membership.objects.create(course=other, user=viewing.staff, role=Role.INSTRUCTOR)
    viewing.begin()

    assert viewing.client.get(reverse("learn:course", args=(other.slug,))).status_code == 404


@pytest.mark.parametrize("change", ["made a student", "taken out", "preview forgotten"])
def test_view_ends_with_the_right_to_it(change):
    viewing = Viewing()
    viewing.begin()
    if change == "preview forgotten":
        forget_preview(viewing.course, viewer=viewing.staff)
    own = Membership.objects.filter(user=viewing.staff)
    if change == "made a student":
        own.update(role=Role.STUDENT)
    if change == "taken out":
        own.delete()

    answer = viewing.get("learn:course")

    assert "as a student.</strong>" not in answer.content.decode()
    assert answer.status_code == (404 if change == "taken out" else 200)
    assert "viewed_course" not in viewing.client.session


def test_session_of_somebody_else_views_nothing():
    """What another course's number in a session would be worth."""
    viewing, student = Viewing(), Client()
    viewing.begin()
    student.force_login(make_member(viewing.course))
    session = student.session
    session["viewed_course"] = viewing.course.pk
    session.save()

    page = student.get(reverse("learn:course", args=(viewing.course.slug,))).content.decode()

    assert "as a student.</strong>" not in page


def test_students_do_not_begin_a_view():
    viewing, client = Viewing(), Client()
    client.force_login(make_member(viewing.course))

    answer = client.post(reverse("teach:view-as-student", args=(viewing.course.slug,)))

    assert answer.status_code == 404
    assert not Membership.objects.filter(role=Role.PREVIEW).exists()


def test_sign_out_ends_it():
    viewing = Viewing()
    viewing.begin()

    viewing.client.post(reverse("account_logout"))
    viewing.client.force_login(viewing.staff)

    assert "viewed_course" not in viewing.client.session


def test_preview_student_is_one_a_course_and_cannot_sign_in():
    viewing = Viewing()

    first = preview_student(viewing.course, viewer=viewing.staff)

    assert preview_student(viewing.course, viewer=viewing.staff) == first
    assert preview_student(make_course_of(viewing.staff), viewer=viewing.staff) != first
    assert not first.is_active
    assert not first.has_usable_password()


def make_course_of(instructor):
    course = make_course()
    Membership.objects.create(course=course, user=instructor, role=Role.INSTRUCTOR)
    return course


def test_preview_student_meets_an_assignment_as_students_do():
    viewing = Viewing()
    quiz = make_assignment(viewing.exercise, is_quiz=True, minutes=10)
    student = preview_student(viewing.course, viewer=viewing.staff)
    start_assignment(student, quiz)

    submission = submit(student, viewing.exercise, response=5, assignment=quiz.slug)

    assert (submission.assignment, submission.is_counted) == (quiz, True)


def test_preview_student_is_in_no_list_and_no_statistic():
    viewing = Viewing()
    explain = make_exercise(viewing.course, kind=Kind.EXPLAIN)
    student = preview_student(viewing.course, viewer=viewing.staff)
    submit(student, viewing.exercise, response=6)
    submit(student, explain, response="Because.")
    version = publish_version(viewing.exercise, kind=Kind.NUMERIC, definition={"answer": 6})

    assert list(students_of(viewing.course)) == []
    assert [row.user for row in members_of(viewing.course)] == [viewing.staff]
    assert [line.students for line in item_lines(viewing.course)] == [0, 0]
    assert students_at_work(viewing.course) == []
    assert [(queue.waiting, queue.read) for queue in review_queues(viewing.course)] == [(0, 0)]
    assert waiting_in(viewing.course).for_review == 0
    assert list(submissions_due(viewing.exercise, version)) == []
    assert not may_ask(student, viewing.course)


def test_beginning_afresh_forgets_all_of_it_and_is_on_record():
    viewing = Viewing()
    before = preview_student(viewing.course, viewer=viewing.staff)
    submit(before, viewing.exercise, response=5)
    viewing.begin()

    viewing.client.post(reverse("teach:forget-preview", args=(viewing.course.slug,)))

    assert viewing.student != before
    assert not Submission.objects.exists()
    assert AuditEntry.objects.get().action == "preview_forgotten"
    assert viewing.get("learn:course").status_code == 200
