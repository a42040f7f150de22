from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from exercises.choices import Role
from exercises.errors import LinkError, NotAllowedError
from exercises.models import User
from exercises.services import Identity, create_sign_in_link, person_of, redeem_sign_in_link
from tests.factories import make_course, make_member

pytestmark = pytest.mark.django_db
ADA = Identity("https://login.test", "m-4711", username="ada", first_name="Ada", email="ada@login.test")


def on_roster(course, **changes):
    """A member whom a roster made: nobody has used the account."""
    student = make_member(course, role=changes.pop("role", Role.STUDENT))
    student.set_unusable_password()
    for name, value in changes.items():
        setattr(student, name, value)
    student.save()
    student.memberships.update(external_id=ADA.external_id)
    return student


def test_person_of_no_roster_gets_an_account_without_password_once():
    first, again = person_of(ADA), person_of(ADA)

    assert first == again
    assert (first.username, first.first_name, first.email) == ("ada", "Ada", "ada@login.test")
    assert not first.has_usable_password()


def test_person_gets_the_unused_account_of_the_roster():
    student = on_roster(make_course())

    assert person_of(ADA) == student
    student.refresh_from_db()
    assert (student.issuer, student.external_id) == (ADA.issuer, ADA.external_id)


def test_link_to_the_account_is_void_once_it_is_somebodys():
    student = on_roster(make_course())
    of_student, of_another = create_sign_in_link(student), create_sign_in_link(make_member(make_course()))

    person_of(ADA)

    with pytest.raises(LinkError):
        redeem_sign_in_link(of_student)
    assert redeem_sign_in_link(of_another) != student


@pytest.mark.parametrize(
    "changes",
    [
        {"last_login": timezone.now()},
        {"password": "md5$salt$0cc175b9c0f1b6a831c399e269772661"},
        {"is_active": False},
        {"is_staff": True},
        {"role": Role.ASSISTANT},
    ],
)
def test_account_that_is_somebodys_is_never_handed_over(changes):
    student = on_roster(make_course(), **changes)

    assert person_of(ADA) != student


def test_of_two_accounts_with_the_id_none_is_handed_over():
    students = {on_roster(make_course()), on_roster(make_course())}

    assert person_of(ADA) not in students


def test_same_id_at_another_issuer_is_another_person():
    assert person_of(ADA) != person_of(Identity("https://other.test", ADA.external_id))


def test_name_that_is_taken_gets_an_ending():
    taken = person_of(Identity("https://other.test", "1", username="ada"))

    made = person_of(ADA)

    assert made != taken
    assert made.username.startswith("ada-")


@pytest.mark.parametrize("external_id", ["", "x" * 201, "a\0b"])
def test_id_that_does_not_fit_is_refused(external_id):
    with pytest.raises(NotAllowedError, match="1 to 200 characters"):
        person_of(Identity("https://login.test", external_id))
    assert not User.objects.filter(issuer="https://login.test").exists()


def test_names_that_cannot_be_stored_are_kept_without_what_cannot():
    made = person_of(Identity("https://login.test", "77", "a\0da", "A\0da", "Lind\0", "ada\0@example.org"))

    assert (made.username, made.first_name, made.last_name, made.email) == ("ada", "Ada", "Lind", "")


def test_closed_account_stays_closed():
    person_of(ADA)
    User.objects.filter(external_id=ADA.external_id).update(is_active=False)

    with pytest.raises(NotAllowedError, match="closed"):
        person_of(ADA)


@pytest.mark.django_db(transaction=True)
def test_two_first_visits_at_once_make_one_account():
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(_visit, [ADA, ADA]))

    assert found[0] == found[1]
    assert User.objects.filter(external_id=ADA.external_id).count() == 1


def _visit(identity):
    try:
        return person_of(identity).pk
    finally:
        connection.close()
