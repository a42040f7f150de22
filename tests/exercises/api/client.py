"""A client of the HTTP API, signed in by a token."""

import json

from django.test import Client
from knox.models import AuthToken

BASE = "/api/v1/"


class Caller:
    """Speaks to the API as `user`, or as nobody."""

    def __init__(self, user=None):
        self.user, self._client = user, Client()
        self._headers = {} if user is None else {"Authorization": f"Token {AuthToken.objects.create(user=user)[1]}"}

    def get(self, path, **headers):
        return self._client.get(BASE + path, headers={**self._headers, **headers})

    def post(self, path, body, **headers):
        text = body if isinstance(body, bytes) else json.dumps(body)
        return self._client.post(
            BASE + path, text, content_type="application/json", headers={**self._headers, **headers}
        )

    def delete(self, path):
        return self._client.delete(BASE + path, headers=self._headers)


def path_of(exercise):
    return f"exercises/{exercise.course.slug}/{exercise.slug}/"
