"""Frames: cut from any stream, lengths refused unread, garbage refused by WireError alone."""

import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.sandbox import wire
from worker.sandbox.frames import load_json
from worker.sandbox.job import CallResult, TensorBytes

HEADERS = st.dictionaries(
    st.text(max_size=5), st.integers(-(2**70), 2**70) | st.text(max_size=5) | st.none(), max_size=4
)
FRAMES = st.builds(lambda header, body: wire.Frame(header=header, body=body), HEADERS, st.binary(max_size=40))


@given(st.lists(FRAMES, max_size=5), st.lists(st.integers(1, 30)))
def test_frames_survive_however_the_stream_is_cut(frames, cuts):
    stream = b"".join(wire.encode_frame(frame) for frame in frames)
    reader, found = wire.FrameReader(), []

    for length in [*cuts, len(stream)]:
        found += reader.feed(stream[:length])
        stream = stream[length:]

    assert found == frames
    assert not reader.pending
    reader.finish()


def test_single_bytes_make_a_frame():
    frame = wire.Frame(header={"kind": "result"}, body=b"12")
    reader = wire.FrameReader()

    found = [frame for byte in wire.encode_frame(frame) for frame in reader.feed(bytes([byte]))]

    assert found == [frame]


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">I", 64 * 1024 + 1),
        struct.pack(">I", 2**32 - 1),
        struct.pack(">I", 2) + b"{}" + struct.pack(">Q", 2**63 - 1),
        struct.pack(">I", 2) + b"{}" + struct.pack(">Q", 101),
        struct.pack(">I", 2) + b"[]" + struct.pack(">Q", 0),
        struct.pack(">I", 2) + b"{]" + struct.pack(">Q", 0),
        struct.pack(">I", 1) + b"\xff" + struct.pack(">Q", 0),
        struct.pack(">I", 0) + struct.pack(">Q", 0),
        struct.pack(">I", 7) + b'{"a":NaN}'[:7] + struct.pack(">Q", 0),
        struct.pack(">I", 13) + b'{"a":1,"a":2}' + struct.pack(">Q", 0),
        struct.pack(">I", 60_000) + b"[" * 60_000 + struct.pack(">Q", 0),
        struct.pack(">I", 60_005) + b'{"a":' + b"1" * 60_000 + struct.pack(">Q", 0),
        b"\x80\x04\x95\x1e\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix",
    ],
)
def test_garbage_is_refused_and_the_stream_is_lost(data):
    reader = wire.FrameReader(max_body=100)

    with pytest.raises(wire.WireError):
        reader.feed(data)
    with pytest.raises(wire.WireError):
        reader.feed(wire.encode_frame(wire.Frame(header={})))
    with pytest.raises(wire.WireError):
        reader.finish()


def test_nothing_is_kept_of_a_refused_length():
    reader = wire.FrameReader(max_body=100)

    with pytest.raises(wire.WireError, match="9223372036854775807 bytes is declared, at most 100"):
        reader.feed(struct.pack(">I", 2) + b"{}" + struct.pack(">Q", 2**63 - 1) + b"x" * 50)

    assert not reader.pending


def test_cut_frame_is_refused_at_the_end():
    reader = wire.FrameReader()
    assert reader.feed(wire.encode_frame(wire.Frame(header={}, body=b"12"))[:-1]) == []

    with pytest.raises(wire.WireError, match="within a frame"):
        reader.finish()


@pytest.mark.parametrize(
    "text", ["NaN", "Infinity", "-Infinity", "[1,]", "", "\ud800".encode("utf-8", "surrogatepass")]
)
def test_what_is_no_json_is_refused(text):
    with pytest.raises(wire.WireError):
        load_json(text if isinstance(text, bytes) else text.encode())


@pytest.mark.parametrize("header", [{"a": float("nan")}, {"a": b""}, {"a": {1, 2}}])
def test_header_without_a_json_form_is_refused(header):
    with pytest.raises(wire.WireError):
        wire.encode_frame(wire.Frame(header=header))


def test_kind_that_is_no_text_is_empty():
    assert wire.Frame(header={"kind": 1}).kind == ""
    assert wire.Frame(header={}).kind == ""


READERS = {
    "result": wire.read_result,
    "load_error": wire.read_load_error,
    "inspection": wire.read_inspection,
    "report": wire.read_report,
    "call": wire.read_call,
    "program": wire.read_program,
    "job": wire.read_job,
}


def read_all(data: bytes) -> int:
    """Read bytes as trusted code does; how many frames were taken."""
    reader = wire.FrameReader(max_body=1 << 20)
    frames = reader.feed(data)
    for frame in frames:
        READERS.get(frame.kind, wire.read_result)(frame)
    reader.finish()
    return len(frames)


def samples() -> list[bytes]:
    """Well-formed frames of every kind that a child sends."""
    error = wire.error_from_json({"type": "E", "message": "m", "traceback": "t", "line": 1})
    value = {
        "a": (TensorBytes(dtype="float32", shape=(2,), data=bytes(8)), [1, 2.5, float("nan"), 2**80, 1j, "é"]),
        "b": None,
    }
    results = [
        wire.result_frame(CallResult(index=0, value=value)),
        wire.result_frame(CallResult(index=1, error=error)),
        wire.result_frame(CallResult(index=2, value=TensorBytes(dtype="bool", shape=(3,), data=b"\x00\x01\x01"))),
        wire.load_error_frame(error),
        wire.inspection_frame("text", ()),
        wire.LOADED,
        wire.ENDED,
    ]
    return [wire.encode_frame(frame) for frame in results]


def damaged(random_: random.Random, data: bytes) -> bytes:
    """The bytes with one to four small damages: flipped, cut, doubled, replaced by notable bytes."""
    found = bytearray(data)
    for _ in range(random_.randint(1, 4)):
        place = random_.randrange(len(found) + 1)
        match random_.randrange(5):
            case 0 if place < len(found):
                found[place] ^= 1 << random_.randrange(8)
            case 1:
                del found[place:]
            case 2:
                found[place:place] = found[place : place + random_.randrange(1, 20)]
            case 3:
                found[place : place + 1] = random_.choice(NOTABLE)
            case _:
                found[place : place + random_.randrange(8)] = random_.randbytes(random_.randrange(8))
    return bytes(found)


NOTABLE = [
    b"9",
    b"-1",
    b"null",
    b"[",
    b"{",
    b'"',
    b"1e999",
    b"\xff\xff\xff\xff",
    b"\x00",
    b"true",
    b'"\\ud800"',
    b"9" * 400,
]


@pytest.mark.parametrize("block", range(10))
def test_ten_thousand_damaged_or_random_frames_raise_nothing_but_wire_errors(block):
    good = samples()
    for seed in range(block * 1000, block * 1000 + 1000):
        random_ = random.Random(seed)
        data = random_.randbytes(random_.randrange(200)) if seed % 4 == 0 else damaged(random_, random_.choice(good))
        try:
            read_all(data)
        except wire.WireError:
            continue


def test_damage_to_a_frame_is_usually_noticed():
    good = samples()[0]
    refused = 0
    for seed in range(300):
        try:
            read_all(damaged(random.Random(seed), good))
        except wire.WireError:
            refused += 1

    assert refused > 200


def test_undamaged_samples_are_read():
    readable = [data for data in samples() if wire.FrameReader().feed(data)[0].kind not in ("loaded", "ended")]

    assert [read_all(data) for data in readable] == [1] * 5


def test_a_megabyte_of_random_bytes_is_refused_at_once():
    data = random.Random(0).randbytes(1 << 20)

    with pytest.raises(wire.WireError):
        wire.FrameReader().feed(data)
