"""Made-up names in place of people, and texts without the names of those who wrote them."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from exercises.models import User

REMOVED = "[removed]"
SHORTEST_NAME = 3
# Begun only where a word begins: else a long line without an address takes the square of its length.
ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
LOGIN = re.compile(r"\w[\w.+@-]*\w|\w")
WORD = re.compile(r"(?<![\w.])[^\W\d_]+(?![\w(.=\[])")
IMPORT = re.compile(r"\s*(?:from|import)\s")
PIECE = re.compile(r"\w+")
PART = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pseudonyms:
    """Names by a key that is made for one export and then lost: two exports cannot be put together by them."""

    key: bytes

    def of(self, kind: str, pk: int) -> str:
        """Always the same for the same row."""
        return hmac.digest(self.key, f"{kind}:{pk}".encode(), hashlib.sha256).hex()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """What is taken out of texts: `logins` and ids in any case, `names` as people write them, one's own in any case.

    Code keeps its words: what is called, imported, assigned or an attribute is left, though somebody be called Adam.
    """

    logins: frozenset[str]
    names: frozenset[str]
    own: Mapping[int, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of_people(cls, people: Iterable[tuple[User, str]]) -> Redaction:
        """That of these people, each with the external id that a course knows them by."""
        logins, names, own = set(), set(), {}
        for user, external_id in people:
            given = (user.username, user.external_id, external_id)
            logins |= {text.casefold() for text in given if len(text) >= SHORTEST_NAME}
            parts = {part for part in PART.findall(f"{user.first_name} {user.last_name}") if len(part) >= SHORTEST_NAME}
            names |= parts | {part.upper() for part in parts}
            own[user.pk] = frozenset(part.casefold() for part in parts)
        return cls(logins=frozenset(logins), names=frozenset(names), own=own)

    def of(self, value: Any, student_id: int) -> Any:
        """The value, a text or what JSON holds, without names."""
        if isinstance(value, str):
            return self._text(value, self.own.get(student_id, frozenset()))
        if isinstance(value, list):
            return [self.of(item, student_id) for item in value]
        if isinstance(value, dict):
            return {name: self.of(item, student_id) for name, item in value.items()}
        return value

    def _text(self, text: str, own: frozenset[str]) -> str:
        lines = (self._line(line, own) for line in text.splitlines(keepends=True))
        return "".join(lines)

    def _line(self, line: str, own: frozenset[str]) -> str:
        without = ADDRESS.sub(REMOVED, line)
        without = LOGIN.sub(self._login, without)
        return without if IMPORT.match(without) else WORD.sub(lambda found: self._word(found, own), without)

    def _login(self, found: re.Match[str]) -> str:
        is_called = found.string.startswith("(", found.end())
        if is_called or found.string.endswith(".", 0, found.start()):
            return found[0]
        if found[0].casefold() in self.logins:
            return REMOVED
        return PIECE.sub(self._piece, found[0])

    def _piece(self, found: re.Match[str]) -> str:
        """Of what stands together: an id within a larger number is one, too; an attribute is none."""
        is_attribute = found.string.endswith(".", 0, found.start())
        return REMOVED if found[0].casefold() in self.logins and not is_attribute else found[0]

    def _word(self, found: re.Match[str], own: frozenset[str]) -> str:
        return REMOVED if found[0] in self.names or found[0].casefold() in own else found[0]
