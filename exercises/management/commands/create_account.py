from __future__ import annotations

import sys
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.urls import reverse

from exercises.choices import ROLES_OF_PEOPLE, Role
from exercises.models import Course, User
from exercises.services import create_sign_in_link, enrol


class Command(BaseCommand):
    help = "Makes an account, or finds it, and prints a link that signs in as it: once, and within a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="user name; letters, digits and @ . + - _")
        parser.add_argument("--course", metavar="SLUG", help="make it a member of this course")
        roles = [str(role) for role in ROLES_OF_PEOPLE]
        parser.add_argument("--role", choices=roles, default=Role.STUDENT, help="in that course")
        parser.add_argument("--administrator", action="store_true", help="give it every right")
        parser.add_argument(
            "--password-from-input", action="store_true", help="read a password for it from standard input"
        )

        parser.add_argument(
            "--forget-second-factor", action="store_true", help="for who has lost both the app and the recovery codes"
        )

    @transaction.atomic
    def handle(self, *, name: str, **options: Any) -> None:
        user = _account(name, is_administrator=options["administrator"])
        if options["course"]:
            enrol(user, _course(options["course"]), role=Role(options["role"]))
        if options["forget_second_factor"]:
            Authenticator.objects.filter(user=user).delete()
        if options["password_from_input"]:
            _set_password(user, sys.stdin.readline().rstrip("\n"))
        path = reverse("learn:sign-in-link", args=(create_sign_in_link(user),))
        origin = next(iter(settings.CSRF_TRUSTED_ORIGINS), "")
        self.stdout.write(f"{origin}{path}")
        if not origin:
            self.stderr.write("The address of the site goes before it: QUIZSITE_ORIGINS names none.")


def _account(name: str, *, is_administrator: bool) -> User:
    user = User.objects.filter(username=name).first() or User(username=name)
    if user.pk is None:
        user.set_unusable_password()
        try:
            user.full_clean()
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from error
    if is_administrator:
        user.is_staff = user.is_superuser = True
    user.save()
    return user


def _course(slug: str) -> Course:
    course = Course.objects.filter(slug=slug).first()
    if course is None:
        known = ", ".join(Course.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no course {slug!r}. There are: {known}.")
    return course


def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise CommandError("\n".join(error.messages)) from error
    user.set_password(password)
    user.save()
