"""A new way in for a student who has lost theirs, without mail: an instructor hands over a link."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils import timezone

from exercises.choices import STAFF_ROLES, AuditAction, Role
from exercises.errors import NotAllowedError
from exercises.models import Course, Membership, SignInLink, User
from exercises.services.audit import record_action
from exercises.services.links import make_sign_in_links
from exercises.services.notices import tell
from exercises.services.rights import require_instructor
from exercises.services.roster import INVITATION_LIFETIME, Invitation


@transaction.atomic
def reset_sign_in(membership: Membership, *, author: User) -> Invitation:
    """A link that signs the student in once; their password and earlier links are void from now on, and they are told.

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
    courses = Course.objects.filter(memberships__user=user)
    is_staff_somewhere = user.memberships.filter(role__in=STAFF_ROLES).exists() or user.is_staff or user.is_superuser
    if membership.role != Role.STUDENT or is_staff_somewhere:
        return "This person is more than a student. Whoever runs the site makes links for them."
    if not user.is_active:
        return "This account is closed."
    if Authenticator.objects.filter(user=user).exists():
        return "This person signs in with a second factor. Whoever runs the site makes links for them."
    mine = Membership.objects.filter(user=author, role=Role.INSTRUCTOR).values("course")
    if courses.filter(self_paced=False).exclude(pk__in=mine).exists():
        return "This person is in a course of somebody else, too. Whoever runs the site makes links for them."
    return ""
