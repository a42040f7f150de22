"""What the kinds of question share: reading fields of a definition, and opaque ids that differ per student."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from graders.errors import DefinitionError

_ID_BYTES: Final = 6


def opaque_id(seed: str, *parts: str) -> str:
    """An id that says nothing of its place or of the key; the same for the same seed and parts."""
    digest = hashlib.blake2b(digest_size=_ID_BYTES, key=hashlib.sha256(seed.encode()).digest())
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


def permuted(seed: str, texts: Sequence[str]) -> list[str]:
    """`texts` in an order that depends on the seed only, and not on the author's order."""
    return sorted(texts, key=lambda text: opaque_id(seed, "order", text))


def text_field(definition: Mapping[str, Any], name: str, *, at: str = "") -> str:
    """A text of a definition, or "" where it is missing; `at` names the place in the definition, as in `options[0].`.

    Raises:
        DefinitionError: it is something else.
    """
    value = definition.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DefinitionError(f"{at}{name}", f"expected a text, found {value!r}")
    return value


def flag_field(definition: Mapping[str, Any], name: str, *, default: bool = False, at: str = "") -> bool:
    """A true or false of a definition.

    Raises:
        DefinitionError: it is something else.
    """
    value = definition.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise DefinitionError(f"{at}{name}", f"expected true or false, found {value!r}")
    return value


def list_field(definition: Mapping[str, Any], name: str, *, at: str = "") -> list[Mapping[str, Any]]:
    """A list of mappings of a definition; empty where it is missing.

    Raises:
        DefinitionError: it is something else.
    """
    value = definition.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise DefinitionError(f"{at}{name}", "expected a list of mappings")
    return value


def texts_field(definition: Mapping[str, Any], name: str) -> list[str]:
    """A list of texts of a definition, none of them blank; empty where it is missing.

    Raises:
        DefinitionError: it is something else.
    """
    value = definition.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise DefinitionError(name, "expected a list of texts")
    return value
