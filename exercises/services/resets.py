"""A new way in for a student who has lost theirs, without mail: an instructor hands over a link."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from knox.models import AuthToken

from exercises.choices import STAFF_ROLES, AuditAction, Role
from exercises.errors import NotAllowedError
from exercises.models import AuditEntry, Course, Membership, Revision, SignInLink, Submission, User
from exercises.services.audit import record_action
from exercises.services.links import make_sign_in_links
from exercises.services.notices import tell
from exercises.services.rights import require_instructor
from exercises.services.roster import INVITATION_LIFETIME, Invitation

MADE_TOGETHER: Final = timedelta(minutes=1)
"""An account that was made by an import is as old as its membership, but for the time that the import took."""


@transaction.atomic
def reset_sign_in(membership: Membership, *, author: User) -> Invitation:
    """A link that signs the student in once; their password, tokens and earlier links are void, and they are told.

    Whoever has the link is the student. So it is made only where that gives nobody more than they have: for a student
    who is one in courses of this instructor alone, beside self-paced ones.

    Raises: NotAllowedError where the author is no instructor of the course, or the person is more than such a student.
    """
    require_instructor(author, membership.course)
    if reason := why_not_reset(membership, author):
        raise NotAllowedError(reason)
    user = membership.user
    user.set_unusable_password()
    user.save(update_fields=["password"])
    SignInLink.objects.filter(user=user, used_at=None).delete()
    AuthToken.objects.filter(user=user).delete()
    expires_at = timezone.now() + INVITATION_LIFETIME
    (token,) = make_sign_in_links([user], expires_at=expires_at)
    target = f"{membership.course.slug}: {user}"
    record_action(membership.course, AuditAction.SIGN_IN_RESET, actor=author, target=target)
    tell(
        user.pk, f"{author} of “{membership.course.title}” made a link that signs in as you, and voided your password."
    )
    return Invitation(user=user, token=token, expires_at=expires_at)


def why_not_reset(membership: Membership, author: User) -> str:
    """Why a link for this person must come from whoever runs the site; nothing where it need not."""
    user = membership.user
    mine = Course.objects.filter(memberships__user=author, memberships__role=Role.INSTRUCTOR)
    if not user.is_active:
        return "This account is closed."
    reason = ""
    if membership.role != Role.STUDENT or _is_more_than_a_student(user):
        reason = "This person is, or was, more than a student."
    elif user.issuer:
        reason = "This person signs in elsewhere, and has no password here to lose."
    elif Authenticator.objects.filter(user=user).exists():
        reason = "This person signs in with a second factor."
    elif _is_elsewhere(user, mine):
        reason = "This person is, or was, in a course of somebody else, too."
    elif not _is_known(user, mine):
        reason = "This person had the account before, and has handed in nothing here yet."
    return reason and f"{reason} Whoever runs the site makes links for them."


def _is_more_than_a_student(user: User) -> bool:
    """Also who is staff no more: else an instructor could make a colleague a student, and act in their name."""
    is_staff = user.is_staff or user.is_superuser or user.memberships.filter(role__in=STAFF_ROLES).exists()
    has_acted = AuditEntry.objects.filter(actor=user).exists() or Revision.objects.filter(saved_by=user).exists()
    return is_staff or has_acted


def _is_elsewhere(user: User, mine: QuerySet[Course]) -> bool:
    """Whether there is anything of theirs in courses of others, self-paced ones aside."""
    others = Course.objects.filter(self_paced=False).exclude(pk__in=mine.values("pk"))
    has_handed_in = Submission.objects.filter(student=user, exercise__course__in=others.values("pk")).exists()
    return has_handed_in or others.filter(memberships__user=user).exists()


def _is_known(user: User, mine: QuerySet[Course]) -> bool:
    """Whether the account was made for these courses and is unused, or its owner has worked in them.

    Anybody's account can be put on a list: that alone must not hand it over.
    """
    if Submission.objects.filter(student=user, exercise__course__in=mine.values("pk")).exists():
        return True
    joined_at = Membership.objects.filter(user=user, course__in=mine.values("pk")).order_by("joined_at")
    first = joined_at.values_list("joined_at", flat=True).first()
    is_unused = not user.has_usable_password() and user.last_login is None
    return is_unused and first is not None and user.date_joined > first - MADE_TOGETHER
