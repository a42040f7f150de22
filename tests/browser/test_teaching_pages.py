"""The pages of those who teach, and the rarer ones of accounts, wide, on a phone and in the dark: as in test_pages."""

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.urls import reverse

from exercises.blobs import pack
from exercises.choices import Kind, Role, RunKind, State
from exercises.learn.shared import shared_url
from exercises.services import review, submit
from graders.outcomes import Verdict
from tests.browser.assignments import assignment_page, quiz_page
from tests.browser.demo import ATTENTION, run_result
from tests.browser.looks import LOOKED_AT, faults_of
from tests.exercises.sign_in.apps import give_second_factor
from tests.factories import make_exercise, make_member, make_run

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COURSE = "/courses/attention/"
TEACH = "/teach/attention/"


def set_password_page(demo):
    """Of somebody who signs in elsewhere."""
    demo.student.set_unusable_password()
    demo.student.save()
    return "/account/password/set/"


def with_second_factor(name):
    """A page as somebody sees it who has an app and recovery codes."""

    def address(demo):
        give_second_factor(demo.student)
        RecoveryCodes.activate(demo.student)
        return reverse(name)

    return address


def operations_page(demo):
    demo.instructor.is_staff = True
    demo.instructor.save()
    return "/operations/"


def staff_run_page(demo):
    """A copy of what was handed in, run by staff."""
    run = make_run(
        demo.instructor,
        kind=RunKind.JUDGED,
        state=State.GRADED,
        verdict=Verdict.ACCEPTED,
        version=demo.mistaken.version,
        submission=demo.mistaken,
        result=pack(run_result()),
    )
    return reverse("teach:staff-run", args=("attention", run.pk))


def explained_by_class(demo):
    """Answers in words, three of them alike; one was read by somebody else."""
    exercise = make_exercise(demo.course, kind=Kind.EXPLAIN, version={"title": "Why divide by the root"})
    texts = [
        "Dividing by the root of d keeps the variance at one.",
        "It keeps the variance at one, dividing by the root of d.",
        "Dividing by the root keeps the variance at one.",
        "I do not know.",
    ]
    submissions = [submit(make_member(demo.course), exercise, response=text) for text in texts]
    points = {"Names the spread": "0.5", "Names the softmax": "1"}
    review(submissions[3], reviewer=make_member(demo.course, role=Role.ASSISTANT), points=points)
    return exercise, submissions


def reading_page(name, place=None, **query):
    def address(demo):
        exercise, submissions = explained_by_class(demo)
        where = () if place is None else (submissions[place].pk,)
        asked = "&".join(f"{key}={value}" for key, value in query.items())
        return f"{reverse(f'teach:{name}', args=('attention', exercise.slug, *where))}?{asked}"

    return address


def member_page(demo):
    membership = demo.course.memberships.get(user=demo.student)
    return reverse("teach:member", args=("attention", membership.pk))


def gradebook_with_assignments(demo):
    """The gradebook where there are assignments: weighed, sections, late work, and something set by hand."""
    assignment_page(demo)
    quiz_page(demo, is_started=False)
    first = demo.course.assignments.first()
    demo.course.assignments.filter(pk=first.pk).update(weight=3)
    late = submit(demo.student, first.items.get(position=1).exercise, response="5", assignment=first.slug)
    by_hand = {"score": 3, "max_score": 4, "reason": "Seen in class"}
    item = first.items.get(position=0)
    demo.student.overrides.create(exercise=item.exercise, assignment=first, **by_hand)
    members = demo.course.memberships.filter(user=late.student)
    members.update(section="Monday", external_id="0041")
    return f"{TEACH}gradebook/"


def grade_with_assignments(demo):
    gradebook_with_assignments(demo)
    return reverse("learn:grade", args=("attention",))


def of_student(name):
    return lambda demo: reverse(f"teach:{name}", args=("attention", demo.student.pk))


PAGES = {
    "account": ("student", lambda demo: reverse("learn:account")),
    "account-inactive": (None, lambda demo: "/account/inactive/"),
    "set-password": ("student", set_password_page),
    "second-factor": ("student", lambda demo: reverse("mfa_index")),
    "second-factor-app": ("student", lambda demo: reverse("mfa_activate_totp")),
    "second-factor-codes": ("student", lambda demo: reverse("mfa_generate_recovery_codes")),
    "second-factor-on": ("student", with_second_factor("mfa_index")),
    "second-factor-kept": ("student", with_second_factor("mfa_view_recovery_codes")),
    "second-factor-off": ("student", with_second_factor("mfa_deactivate_totp")),
    "is-it-you": ("student", lambda demo: reverse("account_reauthenticate")),
    "is-it-you-code": ("student", with_second_factor("mfa_reauthenticate")),
    "shared": ("student", lambda demo: shared_url("print(1)")),
    "operations": ("instructor", operations_page),
    "grade": ("student", lambda demo: reverse("learn:grade", args=("attention",))),
    "compare": ("student", lambda demo: f"/submissions/{demo.mistaken.pk}/compare/"),
    "lesson-print": ("student", lambda demo: f"{COURSE}lessons/{ATTENTION}/print/"),
    "class-matrix": ("instructor", lambda demo: f"{TEACH}matrix/"),
    "class-analysis": ("instructor", lambda demo: f"{TEACH}analysis/"),
    "class-exercise": ("instructor", lambda demo: f"{TEACH}analysis/{ATTENTION}/"),
    "class-attempts": ("instructor", lambda demo: f"{TEACH}students/{demo.student.pk}/exercises/{ATTENTION}/"),
    "class-submission": ("instructor", lambda demo: reverse("teach:submission", args=("attention", demo.mistaken.pk))),
    "class-staff-run": ("instructor", staff_run_page),
    "class-override": ("instructor", of_student("override")),
    "class-grant": ("instructor", of_student("grant")),
    "class-grants": ("instructor", lambda demo: f"{TEACH}grants/"),
    "announce": ("instructor", lambda demo: f"{TEACH}announce/"),
    "review-queues": ("instructor", lambda demo: explained_by_class(demo) and f"{TEACH}reviews/"),
    "review-queue": ("instructor", reading_page("review-queue")),
    "read-answer": ("instructor", reading_page("read-answer", 0, anonymous=1)),
    "read-second": ("instructor", reading_page("read-answer", 3, show="read")),
    "read-alike": ("instructor", reading_page("read-alike", 0)),
    "gradebook": ("instructor", lambda demo: f"{TEACH}gradebook/"),
    "roster": ("instructor", lambda demo: reverse("teach:roster", args=("attention",))),
    "member": ("instructor", member_page),
    "gradebook-assignments": ("instructor", gradebook_with_assignments),
    "grade-assignments": ("student", grade_with_assignments),
    "research": ("instructor", lambda demo: f"{TEACH}research/"),
    "copy-course": ("instructor", lambda demo: f"{TEACH}copy/"),
}


@pytest.mark.parametrize("name", PAGES)
def test_page_of_teachers_has_no_fault_in_any_look(demo, visit, name):
    who, address_of = PAGES[name]
    user, address = getattr(demo, who) if who else None, address_of(demo)

    faults = faults_of(visit(user), address, name)

    assert faults == {look: [] for look in LOOKED_AT}
