"""What a class list would do, and that it is done whole or not at all; members one by one."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from exercises.choices import Role
from exercises.errors import InvalidFieldError, LinkError, NotAllowedError, StaleRosterError
from exercises.models import AuditEntry, Membership, Notice, SignInLink, User
from exercises.queries.roster_plan import Fate, plan_roster
from exercises.services import redeem_sign_in_link
from exercises.services.previews import preview_student
from exercises.services.resets import reset_sign_in
from exercises.services.roster import change_member, import_roster, move_to_section, remove_member
from tests.exercises.rosters import HEADER, fates, imported, reasons, rows_of
from tests.factories import make_course, make_member, make_user


@pytest.mark.django_db
def test_each_line_has_its_fate():
    course = make_course()
    make_user(username="elsewhere")
    for name, section in (("here", "Monday"), ("moves", "Monday")):
        member = make_member(course, username=name)
        course.memberships.filter(user=member).update(section=section)
    text = "username,section\nnew,Monday\nelsewhere,\nmoves,Tuesday\nhere,Monday\nhere,Monday\nbad name,\n"

    assert fates(course, text) == [
        Fate.INVITED,
        Fate.ADDED,
        Fate.CHANGED,
        Fate.UNCHANGED,
        Fate.UNCHANGED,
        Fate.REFUSED,
    ]


@pytest.mark.django_db
def test_member_is_found_by_external_id_whatever_the_user_name_is():
    course = make_course()
    ada = make_member(course, username="ada")
    course.memberships.filter(user=ada).update(external_id="7")

    plan = plan_roster(
        course, rows_of("email,student id,section\nada@uni.org,7,Monday\n"), importer=make_member(course)
    )

    assert [(line.user_id, line.changes) for line in plan.lines] == [(ada.pk, (("section", "", "Monday"),))]


@pytest.mark.django_db
def test_account_is_found_whatever_the_case_of_its_name():
    course = make_course()
    make_member(course, username="Ada")

    assert fates(course, "username\nADA\n") == [Fate.UNCHANGED]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "words"),
    [
        (",,Lind,Ada,,,", "neither a user name nor an address"),
        ("a b,,,,,,", "Enter a valid username"),
        ("ada,nowhere,,,,,", "Enter a valid email"),
        ("ada,,,,,,king", "no role 'king'"),
        (f"ada,,,,,{'x' * 101},", "section is longer than 100"),
        ("ada,taken@uni.org,,,,,", "another account has the address taken@uni.org"),
        ("ada,,,,77,,", "77 is the external id of numbered"),
        ("numbered,,,,78,,", "numbered has the external id 77 already"),
        ("teacher,,,,,,student", "your own role is changed by another instructor"),
    ],
)
def test_line_is_refused_with_its_reason(line, words):
    course = make_course()
    importer = make_member(course, username="teacher", role=Role.INSTRUCTOR)
    make_user(username="other", email="Taken@uni.org")
    numbered = make_member(course, username="numbered")
    make_member(course, username="ada") if "77" in line else None
    course.memberships.filter(user=numbered).update(external_id="77")

    plan = plan_roster(course, rows_of(HEADER + line + "\n"), importer=importer)

    assert [entry.fate for entry in plan.lines] == [Fate.REFUSED]
    assert words in plan.lines[0].reason


@pytest.mark.django_db
def test_lines_that_contradict_each_other_are_refused_with_the_earlier_line():
    text = "username,external_id,section\nada,7,Monday\nada,7,Tuesday\nbo,7,Monday\n"

    assert reasons(make_course(), text) == [
        "line 2 says something else of ada",
        "line 2 has the external id 7 too",
    ]


@pytest.mark.django_db
def test_what_is_left_empty_changes_nothing_of_a_member():
    course = make_course()
    ada = make_member(course, username="ada", role=Role.ASSISTANT)
    course.memberships.filter(user=ada).update(section="Monday", external_id="7")

    assert fates(course, HEADER + "ada,,,,,,\n") == [Fate.UNCHANGED]


@pytest.mark.django_db
def test_preview_student_is_nobody_in_a_list():
    course = make_course()
    make_member(course, username="preview-x", role=Role.PREVIEW)

    assert reasons(course, "username,section\npreview-x,Monday\n") == ["this is the preview student of the course"]


# Importing


@pytest.mark.django_db
def test_import_makes_accounts_memberships_and_a_link_for_each_new_account():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    old = make_user(username="old")
    text = HEADER + "ada,ada@uni.org,Lind,Ada,0041,Monday,\nold,,,,,Monday,assistant\n"

    done = imported(course, text, author)

    ada = Membership.objects.get(course=course, user__username="ada")
    assert (ada.user.email, ada.user.get_full_name(), ada.external_id, ada.section, ada.role) == (
        "ada@uni.org",
        "Ada Lind",
        "0041",
        "Monday",
        Role.STUDENT,
    )
    assert not ada.user.has_usable_password()
    assert Membership.objects.get(course=course, user=old).role == Role.ASSISTANT
    (invitation,) = done.invitations
    assert redeem_sign_in_link(invitation.token) == ada.user
    with pytest.raises(LinkError):
        redeem_sign_in_link(invitation.token)
    assert Notice.objects.get().user == old
    assert AuditEntry.objects.get().details == {
        "invited": 1,
        "added": 1,
        "changed": 0,
        "unchanged": 0,
        "refused": 0,
    }


@pytest.mark.django_db
def test_nobody_gets_a_link_for_an_account_that_there_was():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    make_user(username="admin", is_superuser=True)

    done = imported(course, "username\nadmin\n", author)

    assert done.invitations == ()
    assert not SignInLink.objects.exists()


@pytest.mark.django_db
def test_link_of_an_invitation_expires():
    course = make_course()
    (invitation,) = imported(course, "username\nada\n", make_member(course, role=Role.INSTRUCTOR)).invitations
    SignInLink.objects.update(expires_at=timezone.now())

    with pytest.raises(LinkError):
        redeem_sign_in_link(invitation.token)


@pytest.mark.django_db
def test_another_plan_than_the_one_that_was_shown_is_not_done():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    rows = rows_of("username,section\nada,Monday\nbo,Monday\n")
    digest = plan_roster(course, rows, importer=author).digest
    make_member(course, username="bo")

    with pytest.raises(StaleRosterError):
        import_roster(course, rows, author=author, digest=digest)

    assert not User.objects.filter(username="ada").exists()


@pytest.mark.django_db
def test_second_import_of_the_same_list_changes_nothing():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    text = HEADER + "ada,ada@uni.org,Lind,Ada,0041,Monday,student\n"
    imported(course, text, author)

    plan = plan_roster(course, rows_of(text), importer=author)

    assert not plan.does_something


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.STUDENT, Role.ASSISTANT])
def test_others_than_instructors_import_and_change_nobody(role):
    course = make_course()
    author, membership = make_member(course, role=role), make_member(course).memberships.get()

    with pytest.raises(NotAllowedError):
        imported(course, "username\nada\n", author)
    with pytest.raises(NotAllowedError):
        change_member(membership, author=author, section="x")
    with pytest.raises(NotAllowedError):
        move_to_section(course, [membership.pk], author=author, section="x")
    with pytest.raises(NotAllowedError):
        remove_member(membership, author=author)
    with pytest.raises(NotAllowedError):
        reset_sign_in(membership, author=author)


@pytest.mark.django_db
def test_five_thousand_lines_are_imported_in_few_queries():
    course = make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["username", "last_name", "external_id", "section"])
    writer.writerows([f"u{number}", f"Name {number}", f"{number:05}", f"S{number % 20}"] for number in range(5000))

    with CaptureQueriesContext(connection) as queries:
        done = imported(course, file.getvalue(), author)

    assert len(done.invitations) == course.memberships.filter(role=Role.STUDENT).count() == 5000
    assert len(queries) < 200


@pytest.mark.django_db
def test_closed_accounts_are_not_added_nor_is_another_course_s_preview_student():
    course, other = make_course(), make_course()
    make_user(username="ada", is_active=False)
    preview = preview_student(other, viewer=make_member(other, role=Role.ASSISTANT))

    assert reasons(course, f"username,role\nada,\n{preview.username},instructor\n") == ["this account is closed"] * 2


# Members


@pytest.mark.django_db
def test_member_is_changed_and_it_is_on_record():
    course = make_course()
    author, ada = make_member(course, role=Role.INSTRUCTOR), make_member(course)

    change_member(ada.memberships.get(), author=author, role=Role.ASSISTANT, section="Monday", external_id="7")

    member = ada.memberships.get()
    assert (member.role, member.section, member.external_id) == (Role.ASSISTANT, "Monday", "7")
    assert AuditEntry.objects.get().details["role"] == ["student", "assistant"]


@pytest.mark.django_db
def test_nobody_changes_their_own_role_or_takes_themselves_out():
    course = make_course()
    own = make_member(course, role=Role.INSTRUCTOR).memberships.get()

    with pytest.raises(NotAllowedError):
        change_member(own, author=own.user, role=Role.STUDENT)
    with pytest.raises(NotAllowedError):
        remove_member(own, author=own.user)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"), [("role", "preview"), ("external_id", "7"), ("section", "x" * 101), ("section", "a\nb")]
)
def test_member_is_not_changed_to_what_is_wrong(field, value):
    course = make_course()
    author, other, ada = make_member(course, role=Role.INSTRUCTOR), make_member(course), make_member(course)
    course.memberships.filter(user=other).update(external_id="7")

    with pytest.raises(InvalidFieldError) as caught:
        change_member(ada.memberships.get(), author=author, **{field: value})

    assert caught.value.field == field
    assert ada.memberships.get().external_id == ada.memberships.get().section == ""


@pytest.mark.django_db
def test_members_are_moved_to_a_section_of_this_course_alone():
    course, other = make_course(), make_course()
    author = make_member(course, role=Role.INSTRUCTOR)
    mine, foreign = make_member(course).memberships.get(), make_member(other).memberships.get()

    assert move_to_section(course, [mine.pk, foreign.pk], author=author, section="Monday") == 1

    assert list(Membership.objects.filter(section="Monday")) == [mine]


# Resets
