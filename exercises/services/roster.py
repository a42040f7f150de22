"""People of a course as its instructors set them: imported from a list, changed, moved between sections, taken out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypedDict, Unpack

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import ROLES_OF_PEOPLE, AuditAction, Role
from exercises.errors import InvalidFieldError, NotAllowedError, StaleRosterError
from exercises.imports.roster import RosterRow
from exercises.models import Course, Membership, Notice, User
from exercises.queries.roster_plan import LONGEST, Fate, PlannedLine, RosterPlan, plan_roster
from exercises.services.audit import record_action
from exercises.services.links import make_sign_in_links, revoke_links_above
from exercises.services.members import RANKS
from exercises.services.rights import require_instructor

INVITATION_LIFETIME = timedelta(days=14)


class MemberSettings(TypedDict, total=False):
    """What an instructor may set of a member, as in `Membership`."""

    role: str
    section: str
    external_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An account that was just made, and the token that signs its owner in once, until `expires_at`."""

    user: User
    token: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterImport:
    """What an import did. The tokens are told here only."""

    plan: RosterPlan
    invitations: tuple[Invitation, ...]


@transaction.atomic
def import_roster(course: Course, rows: Sequence[RosterRow], *, author: User, digest: str) -> RosterImport:
    """Do all that a plan says whose digest this is: accounts, memberships and changes, and a link for each new account.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        StaleRosterError: the plan would be another one by now. Nothing was done.
    """
    require_instructor(author, course)
    Course.objects.select_for_update(no_key=True).values_list("pk").get(pk=course.pk)
    plan = plan_roster(course, rows, importer=author)
    if plan.digest != digest:
        raise StaleRosterError("The course or the accounts have changed meanwhile. Look at the list again.")
    made = _make_accounts(plan.of(Fate.INVITED))
    _enrol(course, [*zip(plan.of(Fate.INVITED), (user.pk for user in made), strict=True)])
    _enrol(course, [(line, line.user_id) for line in plan.of(Fate.ADDED)])
    _tell_added(course, plan.of(Fate.ADDED))
    changed = plan.of(Fate.CHANGED)
    _change(course, changed)
    roles = [(before, after) for line in changed for name, before, after in line.changes if name == "role"]
    _revoke_after(course, roles, author=author)
    counts = {fate.value: len(plan.of(fate)) for fate in Fate}
    record_action(course, AuditAction.ROSTER_IMPORTED, actor=author, target=course.slug, details=counts)
    expires_at = timezone.now() + INVITATION_LIFETIME
    tokens = make_sign_in_links(made, expires_at=expires_at)
    pairs = zip(made, tokens, strict=True)
    return RosterImport(
        plan=plan,
        invitations=tuple(Invitation(user=user, token=token, expires_at=expires_at) for user, token in pairs),
    )


@transaction.atomic
def change_member(membership: Membership, *, author: User, **settings: Unpack[MemberSettings]) -> Membership:
    """Set what is given of a member, and leave the rest as it is. A lower role revokes links that make a higher one.

    Raises:
        NotAllowedError: the author is no instructor of the course, or it is about their own role.
        InvalidFieldError: a field has the wrong form, or somebody else has the external id.
    """
    require_instructor(author, membership.course)
    before = {name: getattr(membership, name) for name in settings}
    if settings.get("role", membership.role) != membership.role:
        _check_role(membership, author, settings["role"])
    for name, value in settings.items():
        setattr(membership, name, value)
    changed = {name: [before[name], value] for name, value in settings.items() if before[name] != value}
    if changed:
        _checked(membership).save(update_fields=list(changed))
        target = f"{membership.course.slug}: {membership.user}"
        record_action(membership.course, AuditAction.MEMBER_CHANGED, actor=author, target=target, details=changed)
    if "role" in changed:
        _revoke_after(membership.course, [changed["role"]], author=author)
    return membership


@transaction.atomic
def move_to_section(course: Course, member_ids: Sequence[int], *, author: User, section: str) -> int:
    """Put these members, by the ids of their memberships, into a section, or out of any; how many there were.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the name is too long.
    """
    require_instructor(author, course)
    if len(section) > LONGEST["section"] or not section.isprintable():
        raise InvalidFieldError("section", "The name of a section must be at most 100 characters that can be printed.")
    found = course.memberships.filter(pk__in=member_ids, role__in=ROLES_OF_PEOPLE)
    count = found.update(section=section)
    if count:
        details = {"section": section or "none", "members": count}
        record_action(course, AuditAction.MEMBER_CHANGED, actor=author, target=course.slug, details=details)
    return count


@transaction.atomic
def remove_member(membership: Membership, *, author: User) -> None:
    """Take somebody out of the course. What they handed in stays, and is theirs again if they come back.

    Of staff it revokes the links that make staff: they would come back by them.

    Raises: NotAllowedError where the author is no instructor of the course, or would remove themselves.
    """
    require_instructor(author, membership.course)
    if membership.user_id == author.pk:
        raise NotAllowedError("Another instructor has to take you out of the course.")
    target = f"{membership.course.slug}: {membership.user}"
    record_action(membership.course, AuditAction.MEMBER_REMOVED, actor=author, target=target)
    membership.delete()
    _revoke_after(membership.course, [(membership.role, Role.STUDENT)], author=author)


def _make_accounts(lines: Sequence[PlannedLine]) -> list[User]:
    """Accounts without a password: their links lead to setting one."""
    users = [
        User(
            username=line.row.username,
            email=line.row.email,
            first_name=line.row.first_name,
            last_name=line.row.last_name,
            password=make_password(None),
        )
        for line in lines
    ]
    return User.objects.bulk_create(users, batch_size=500)


def _enrol(course: Course, lines: Sequence[tuple[PlannedLine, int | None]]) -> None:
    rows = [
        Membership(
            course=course,
            user_id=user_id,
            role=line.role,
            section=line.row.section,
            external_id=line.row.external_id,
        )
        for line, user_id in lines
        if user_id is not None
    ]
    Membership.objects.bulk_create(rows, batch_size=500)


def _change(course: Course, lines: Sequence[PlannedLine]) -> None:
    members = {row.user_id: row for row in course.memberships.all()}
    changed = [(members[line.user_id], line.changes) for line in lines if line.user_id is not None]
    for membership, changes in changed:
        for name, _before, after in changes:
            setattr(membership, name, after)
    Membership.objects.bulk_update([row for row, _changes in changed], ["role", "section", "external_id"], 500)


def _revoke_after(course: Course, changes: Iterable[Sequence[str]], *, author: User) -> None:
    """Revoke links by which somebody would get back what they no longer are; `changes` are roles before and after."""
    lower = [Role(after) for before, after in changes if RANKS[Role(after)] < RANKS[Role(before)]]
    if lower:
        lowest = min(lower, key=RANKS.__getitem__)
        revoke_links_above(course, lowest, by=author, because="somebody lost the role, and could come back by it")


def _tell_added(course: Course, lines: Sequence[PlannedLine]) -> None:
    """Those who had an account learn that they are in a course by now."""
    text = f"You are in the course “{course.title}” now."
    ids = [line.user_id for line in lines if line.user_id is not None]
    url = reverse("learn:course", args=(course.slug,))
    notices = [Notice(user_id=pk, text=text, url=url) for pk in ids]
    Notice.objects.bulk_create(notices, batch_size=500)


def _check_role(membership: Membership, author: User, role: str) -> None:
    if role not in ROLES_OF_PEOPLE or membership.role not in ROLES_OF_PEOPLE:
        raise InvalidFieldError("role", "The role must be student, assistant or instructor.")
    if membership.user_id == author.pk and membership.role == Role.INSTRUCTOR:
        raise NotAllowedError("Another instructor has to change your own role.")


def _checked(membership: Membership) -> Membership:
    for name in ("section", "external_id"):
        if not getattr(membership, name).isprintable():
            raise InvalidFieldError(name, "It holds what cannot be printed.")
    try:
        membership.clean_fields(exclude=["course", "user"])
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise InvalidFieldError(field, messages[0]) from error
    others = membership.course.memberships.exclude(pk=membership.pk)
    if membership.external_id and others.filter(external_id=membership.external_id).exists():
        raise InvalidFieldError("external_id", f"Somebody else here has the external id {membership.external_id}.")
    return membership
