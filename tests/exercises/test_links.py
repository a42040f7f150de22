from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import ROLES_OF_PEOPLE, AuditAction, Role
from exercises.errors import LinkError
from exercises.models import JoinLink, Membership, SignInLink
from exercises.services import (
    create_join_link,
    create_sign_in_link,
    erase_account,
    join_course,
    redeem_sign_in_link,
    revoke_join_link,
)
from exercises.services.roster import change_member, remove_member
from tests.exercises.rosters import imported
from tests.factories import make_course, make_member, make_user

pytestmark = pytest.mark.django_db


def test_join_link_makes_any_number_of_members():
    course = make_course()
    token = create_join_link(course, Role.ASSISTANT, created_by=make_member(course, Role.INSTRUCTOR), days=7)

    first, second = join_course(make_user(), token), join_course(make_user(), token)

    assert (first.role, second.role) == (Role.ASSISTANT, Role.ASSISTANT)
    assert first.course == course


def test_only_a_hash_of_a_token_is_stored():
    join, sign_in = create_join_link(make_course(), Role.STUDENT, created_by=None), create_sign_in_link(make_user())

    assert join not in str(JoinLink.objects.values())
    assert sign_in not in str(SignInLink.objects.values())


def test_joining_twice_makes_one_membership():
    user, token = make_user(), create_join_link(make_course(), Role.STUDENT, created_by=None)

    assert join_course(user, token) == join_course(user, token)


def test_link_for_students_does_not_lower_an_instructor():
    course = make_course()
    instructor = make_member(course, Role.INSTRUCTOR)

    join_course(instructor, create_join_link(course, Role.STUDENT, created_by=instructor))

    assert Membership.objects.get().role == Role.INSTRUCTOR


def test_link_for_assistants_raises_a_student():
    course = make_course()
    student = make_member(course)

    join_course(student, create_join_link(course, Role.ASSISTANT, created_by=None))

    assert Membership.objects.get().role == Role.ASSISTANT


@pytest.mark.parametrize("token", ["unknown", "", "\0", "\ud800"])
def test_unknown_token_is_refused(token):
    with pytest.raises(LinkError):
        join_course(make_user(), token)
    with pytest.raises(LinkError):
        redeem_sign_in_link(token)


def test_expired_join_link_is_refused():
    token = create_join_link(make_course(), Role.STUDENT, created_by=None, days=1)
    JoinLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(LinkError):
        join_course(make_user(), token)


@pytest.mark.parametrize(
    ("role", "still_open"),
    [(Role.ASSISTANT, ["assistant", "student"]), (Role.STUDENT, ["student"]), (None, ["student"])],
)
def test_who_is_of_staff_no_more_does_not_come_back_by_a_link(role, still_open):
    course, elsewhere = make_course(), make_course()
    author, former = (make_member(course, Role.INSTRUCTOR) for _ in range(2))
    tokens = {role: create_join_link(course, role, created_by=former) for role in ROLES_OF_PEOPLE}
    create_join_link(elsewhere, Role.INSTRUCTOR, created_by=None)
    membership = course.memberships.get(user=former)

    if role is None:
        remove_member(membership, author=author)
    else:
        change_member(membership, author=author, role=role)

    found = course.join_links.filter(revoked_at=None).order_by("role")
    assert list(found.values_list("role", flat=True)) == still_open
    assert elsewhere.join_links.get().revoked_at is None
    with pytest.raises(LinkError):
        join_course(former, tokens[Role.INSTRUCTOR])
    entry = course.audit_entries.filter(action=AuditAction.JOIN_LINK_REVOKED, target=Role.INSTRUCTOR).get()
    assert (entry.actor, entry.details) == (author, {"because": "somebody lost the role, and could come back by it"})


@pytest.mark.parametrize("settings", [{"section": "Monday"}, {"role": Role.INSTRUCTOR}, {"role": Role.ASSISTANT}])
def test_links_stay_open_where_nobody_lost_a_role(settings):
    course = make_course()
    author, other = make_member(course, Role.INSTRUCTOR), make_member(course, Role.ASSISTANT)
    create_join_link(course, Role.INSTRUCTOR, created_by=author)

    change_member(course.memberships.get(user=other), author=author, **settings)
    remove_member(make_member(course).memberships.get(), author=author)

    assert course.join_links.get().revoked_at is None


def test_list_that_lowers_a_role_revokes_links_too():
    course = make_course()
    author, other = make_member(course, Role.INSTRUCTOR), make_member(course, Role.ASSISTANT, username="bo")
    for role in ROLES_OF_PEOPLE:
        create_join_link(course, role, created_by=other if role == Role.STUDENT else author)

    imported(course, "username,role\nbo,student\n", author)

    assert course.join_links.get(revoked_at=None).role == Role.STUDENT


def test_erased_account_of_staff_leaves_no_link_that_makes_staff():
    course = make_course()
    make_member(course, Role.INSTRUCTOR)
    token = create_join_link(course, Role.ASSISTANT, created_by=None)

    erase_account(make_member(course, Role.ASSISTANT, username="bo"), proof="bo")

    with pytest.raises(LinkError):
        join_course(make_user(), token)


def test_revoked_join_link_is_refused():
    token = create_join_link(make_course(), Role.STUDENT, created_by=None)
    revoke_join_link(JoinLink.objects.get())

    with pytest.raises(LinkError):
        join_course(make_user(), token)


def test_sign_in_link_signs_in_once():
    user = make_user()
    token = create_sign_in_link(user)

    assert redeem_sign_in_link(token) == user
    with pytest.raises(LinkError):
        redeem_sign_in_link(token)


def test_expired_sign_in_link_is_refused():
    token = create_sign_in_link(make_user())
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    with pytest.raises(LinkError):
        redeem_sign_in_link(token)


def test_sign_in_link_of_an_inactive_user_is_refused():
    token = create_sign_in_link(make_user(is_active=False))

    with pytest.raises(LinkError):
        redeem_sign_in_link(token)
