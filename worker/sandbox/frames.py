"""Frames on a pipe or socket: `>I` header length, header JSON, `>Q` body length, body. Lengths are refused unread."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any, NoReturn

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE

# What a run may send in one header; what trusted code may send in one.
CHILD_HEADER_BYTES = 64 * KIBIBYTE
TRUSTED_HEADER_BYTES = MEBIBYTE

HEADER_LENGTH = struct.Struct(">I")
BODY_LENGTH = struct.Struct(">Q")


class WireError(Exception):
    """Bytes or values that are not what the wire allows. Says nothing of whose fault it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message: a JSON object and raw bytes."""

    header: dict[str, Any]
    body: bytes = b""

    @property
    def kind(self) -> str:
        """The header's `kind`, or "" where it has none that is text."""
        kind = self.header.get("kind")
        return kind if isinstance(kind, str) else ""


# Bound once, also so that student code in the same process cannot put its own in their place.
_encode_json = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def dump_json(value: object) -> bytes:
    """ASCII JSON of plain values, without NaN. Raises: WireError (no JSON form)."""
    try:
        return _encode_json(value).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"no JSON form: {error}") from error


def load_json(data: bytes) -> Any:
    """The value in UTF-8 JSON. Raises: WireError (no JSON, NaN, a key that stands twice, nested too deep)."""
    try:
        return _decode_json(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise WireError(f"expected JSON: {error}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise WireError(f"expected JSON, found {name}")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise WireError("a key stands twice in an object")
    return found


_decode_json = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_without_twins).decode


def encode_frame(frame: Frame) -> bytes:
    """The bytes of a frame. Raises: WireError (the header has no JSON form)."""
    header = dump_json(frame.header)
    return b"".join((HEADER_LENGTH.pack(len(header)), header, BODY_LENGTH.pack(len(frame.body)), frame.body))


def load_header(data: bytes) -> dict[str, Any]:
    """The header in these bytes. Raises: WireError (not a JSON object)."""
    header = load_json(data)
    if not isinstance(header, dict):
        raise WireError("expected a JSON object as header")
    return header


@dataclass(slots=True)
class FrameReader:
    """Cuts a stream into frames. After a WireError the stream is lost: every later `feed` raises it again."""

    max_header: int = CHILD_HEADER_BYTES
    max_body: int = 16 * MEBIBYTE
    _buffer: bytearray = field(default_factory=bytearray)
    _header_end: int = 0
    _frame_end: int = 0
    _fault: WireError | None = None

    @property
    def pending(self) -> bool:
        """Whether bytes of an unfinished frame are held."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete. Raises: WireError (a length over the cap, a header that is none)."""
        if self._fault is not None:
            raise self._fault
        self._buffer += data
        frames: list[Frame] = []
        try:
            while self._is_complete():
                frames.append(self._take())
        except WireError as error:
            self._fault = error
            self._buffer.clear()
            raise
        return frames

    def finish(self) -> None:
        """Nothing, at a frame's border. Raises: WireError (the stream ended within a frame)."""
        if self._fault is not None:
            raise self._fault
        if self.pending:
            raise WireError("the stream ended within a frame")

    def _is_complete(self) -> bool:
        if not self._header_end:
            self._header_end = self._end_of(HEADER_LENGTH, 0, self.max_header)
        if self._header_end and not self._frame_end:
            self._frame_end = self._end_of(BODY_LENGTH, self._header_end, self.max_body)
        return 0 < self._frame_end <= len(self._buffer)

    def _end_of(self, prefix: struct.Struct, start: int, cap: int) -> int:
        """Where the part with this length prefix ends, or 0 while the prefix is incomplete."""
        if len(self._buffer) < start + prefix.size:
            return 0
        (length,) = prefix.unpack_from(self._buffer, start)
        if length > cap:
            raise WireError(f"a part of {length} bytes is declared, at most {cap} are allowed")
        return start + prefix.size + int(length)

    def _take(self) -> Frame:
        with memoryview(self._buffer) as view:
            header = load_header(bytes(view[HEADER_LENGTH.size : self._header_end]))
            body = bytes(view[self._header_end + BODY_LENGTH.size : self._frame_end])
        del self._buffer[: self._frame_end]
        self._header_end = self._frame_end = 0
        return Frame(header=header, body=body)
