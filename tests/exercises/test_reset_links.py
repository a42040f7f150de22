"""Who may be given a link that signs in anew, and who is out of reach of one."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.utils import timezone
from knox.models import AuthToken

from exercises.choices import Kind, Role
from exercises.errors import LinkError, NotAllowedError
from exercises.models import AuditEntry, Membership, Notice, SignInLink, User
from exercises.services import create_sign_in_link, enrol, make_token, redeem_sign_in_link, submit
from exercises.services.resets import reset_sign_in
from exercises.services.roster import change_member, remove_member
from tests.exercises.rosters import imported
from tests.factories import make_course, make_exercise, make_member, make_user


@pytest.mark.django_db
def test_reset_voids_the_password_and_earlier_links_and_is_told():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    ada = make_member(course, password="a password of hers")
    submit(ada, make_exercise(course, kind=Kind.NUMERIC), response="5")
    earlier = create_sign_in_link(ada)
    make_token(ada)

    invitation = reset_sign_in(ada.memberships.get(), author=author)

    ada.refresh_from_db()
    assert not ada.has_usable_password()
    assert not AuthToken.objects.exists()
    with pytest.raises(LinkError):
        redeem_sign_in_link(earlier)
    assert redeem_sign_in_link(invitation.token) == ada
    assert "made a link that signs in as you" in Notice.objects.get(user=ada).text
    assert AuditEntry.objects.get().action == "sign_in_reset"


@pytest.mark.django_db
@pytest.mark.parametrize("more", ["staff elsewhere", "administrator", "student elsewhere", "closed", "assistant here"])
def test_link_is_not_made_for_somebody_who_is_more_than_a_student_here(more):
    course = make_course()
    author, ada = make_member(course, role=Role.INSTRUCTOR), make_member(course, password="x")
    if more == "staff elsewhere":
        Membership.objects.create(course=make_course(self_paced=True), user=ada, role=Role.ASSISTANT)
    if more == "student elsewhere":
        Membership.objects.create(course=make_course(), user=ada, role=Role.STUDENT)
    if more == "assistant here":
        ada.memberships.update(role=Role.ASSISTANT)
    User.objects.filter(pk=ada.pk).update(is_staff=more == "administrator", is_active=more != "closed")

    with pytest.raises(NotAllowedError):
        reset_sign_in(course.memberships.get(user=ada), author=author)

    ada.refresh_from_db()
    assert ada.has_usable_password()
    assert not SignInLink.objects.exists()


@pytest.mark.django_db
def test_courses_of_ones_own_and_self_paced_ones_are_no_hindrance():
    course = make_course()
    author, ada = make_member(course, role=Role.INSTRUCTOR), make_member(course)
    other = make_course()
    Membership.objects.create(course=other, user=author, role=Role.INSTRUCTOR)
    Membership.objects.create(course=other, user=ada, role=Role.STUDENT)
    Membership.objects.create(course=make_course(self_paced=True), user=ada, role=Role.STUDENT)

    assert reset_sign_in(course.memberships.get(user=ada), author=author).user == ada


@pytest.mark.django_db
def test_colleague_who_was_made_a_student_gets_no_link():
    course = make_course()
    author, colleague = (make_member(course, role=Role.INSTRUCTOR) for _ in range(2))
    change_member(author.memberships.get(), author=colleague, section="Monday")
    change_member(colleague.memberships.get(), author=author, role=Role.STUDENT)

    with pytest.raises(NotAllowedError, match="more than a student"):
        reset_sign_in(colleague.memberships.get(), author=author)


@pytest.mark.django_db
def test_who_signs_in_elsewhere_gets_no_link():
    course = make_course()
    author, ada = make_member(course, role=Role.INSTRUCTOR), make_member(course, issuer="proxy", external_id="7")

    with pytest.raises(NotAllowedError, match="signs in elsewhere"):
        reset_sign_in(ada.memberships.get(), author=author)


@pytest.mark.django_db
def test_what_was_handed_in_elsewhere_stays_out_of_reach_of_a_link():
    course, other = make_course(), make_course()
    author, ada = make_member(course, role=Role.INSTRUCTOR), make_member(other)
    submit(ada, make_exercise(other, kind=Kind.NUMERIC), response="5")
    remove_member(ada.memberships.get(), author=make_member(other, role=Role.INSTRUCTOR))
    enrol(ada, course)

    with pytest.raises(NotAllowedError, match="course of somebody else"):
        reset_sign_in(ada.memberships.get(), author=author)


@pytest.mark.django_db
def test_account_of_a_stranger_is_not_taken_by_putting_it_on_a_list():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    ada = make_user(username="ada", date_joined=timezone.now() - timedelta(days=30))
    imported(course, "username\nada\n", author)

    with pytest.raises(NotAllowedError, match="had the account before"):
        reset_sign_in(ada.memberships.get(), author=author)
    submit(ada, make_exercise(course, kind=Kind.NUMERIC), response="5")
    assert reset_sign_in(ada.memberships.get(), author=author).user == ada


@pytest.mark.django_db
@pytest.mark.parametrize("used", [{"password": make_password("hers")}, {"last_login": timezone.now()}])
def test_account_that_was_made_shortly_before_and_used_is_not_taken(used):
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    ada = make_user(username="ada")
    User.objects.filter(pk=ada.pk).update(**used)
    imported(course, "username\nada\n", author)

    with pytest.raises(NotAllowedError, match="had the account before"):
        reset_sign_in(course.memberships.get(user=ada), author=author)


@pytest.mark.django_db
def test_account_of_a_few_minutes_is_not_taken_by_putting_it_on_a_list():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    ada = make_user(username="ada", date_joined=timezone.now() - timedelta(minutes=2))
    imported(course, "username\nada\n", author)

    with pytest.raises(NotAllowedError, match="had the account before"):
        reset_sign_in(ada.memberships.get(), author=author)


@pytest.mark.django_db
def test_account_that_an_import_made_gets_another_link_before_it_is_used():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    (invitation,) = imported(course, "username\nada\n", author).invitations

    assert reset_sign_in(invitation.user.memberships.get(), author=author).user == invitation.user
