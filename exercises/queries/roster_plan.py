"""What importing a class list would do, line by line; nothing is changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db.models.functions import Lower

from exercises.choices import ROLES_OF_PEOPLE, Role
from exercises.imports.roster import RosterRow
from exercises.models import Course, Membership, User

ROLE_WORDS = {
    "student": Role.STUDENT,
    "learner": Role.STUDENT,
    "assistant": Role.ASSISTANT,
    "ta": Role.ASSISTANT,
    "teaching assistant": Role.ASSISTANT,
    "tutor": Role.ASSISTANT,
    "instructor": Role.INSTRUCTOR,
    "teacher": Role.INSTRUCTOR,
}
LONGEST = {"username": 150, "email": 254, "first_name": 150, "last_name": 150, "external_id": 200, "section": 100}
AT_ONCE = 500


class Fate(StrEnum):
    """What becomes of a line. `invited`: the account is made, too."""

    INVITED = "invited"
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLine:
    """`changes` are (field, before, after) of a member; `reason` says why a line is refused or left alone.

    `account` is that of somebody who is to be added: anybody may have taken the user name, so that whose it is, and
    since when, is to be looked at.
    """

    row: RosterRow
    fate: Fate
    role: Role = Role.STUDENT
    user_id: int | None = None
    account: User | None = None
    changes: tuple[tuple[str, str, str], ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterPlan:
    lines: tuple[PlannedLine, ...]

    def of(self, *fates: Fate) -> list[PlannedLine]:
        """The lines with one of these fates."""
        return [line for line in self.lines if line.fate in fates]

    @property
    def digest(self) -> str:
        """The same for the same plan: another one means that the course or the accounts have changed meanwhile."""
        facts = [(line.row, line.fate, line.role, line.user_id, line.changes) for line in self.lines]
        return hashlib.sha256(repr(facts).encode(errors="replace")).hexdigest()

    @property
    def does_something(self) -> bool:
        """Whether anything would change."""
        return bool(self.of(Fate.INVITED, Fate.ADDED, Fate.CHANGED))


@dataclass(slots=True, kw_only=True)
class _Known:
    """What there is: accounts by small user name, members by account and by external id; and what the file has said."""

    accounts: Mapping[str, User]
    taken_emails: set[str]
    members: Mapping[int, Membership]
    by_external_id: Mapping[str, Membership]
    importer: User
    seen: dict[str, RosterRow] = field(default_factory=dict)
    seen_ids: dict[str, str] = field(default_factory=dict)


def plan_roster(course: Course, rows: Sequence[RosterRow], *, importer: User) -> RosterPlan:
    """What each line would do to the course, in a number of queries that grows by one for each 500 lines.

    A line is of the member with its external id or, where there is none, of the account with its user name; without a
    user name the address of mail is taken for one. People who are not in the list are left alone.
    """
    named = [_named(row) for row in rows]
    known = _known(course, named, importer)
    return RosterPlan(lines=tuple(_planned(row, known) for row in named))


def _named(row: RosterRow) -> RosterRow:
    if row.username or not row.email:
        return row
    fields = {name: getattr(row, name) for name in RosterRow.__dataclass_fields__}
    return RosterRow(**{**fields, "username": row.email.lower()})


def _known(course: Course, rows: Sequence[RosterRow], importer: User) -> _Known:
    members = {row.user_id: row for row in course.memberships.select_related("user")}
    accounts = {row.username.lower(): row for row in _accounts([row.username.lower() for row in rows])}
    emails = {row.email.lower() for row in rows if row.email}
    return _Known(
        accounts=accounts,
        taken_emails=_taken(emails),
        members=members,
        by_external_id={row.external_id: row for row in members.values() if row.external_id},
        importer=importer,
    )


def _accounts(names: Sequence[str]) -> Iterable[User]:
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        yield from User.objects.annotate(small=Lower("username")).filter(small__in=some).order_by("-pk")


def _taken(emails: set[str]) -> set[str]:
    """Those of the addresses that an account has."""
    taken: set[str] = set()
    ordered = sorted(emails)
    for start in range(0, len(ordered), AT_ONCE):
        found = User.objects.annotate(small=Lower("email")).filter(small__in=ordered[start : start + AT_ONCE])
        taken |= set(found.values_list("small", flat=True))
    return taken


def _planned(row: RosterRow, known: _Known) -> PlannedLine:
    if reason := _fault(row) or _conflict_in_file(row, known):
        return PlannedLine(row=row, fate=Fate.REFUSED, reason=reason)
    if row.username.lower() in known.seen:
        first = known.seen[row.username.lower()].line
        return PlannedLine(row=row, fate=Fate.UNCHANGED, reason=f"the same as line {first}")
    known.seen[row.username.lower()] = row
    if row.external_id:
        known.seen_ids[row.external_id] = row.username.lower()
    member, account = _who(row, known)
    if member is not None:
        return _of_member(row, member, known)
    if account is None and row.email.lower() in known.taken_emails:
        reason = f"another account has the address {row.email}: give that account's user name"
        return PlannedLine(row=row, fate=Fate.REFUSED, reason=reason)
    if account is not None and not account.is_active:
        return PlannedLine(row=row, fate=Fate.REFUSED, reason="this account is closed")
    role = ROLE_WORDS.get(row.role.lower(), Role.STUDENT)
    if account is None:
        return PlannedLine(row=row, fate=Fate.INVITED, role=role)
    return PlannedLine(row=row, fate=Fate.ADDED, role=role, user_id=account.pk, account=account)


def _who(row: RosterRow, known: _Known) -> tuple[Membership | None, User | None]:
    """Of whom the line is: a member, an account that is none, or somebody new."""
    if row.external_id and row.external_id in known.by_external_id:
        member = known.by_external_id[row.external_id]
        return member, member.user
    account = known.accounts.get(row.username.lower())
    return (known.members.get(account.pk), account) if account else (None, None)


def _of_member(row: RosterRow, member: Membership, known: _Known) -> PlannedLine:
    account = known.accounts.get(row.username.lower())
    if account is not None and account.pk != member.user_id:
        reason = f"{row.external_id} is the external id of {member.user.username}, not of {row.username}"
        return PlannedLine(row=row, fate=Fate.REFUSED, reason=reason)
    role = ROLE_WORDS.get(row.role.lower(), Role(member.role))
    wanted = {"section": row.section, "external_id": row.external_id, "role": str(role)}
    changes = tuple(
        (name, str(getattr(member, name)), value)
        for name, value in wanted.items()
        if value and value != getattr(member, name)
    )
    if reason := _fault_of_changes(member, changes, known):
        return PlannedLine(row=row, fate=Fate.REFUSED, reason=reason)
    return PlannedLine(
        row=row,
        fate=Fate.CHANGED if changes else Fate.UNCHANGED,
        role=role,
        user_id=member.user_id,
        changes=changes,
    )


def _fault_of_changes(member: Membership, changes: Sequence[tuple[str, str, str]], known: _Known) -> str:
    changed = {name for name, _before, _after in changes}
    if member.role not in ROLES_OF_PEOPLE:
        return "this is the preview student of the course"
    if "role" in changed and member.user_id == known.importer.pk:
        return "your own role is changed by another instructor"
    if "external_id" in changed and member.external_id:
        return f"{member.user.username} has the external id {member.external_id} already"
    return ""


def _fault(row: RosterRow) -> str:
    """Why the line cannot be anybody's; nothing where it can."""
    if not row.username:
        return "it has neither a user name nor an address of mail"
    for name, longest in LONGEST.items():
        value = getattr(row, name)
        if len(value) > longest or not value.isprintable():
            return f"the {name.replace('_', ' ')} is longer than {longest} characters, or holds what cannot be printed"
    if row.role and row.role.lower() not in ROLE_WORDS:
        return f"there is no role {row.role[:40]!r}: student, assistant or instructor"
    try:
        UnicodeUsernameValidator()(row.username)
        EmailValidator()(row.email or "nobody@example.org")
    except ValidationError as error:
        return str(error.messages[0]).rstrip(".")
    return ""


def _conflict_in_file(row: RosterRow, known: _Known) -> str:
    first = known.seen.get(row.username.lower())
    if first is not None and _said(first) != _said(row):
        return f"line {first.line} says something else of {row.username}"
    other = known.seen_ids.get(row.external_id) if row.external_id else None
    if other is not None and other != row.username.lower():
        return f"line {known.seen[other].line} has the external id {row.external_id} too"
    return ""


def _said(row: RosterRow) -> tuple[str, ...]:
    return (row.email, row.first_name, row.last_name, row.external_id, row.section, row.role)
