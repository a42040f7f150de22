"""Values of the border as a JSON tree plus tensor bytes, and back.

Plain JSON stands for None, booleans, text, lists, integers below 2^63 and finite floats. All else is an object with one
tag: {"tuple": […]}, {"dict": {…}}, {"float": "nan"}, {"int": "-ff"}, {"complex": [re, im]},
{"unsupported": "a generator"}, {"tensor": 0, "dtype": "float32", "origin": "torch"}.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from worker.sandbox.frames import MEBIBYTE, WireError, dump_json, load_json
from worker.sandbox.job import TensorBytes, Unsupported, Value
from worker.sandbox.packing import DTYPES, pack, unpack
from worker.sandbox.texts import clean_text

TREE_BYTES = MEBIBYTE
MAX_DEPTH = 64
MAX_NODES = 50_000
MAX_TEXT = 100_000
MAX_INTEGER_BITS = 4096
_KIND_LENGTH = 300
_PLAIN_INTEGER_BITS = 63
_TREE_LENGTH = struct.Struct(">I")
_SPECIAL_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_ORIGINS: dict[object, Literal["torch", "numpy"]] = {"torch": "torch", "numpy": "numpy"}


def encode_value(value: Value) -> tuple[Any, bytes]:
    """The JSON tree of a value, and its tensors as safetensors bytes. Raises: WireError (no value, or over a cap)."""
    writer = _Writer()
    tree = writer.node(value, 0)
    return tree, pack(writer.tensors)


def decode_value(tree: Any, body: bytes) -> Value:
    """The value of a JSON tree whose tensors are in `body`. Raises: WireError (anything that is not exactly that)."""
    reader = _Reader()
    reader.survey(tree, 0)
    reader.fill(unpack(body, reader.dtypes))
    return reader.node(tree)


def dump_value(value: Value) -> bytes:
    """One blob: `>I` length of the tree, tree JSON, safetensors bytes. Raises: WireError (no value, or over a cap)."""
    tree, tensors = encode_value(value)
    text = dump_json(tree)
    if len(text) > TREE_BYTES:
        raise WireError(f"a value without its tensors takes {len(text)} bytes, at most {TREE_BYTES} are allowed")
    return b"".join((_TREE_LENGTH.pack(len(text)), text, tensors))


def load_value(blob: bytes) -> Value:
    """The value in a blob of `dump_value`. Raises: WireError (anything else)."""
    if len(blob) < _TREE_LENGTH.size:
        raise WireError("a value without its length")
    (length,) = _TREE_LENGTH.unpack_from(blob)
    end = _TREE_LENGTH.size + length
    if length > TREE_BYTES or end > len(blob):
        raise WireError("the tree of a value is longer than allowed")
    return decode_value(load_json(blob[_TREE_LENGTH.size : end]), blob[end:])


def _check_text(text: str) -> str:
    if len(text) > MAX_TEXT:
        raise WireError(f"text of {len(text)} characters, at most {MAX_TEXT} are allowed")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise WireError("text with half a surrogate pair") from error
    return text


@dataclass(slots=True)
class _Counter:
    """Counts nodes and depth, so that no tree costs more than the caps."""

    nodes: int = 0

    def enter(self, depth: int) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise WireError(f"a value of more than {MAX_NODES} parts")
        if depth > MAX_DEPTH:
            raise WireError(f"a value nested deeper than {MAX_DEPTH}")


@dataclass(slots=True)
class _Writer(_Counter):
    tensors: list[TensorBytes] = field(default_factory=list)

    def node(self, value: Value, depth: int) -> Any:
        self.enter(depth)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return _check_text(value)
        if isinstance(value, list):
            return [self.node(item, depth + 1) for item in value]
        if isinstance(value, int):
            return _integer_node(value)
        if isinstance(value, float):
            return _float_node(value)
        return self._tagged(value, depth)

    def _tagged(self, value: Value, depth: int) -> dict[str, Any]:
        match value:
            case TensorBytes():
                self.tensors.append(value)
                return {"tensor": len(self.tensors) - 1, "dtype": value.dtype, "origin": value.origin}
            case Unsupported():
                return {"unsupported": _check_text(value.kind)[:_KIND_LENGTH]}
            case complex():
                return {"complex": [_float_node(value.real), _float_node(value.imag)]}
            case tuple():
                return {"tuple": [self.node(item, depth + 1) for item in value]}
            case dict():
                return {"dict": {_key(key): self.node(item, depth + 1) for key, item in value.items()}}
        raise WireError(f"{type(value).__name__} is no value of the border")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise WireError(f"expected text as key, found {type(key).__name__}")
    return _check_text(key)


def _integer_node(value: int) -> int | dict[str, str]:
    bits = value.bit_length()
    if bits <= _PLAIN_INTEGER_BITS:
        return int(value)
    if bits > MAX_INTEGER_BITS:
        raise WireError(f"an integer of {bits} bits, at most {MAX_INTEGER_BITS} are allowed")
    return {"int": format(value, "x")}


def _float_node(value: float) -> float | dict[str, str]:
    if math.isfinite(value):
        return float(value)
    return {"float": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}


@dataclass(slots=True)
class _Reader(_Counter):
    """Reads twice: `survey` checks form and caps and learns which tensors are named, `node` builds."""

    dtypes: list[str] = field(default_factory=list)
    origins: list[Literal["torch", "numpy"]] = field(default_factory=list)
    tensors: list[TensorBytes] = field(default_factory=list)

    def survey(self, tree: Any, depth: int) -> None:
        self.enter(depth)
        if tree is None or isinstance(tree, bool):
            return
        if isinstance(tree, str):
            _check_text(tree)
        elif isinstance(tree, list):
            self._survey_all(tree, depth)
        elif isinstance(tree, dict):
            self._survey_tagged(tree, depth)
        else:
            _number(tree)

    def fill(self, tensors: list[TensorBytes]) -> None:
        """Takes the tensors that the survey asked for."""
        self.tensors = [replace(tensor, origin=origin) for tensor, origin in zip(tensors, self.origins, strict=True)]

    def node(self, tree: Any) -> Value:
        if isinstance(tree, list):
            return [self.node(item) for item in tree]
        if not isinstance(tree, dict):
            return tree  # type: ignore[no-any-return]  # the survey let only plain values through
        if "tensor" in tree:
            return self.tensors[tree["tensor"]]
        ((tag, content),) = tree.items()
        if tag == "tuple":
            return tuple(self.node(item) for item in content)
        if tag == "dict":
            return {key: self.node(item) for key, item in content.items()}
        return _SCALARS[tag](content)

    def _survey_all(self, items: list[Any], depth: int) -> None:
        for item in items:
            self.survey(item, depth + 1)

    def _survey_tagged(self, tree: dict[str, Any], depth: int) -> None:
        if "tensor" in tree:
            self._survey_tensor(tree)
            return
        if len(tree) != 1:
            raise WireError("expected one tag in an object")
        ((tag, content),) = tree.items()
        if tag == "tuple" and isinstance(content, list):
            self._survey_all(content, depth)
        elif tag == "dict" and isinstance(content, dict):
            for key in content:
                _check_text(key)
            self._survey_all(list(content.values()), depth)
        elif tag in _SCALARS:
            _SCALARS[tag](content)
        else:
            raise WireError("an object with an unknown tag or content")

    def _survey_tensor(self, tree: dict[str, Any]) -> None:
        origin = tree.get("origin")
        if tree.keys() != {"tensor", "dtype", "origin"} or not isinstance(origin, str) or origin not in _ORIGINS:
            raise WireError("expected number, dtype and origin of a tensor")
        if type(tree["tensor"]) is not int or tree["tensor"] != len(self.dtypes):
            raise WireError("tensors are not numbered in order")
        if tree["dtype"] not in DTYPES:
            raise WireError("a tensor of an unknown dtype")
        self.dtypes.append(tree["dtype"])
        self.origins.append(_ORIGINS[origin])


def _number(tree: Any) -> int | float:
    if type(tree) is int and tree.bit_length() <= _PLAIN_INTEGER_BITS:
        return tree
    if type(tree) is float and math.isfinite(tree):
        return tree
    raise WireError("expected a number in range")


def _integer(content: Any) -> int:
    digits = content.removeprefix("-") if isinstance(content, str) else ""
    if not 0 < len(digits) <= MAX_INTEGER_BITS // 4 or set(digits) - set("0123456789abcdef"):
        raise WireError("expected an integer in hexadecimal")
    return int(content, 16)


def _float(content: Any) -> float:
    if not isinstance(content, str) or content not in _SPECIAL_FLOATS:
        raise WireError("expected nan, inf or -inf")
    return _SPECIAL_FLOATS[content]


def _complex(content: Any) -> complex:
    if not isinstance(content, list) or len(content) != 2:
        raise WireError("expected two parts of a complex number")
    return complex(*(_part(part) for part in content))


def _part(tree: Any) -> float:
    if isinstance(tree, dict) and tree.keys() == {"float"}:
        return _float(tree["float"])
    return float(_number(tree))


def _unsupported(content: Any) -> Unsupported:
    if not isinstance(content, str) or len(content) > _KIND_LENGTH:
        raise WireError("expected words for an unsupported object")
    # Words to be shown, in which a class may have had its name put.
    return Unsupported(kind=clean_text(_check_text(content), _KIND_LENGTH))


_SCALARS: dict[str, Callable[[Any], Value]] = {
    "int": _integer,
    "float": _float,
    "complex": _complex,
    "unsupported": _unsupported,
}
