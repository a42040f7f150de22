from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from exercises.choices import ROLES_OF_PEOPLE, AuditAction, Role
from exercises.errors import InvalidFieldError, LinkError
from exercises.models import Course, JoinLink, Membership, SignInLink, User
from exercises.services.audit import record_action
from exercises.services.members import RANKS, enrol
from exercises.services.rights import require_instructor, require_staff

SIGN_IN_LIFETIME = timedelta(hours=24)


@transaction.atomic
def create_join_link(course: Course, role: Role, *, created_by: User | None, days: int = 30) -> str:
    """The token of a link that makes its visitors members, for so many days. It is told here only: a hash is stored.

    Without `created_by` the operator makes it.

    Raises:
        NotAllowedError: who makes it is not staff of the course or, where it makes staff, none of its instructors.
        InvalidFieldError: it is no role that people have.
    """
    if role not in ROLES_OF_PEOPLE:
        raise InvalidFieldError("role", "A link makes students, assistants or instructors.")
    if created_by is not None:
        (require_staff if role == Role.STUDENT else require_instructor)(created_by, course)
        record_action(course, AuditAction.JOIN_LINK_MADE, actor=created_by, target=role)
    token = _new_token()
    JoinLink.objects.create(
        course=course,
        role=role,
        created_by=created_by,
        token_hash=_hash(token),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token


def open_join_link(token: str) -> JoinLink:
    """The link of this token, as long as it makes members; `course` costs no further query.

    Raises:
        LinkError: the link is unknown, expired or revoked.
    """
    still_open = JoinLink.objects.filter(expires_at__gt=timezone.now(), revoked_at=None)
    link = still_open.select_related("course").filter(token_hash=_hash(token)).first()
    if link is None:
        raise LinkError("This link is not valid, or no longer. Ask for a new one.")
    return link


def join_course(user: User, token: str) -> Membership:
    """Make the user a member of the course that the link leads to.

    Raises:
        LinkError: as of `open_join_link`.
    """
    link = open_join_link(token)
    return enrol(user, link.course, role=Role(link.role))


@transaction.atomic
def revoke_join_link(link: JoinLink, *, by: User | None = None) -> None:
    """Let the link make no more members; those it made stay. Without `by` the operator revokes it.

    Raises: NotAllowedError where the person is no instructor of the course.
    """
    if by is not None:
        require_instructor(by, link.course)
    if JoinLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now()) and by is not None:
        record_action(link.course, AuditAction.JOIN_LINK_REVOKED, actor=by, target=link.role)


def revoke_links_above(course: Course, role: Role, *, by: User | None, because: str) -> None:
    """Revoke the open join links of the course that make more than the role; each is in its record, with `because`.

    For whoever was more and is no longer: they may have made or used any of these links, and would come back by it: who
    used one is not kept. Without `by` it follows from what the person did themselves.
    """
    more = [other for other in ROLES_OF_PEOPLE if RANKS[other] > RANKS[role]]
    now = timezone.now()
    for link in course.join_links.filter(role__in=more, revoked_at=None, expires_at__gt=now):
        link.revoked_at = now
        link.save(update_fields=["revoked_at"])
        details = {"because": because}
        record_action(course, AuditAction.JOIN_LINK_REVOKED, actor=by, target=link.role, details=details)


def create_sign_in_link(user: User) -> str:
    """The token of a link that signs its visitor in as `user`: once, and within a day. Only a hash is stored."""
    token = _new_token()
    SignInLink.objects.create(user=user, token_hash=_hash(token), expires_at=timezone.now() + SIGN_IN_LIFETIME)
    return token


def make_sign_in_links(users: Sequence[User], *, expires_at: datetime) -> list[str]:
    """The tokens of a link for each user, in their order: as `create_sign_in_link`, until then."""
    tokens = [_new_token() for _user in users]
    pairs = zip(users, tokens, strict=True)
    rows = [SignInLink(user=user, token_hash=_hash(token), expires_at=expires_at) for user, token in pairs]
    SignInLink.objects.bulk_create(rows, batch_size=500)
    return tokens


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
