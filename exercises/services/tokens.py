"""Tokens of the API that a person made: stored hashed, told once, expiring."""

from __future__ import annotations

from knox.models import AuthToken

from exercises.models import User


def make_token(user: User) -> tuple[AuthToken, str]:
    """A new token's row, and its text, which is told here only."""
    made: tuple[AuthToken, str] = AuthToken.objects.create(user=user)
    return made


def revoke_token(user: User, digest: str) -> None:
    """End the user's token; what used it is signed out at once. One that is gone already stays gone."""
    AuthToken.objects.filter(user=user, digest=digest).delete()
