"""Whose account it is whom somebody outside vouches for: a university's sign-in, or a proxy."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string

from exercises.choices import STAFF_ROLES
from exercises.errors import NotAllowedError
from exercises.models import SignInLink, User

log = logging.getLogger(__name__)

LONGEST_ID = 200
LONGEST_NAME = 150


@dataclass(frozen=True)
class Identity:
    """What is said of a person. `external_id` is theirs for good at the issuer, and is what a roster knows them by."""

    issuer: str
    external_id: str
    username: str = ""
    first_name: str = ""
    last_name: str = ""
    email: str = ""


def person_of(identity: Identity) -> User:
    """The person's account: their own; else the one that a roster made for them and nobody used; else a new one.

    An account that somebody has used is never handed over, nor one that teaches: whoever writes a roster could else
    give themselves, or another, the account of a member. The links that staff have for it are void from then on.

    Raises:
        NotAllowedError: the identity has no id that fits, or its account was closed.
    """
    if not identity.external_id or len(identity.external_id) > LONGEST_ID or "\0" in identity.external_id:
        raise NotAllowedError(f"The sign-in sent no id of 1 to {LONGEST_ID} characters for you.")
    user = _known(identity) or _from_roster(identity) or _new(identity)
    if not user.is_active:
        raise NotAllowedError("This account is closed.")
    return user


def _known(identity: Identity) -> User | None:
    return User.objects.filter(issuer=identity.issuer, external_id=identity.external_id).first()


@transaction.atomic
def _from_roster(identity: Identity) -> User | None:
    """The one unused account that the rosters of courses know by this id; of several, none."""
    unused = User.objects.select_for_update(of=("self",)).filter(
        memberships__external_id=identity.external_id,
        external_id="",
        last_login=None,
        is_active=True,
        is_staff=False,
    )
    found = [user for user in unused if not user.has_usable_password() and not _teaches(user)]
    accounts = {user.pk: user for user in found}
    if len(accounts) != 1:
        if accounts:
            log.warning("%d unused accounts share an external id of a roster: none is handed over.", len(accounts))
        return None
    (user,) = accounts.values()
    user.issuer, user.external_id = identity.issuer, identity.external_id
    user.save(update_fields=["issuer", "external_id"])
    SignInLink.objects.filter(user=user, used_at=None).delete()
    return user


def _teaches(user: User) -> bool:
    return user.memberships.filter(role__in=STAFF_ROLES).exists()


def _new(identity: Identity) -> User:
    """A new account without a password. Of two first visits at once, one makes it and both get it."""
    user = User(
        username=_free_username(identity),
        first_name=identity.first_name.replace("\0", "")[:LONGEST_NAME],
        last_name=identity.last_name.replace("\0", "")[:LONGEST_NAME],
        email=identity.email if len(identity.email) <= 254 and "\0" not in identity.email else "",
        issuer=identity.issuer,
        external_id=identity.external_id,
    )
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        known = _known(identity)
        if known is None:
            raise
        return known
    return user


def _free_username(identity: Identity) -> str:
    wanted = re.sub(r"[^\w.@+-]", "", identity.username or identity.external_id)[:100] or "student"
    if not User.objects.filter(username=wanted).exists():
        return wanted
    return f"{wanted}-{get_random_string(6, 'abcdefghjkmnpqrstuvwxyz23456789')}"
