import io

import pytest
from django.core.management import CommandError, call_command

from exercises.choices import Role
from exercises.models import Membership, SignInLink, User
from exercises.services import redeem_sign_in_link
from exercises.sign_in.second_factor import has_second_factor
from tests.exercises.sign_in.apps import give_second_factor
from tests.factories import make_course, make_user

pytestmark = pytest.mark.django_db


def create_account(*arguments):
    printed = io.StringIO()
    call_command("create_account", *arguments, stdout=printed)
    return printed.getvalue().strip()


def token_in(link):
    return link.rstrip("/").rpartition("/")[2]


def test_link_signs_in_as_the_first_administrator(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://learn.test"]

    link = create_account("ada", "--administrator")

    user = redeem_sign_in_link(token_in(link))
    assert link.startswith("https://learn.test/sign-in/")
    assert (user.username, user.is_superuser, user.has_usable_password()) == ("ada", True, False)


def test_link_without_a_host_says_what_goes_before_it(settings):
    settings.CSRF_TRUSTED_ORIGINS = []
    printed, told = io.StringIO(), io.StringIO()

    call_command("create_account", "ada", stdout=printed, stderr=told)

    assert printed.getvalue().startswith("/sign-in/")
    assert "QUIZSITE_ORIGINS" in told.getvalue()


def test_link_with_a_host_says_nothing_more(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://learn.test"]
    told = io.StringIO()

    call_command("create_account", "ada", stdout=io.StringIO(), stderr=told)

    assert told.getvalue() == ""


def test_account_that_exists_keeps_its_password_and_gets_a_link_and_a_role():
    user, course = make_user(), make_course()
    user.set_password("a long enough phrase")
    user.save()

    link = create_account(user.username, "--course", course.slug, "--role", "instructor")

    user.refresh_from_db()
    assert redeem_sign_in_link(token_in(link)) == user
    assert (user.check_password("a long enough phrase"), user.is_superuser) == (True, False)
    assert Membership.objects.get(user=user, course=course).role == Role.INSTRUCTOR


def test_second_factor_that_was_lost_is_forgotten_and_nobody_elses():
    user, other = make_user(), make_user()
    for person in (user, other):
        give_second_factor(person)

    create_account(user.username)
    kept = has_second_factor(user)
    create_account(user.username, "--forget-second-factor")

    assert (kept, has_second_factor(user), has_second_factor(other)) == (True, False, True)


def test_password_comes_from_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("seven quiet otters\n"))

    create_account("ada", "--password-from-input")

    assert User.objects.get(username="ada").check_password("seven quiet otters")


@pytest.mark.parametrize(
    ("arguments", "typed", "words"),
    [
        (["ada", "--course", "nothing"], "", "no course 'nothing'"),
        (["ada", "--password-from-input"], "short\n", "too short"),
        (["two words"], "", "valid username"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(monkeypatch, arguments, typed, words):
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    with pytest.raises(CommandError, match=words):
        create_account(*arguments)

    assert (User.objects.count(), SignInLink.objects.count()) == (0, 0)
