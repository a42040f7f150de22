from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone

from exercises.choices import Role
from exercises.errors import LinkError
from exercises.models import Course, JoinLink, Membership, SignInLink, User
from exercises.services.members import enrol

SIGN_IN_LIFETIME = timedelta(hours=24)


def create_join_link(course: Course, role: Role, *, created_by: User | None, days: int = 30) -> str:
    """The token of a link that makes its visitors members, for so many days. It is told here only: a hash is stored."""
    token = _new_token()
    JoinLink.objects.create(
        course=course,
        role=role,
        created_by=created_by,
        token_hash=_hash(token),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token


def join_course(user: User, token: str) -> Membership:
    """Make the user a member of the course that the link leads to.

    Raises:
        LinkError: the link is unknown, expired or revoked.
    """
    link = JoinLink.objects.filter(token_hash=_hash(token), expires_at__gt=timezone.now(), revoked_at=None).first()
    if link is None:
        raise LinkError("This link is not valid, or no longer. Ask for a new one.")
    return enrol(user, link.course, role=Role(link.role))


def revoke_join_link(link: JoinLink) -> None:
    """Let the link make no more members; those it made stay."""
    JoinLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now())


def create_sign_in_link(user: User) -> str:
    """The token of a link that signs its visitor in as `user`: once, and within a day. Only a hash is stored."""
    token = _new_token()
    SignInLink.objects.create(user=user, token_hash=_hash(token), expires_at=timezone.now() + SIGN_IN_LIFETIME)
    return token


def redeem_sign_in_link(token: str) -> User:
    """The user whom the link signs in. Of visitors at the same moment one gets in.

    Raises:
        LinkError: the link is unknown, expired or used, or its user may not sign in.
    """
    now = timezone.now()
    link = SignInLink.objects.select_related("user").filter(token_hash=_hash(token), user__is_active=True).first()
    # Without a join: PostgreSQL would look again at the link's own row only, and let two visitors in.
    is_taken = link and SignInLink.objects.filter(pk=link.pk, used_at=None, expires_at__gt=now).update(used_at=now)
    if link is None or not is_taken:
        raise LinkError("This sign-in link is not valid, or was used before. Ask for a new one.")
    return link.user


def _new_token() -> str:
    return secrets.token_urlsafe(24)


def _hash(token: str) -> str:
    """A plain hash will do: the tokens are random, so there is nothing to guess."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
