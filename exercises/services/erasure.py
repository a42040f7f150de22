"""Making an account anonymous, for good: what docs/privacy.md says is removed, and what stays for a course's scores."""

from __future__ import annotations

import secrets
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat, Trim
from django.utils import timezone
from knox.models import AuthToken

from exercises.choices import STAFF_ROLES, AuditAction, Reason, Role, State
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import (
    Activity,
    AssignmentStart,
    AuditEntry,
    BestScore,
    Comment,
    Course,
    Draft,
    Extension,
    Grading,
    IdempotencyKey,
    Membership,
    Notice,
    Override,
    Question,
    Refusal,
    Reply,
    ReviewCard,
    Run,
    SignInLink,
    Submission,
    User,
)
from exercises.services.audit import LONGEST_TARGET
from exercises.services.links import revoke_links_above
from exercises.services.locks import lock_student

ERASED = "erased-"
ABOUT = ": "
"""Between what was acted on and whom it was for, in the target of an entry."""
ABOUT_PERSONS = (
    AuditAction.MEMBER_CHANGED,
    AuditAction.MEMBER_REMOVED,
    AuditAction.SIGN_IN_RESET,
    AuditAction.EXTENSION_GRANTED,
    AuditAction.EXTRA_TIME_SET,
    AuditAction.GRANTED_TOGETHER,
    AuditAction.ATTEMPT_GIVEN_BACK,
    AuditAction.OVERRIDE_SET,
    AuditAction.OVERRIDE_WITHDRAWN,
    AuditAction.SUBMISSION_REGRADED,
    AuditAction.REVIEW_PUT_IN_FORCE,
)
"""What else has a target has one that is no person, though somebody may be called like it."""
UNFINISHED = (State.QUEUED, State.RUNNING)


@transaction.atomic
def erase_account(user: User, *, proof: Any) -> None:
    """Remove who the user is and what they wrote; their submissions stay, empty, where others' scores rest on them.

    `proof` is their password or, where they have none, their user name. Nothing of it can be undone.

    Raises:
        InvalidFieldError: the proof is wrong.
        NotAllowedError: a course would be left without an instructor.
    """
    lock_student(user.pk)
    user.refresh_from_db()
    _check_proof(user, proof)
    _require_successors(user)
    names = {user.username, str(user), user.get_full_name(), user.email, user.external_id} - {""}
    pseudonym = f"{ERASED}{secrets.token_hex(6)}"
    # First: it looks for the courses that the person was in.
    _erase_record(user, names, pseudonym)
    _erase_self_paced(user)
    _erase_work(user)
    _erase_conversations(user)
    _erase_person(user, pseudonym)


def proves_by_password(user: User) -> bool:
    """Whether the user confirms with a password: who signs in otherwise types their user name."""
    return user.has_usable_password()


def _check_proof(user: User, proof: Any) -> None:
    if proves_by_password(user):
        if not isinstance(proof, str) or not user.check_password(proof):
            raise InvalidFieldError("proof", "This is not your password. Nothing was changed.")
    elif proof != user.username:
        raise InvalidFieldError("proof", "This is not your user name. Nothing was changed.")


def _require_successors(user: User) -> None:
    instructs = Course.objects.filter(memberships__user=user, memberships__role=Role.INSTRUCTOR)
    for course in instructs:
        others = course.memberships.filter(role=Role.INSTRUCTOR).exclude(user=user)
        if not others.filter(user__is_active=True).exists():
            raise NotAllowedError(
                f"You are the only instructor of “{course.title}”. Ask who runs this site to make somebody else one."
            )


def _erase_self_paced(user: User) -> None:
    """Nobody's score but their own rests on what they did in courses without staff."""
    of_assignments = {"student": user, "assignment__course__self_paced": True}
    for model in (AssignmentStart, Extension):
        model._default_manager.filter(**of_assignments).delete()
    Override.objects.filter(student=user, exercise__course__self_paced=True).delete()
    Submission.objects.filter(student=user, exercise__course__self_paced=True).delete()
    BestScore.objects.filter(student=user, exercise__course__self_paced=True).delete()
    Membership.objects.filter(user=user, course__self_paced=True).delete()


def _erase_work(user: User) -> None:
    for model in (Draft, Run, Refusal, Activity, ReviewCard, IdempotencyKey):
        model._default_manager.filter(student=user).delete()
    # What staff ran to see why it was refused is a copy of what was handed in.
    Run.objects.filter(submission__student=user).delete()
    gradings = Grading.objects.filter(student=user)
    # A preview of a regrade goes on without them; a worker that has one just now finds its lease gone.
    gradings.filter(reason=Reason.DRY_RUN).delete()
    ended = {"state": State.SUPERSEDED, "lease": "", "lease_until": None, "finished_at": timezone.now()}
    gradings.filter(state__in=UNFINISHED).update(**ended)
    gradings.update(feedback=None, fault="")
    Submission.objects.filter(student=user).update(source="", response=None, seed="", body_hash="")
    # A clock that runs has nothing more to hand in.
    AssignmentStart.objects.filter(student=user, handed_in_at=None).update(handed_in_at=timezone.now())
    Extension.objects.filter(student=user).update(reason="")
    Override.objects.filter(student=user).update(reason="")


def _erase_conversations(user: User) -> None:
    Question.objects.filter(student=user).delete()
    Comment.objects.filter(submission__student=user).delete()
    Notice.objects.filter(user=user).delete()
    # What they said as staff belongs to those whom they said it to.
    Reply.objects.filter(author=user).update(author=None)
    Comment.objects.filter(author=user).update(author=None)


def _erase_record(user: User, names: set[str], pseudonym: str) -> None:
    """The records of courses keep what was done, under the new name; of what was about the person, no details.

    All courses, since who was taken out of one is named there still. An entry knows a person by name alone, so it loses
    them for whoever has the very same name in a course of the person as well; not in courses of that other alone.
    """
    others = _namesakes(user, names)
    of_others_alone = _courses_of(others.values("pk")) - _courses_of(User.objects.filter(pk=user.pk).values("pk"))
    names_of_others = {name for other in others for name in (other.username, str(other))}
    for entry in AuditEntry.objects.iterator():
        own = names - names_of_others if entry.course_id in of_others_alone else names
        target = _without_name(entry.target, own, pseudonym) if entry.action in ABOUT_PERSONS else entry.target
        details = _renamed(entry.details, own, pseudonym) if target == entry.target else {}
        if (target, details) != (entry.target, entry.details):
            AuditEntry.objects.filter(pk=entry.pk).update(target=target, details=details)


def _namesakes(user: User, names: set[str]) -> QuerySet[User]:
    full_name = Trim(Concat("first_name", Value(" "), "last_name"))
    others = User.objects.exclude(pk=user.pk).annotate(full_name=full_name)
    return others.filter(Q(full_name__in=names) | Q(username__in=names))


def _courses_of(people: QuerySet[User, Any]) -> set[int]:
    """Courses that these people are in, or have left something in."""
    found = (
        Membership.objects.filter(user__in=people).values_list("course_id"),
        Submission.objects.filter(student__in=people).values_list("exercise__course_id"),
        Override.objects.filter(student__in=people).values_list("exercise__course_id"),
        Extension.objects.filter(student__in=people).values_list("assignment__course_id"),
    )
    return {pk for rows in found for (pk,) in rows.distinct()}


def _without_name(target: str, names: set[str], pseudonym: str) -> str:
    """The target with the pseudonym for the name that it is, or ends in; unchanged where that is none of the names."""
    if target in names:
        return pseudonym
    # What was acted on is a slug, so that the first separator is the one before the name.
    before, separator, name = target.partition(ABOUT)
    is_cut = len(target) == LONGEST_TARGET and any(whole.startswith(name) for whole in names)
    if not separator or not (name in names or is_cut):
        return target
    return f"{before}{separator}{pseudonym}"[:LONGEST_TARGET]


def _renamed(value: Any, names: set[str], pseudonym: str) -> Any:
    if isinstance(value, str):
        return pseudonym if value in names else value
    if isinstance(value, list):
        return [_renamed(item, names, pseudonym) for item in value]
    if isinstance(value, dict):
        return {name: _renamed(item, names, pseudonym) for name, item in value.items()}
    return value


def _erase_person(user: User, pseudonym: str) -> None:
    AuthToken.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    SocialAccount.objects.filter(user=user).delete()
    SignInLink.objects.filter(user=user).delete()
    EmailAddress.objects.filter(user=user).delete()
    Session.objects.filter(pk__in=_sessions_of(user)).delete()
    memberships = Membership.objects.filter(user=user)
    for membership in memberships.filter(role__in=STAFF_ROLES).select_related("course"):
        revoke_links_above(membership.course, Role.STUDENT, by=None, because="an account of staff was erased")
    memberships.exclude(role=Role.STUDENT).delete()
    memberships.update(section="", external_id="", extra_time_factor=1, research_consent_at=None)
    user.groups.clear()
    user.user_permissions.clear()
    user.username = pseudonym
    user.first_name = user.last_name = user.email = user.issuer = user.external_id = ""
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.set_unusable_password()
    user.save()


def _sessions_of(user: User) -> list[str]:
    """Keys of the user's sessions. What is in a session is signed, not indexed: all that have not expired are read."""
    Session.objects.filter(expire_date__lte=timezone.now()).delete()
    sessions = Session.objects.iterator()
    return [session.pk for session in sessions if session.get_decoded().get("_auth_user_id") == str(user.pk)]
