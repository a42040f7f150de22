"""Tokens in the header `Authorization: Token …`."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied

from exercises.sign_in.second_factor import lacks_second_factor, what_lacks


class ApiTokenAuthentication(TokenAuthentication):
    """A hashed token that expires. Whatever cannot be one is refused before the database is asked.

    One that was made by a password does no longer for who must have a second factor by now.
    """

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        if not token.isalnum():
            raise AuthenticationFailed("Invalid token.")
        user_and_token: tuple[Any, Any] = super().authenticate_credentials(token)
        if lacks_second_factor(user_and_token[0]):
            raise PermissionDenied(what_lacks())
        return user_and_token


class ApiTokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes the header; found by being imported."""

    target_class = ApiTokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": "`Token …`"}
