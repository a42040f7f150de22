"""Ten thousand runs answer with frames that were tampered with: each gets a verdict, and never one of ours."""

import random
import struct
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.corpus.arena import open_arena
from tests.corpus.invariants import faults_of_form
from tests.corpus.items import FOLDER
from worker.sandbox.frames import CHILD_HEADER_BYTES, FrameReader, WireError, encode_frame
from worker.sandbox.job import CallResult, Limits, StudentError, TensorBytes
from worker.sandbox.results import read_result, result_frame

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.timeout(3600)]

FRAMES = 10_000
AT_ONCE = 4
READ_SECONDS = 0.1
# Where a length was made larger, what follows is waited for: not as long as usual.
LIMITS = Limits(idle_seconds=0.5)
EXERCISE = "x1-row-softmax"
FILE = FOLDER / "hostile" / "p02_cut_frame.py"
# Sends what it is given in the place of its first result; then it ends, or goes on as if nothing had been.
SENDER = """
import os

def row_softmax(x):
    data = bytes.fromhex({data!r})
    while data:
        data = data[os.write(4, data) :]
    if {ends}:
        os._exit(0)
    return x
"""
TENSOR = TensorBytes(dtype="float32", shape=(2, 4), data=struct.pack("<8f", *[0.25] * 8))
VALUES = (
    TENSOR,
    {"output": TENSOR, "inputs": {"args": (TENSOR,), "kwargs": {}}},
    [TENSOR, 1, 0.5, 1j, "text", True, None, (TENSOR, [TENSOR])],
    TensorBytes(dtype="bool", shape=(3,), data=b"\1\0\1"),
    {"a": [], "b": (), "c": {}, "d": float("nan"), "e": 2**70, "f": float("-inf")},
)
ERROR = CallResult(index=0, error=StudentError(type="ValueError", message="no", traceback="Traceback", line=3))
WORDS = (b'"index":0', b'"kind"', b'"result"', b'"F32"', b'"shape"', b'"data_offsets"', b"[2,4]", b'"seconds"')
REPLACEMENTS = (
    b'"index":-1',
    b'"index":1e9',
    b'"index":true',
    b"null",
    b"[]",
    b"{}",
    b'"\xff"',
    b"[9223372036854775807,0]",
)


def tampered(seed):
    """A frame as the harness writes it, with one to four changes."""
    order = random.Random(seed)
    value = order.choice(VALUES)
    frame = result_frame(ERROR if order.random() < 0.1 else CallResult(index=0, value=value))
    data = bytearray(encode_frame(frame))
    for _ in range(order.randint(1, 4)):
        order.choice((_flip, _cut, _insert, _repeat, _rewrite, _lengthen))(order, data)
    return bytes(data)


def _flip(order, data):
    for _ in range(order.randint(1, 8)):
        if data:
            data[order.randrange(len(data))] ^= 1 << order.randrange(8)


def _cut(order, data):
    start = order.randrange(len(data) + 1)
    del data[start : start + order.choice((1, 8, len(data)))]


def _insert(order, data):
    start = order.randrange(len(data) + 1)
    data[start:start] = order.randbytes(order.choice((1, 4, 64, 4096)))


def _repeat(order, data):
    data += data * order.randint(1, 3)


def _rewrite(order, data):
    changed = bytes(data).replace(order.choice(WORDS), order.choice(REPLACEMENTS))
    # The length of the header is made to fit again, so that it is the words that are judged.
    if len(changed) > 12:
        size = int.from_bytes(changed[:4], "big") + len(changed) - len(data)
        changed = (size % 2**32).to_bytes(4, "big") + changed[4:]
    data[:] = changed


def _lengthen(order, data):
    place = order.choice((0, max(len(data) - 8, 0)))
    data[place : place + 4] = struct.pack(">I", order.choice((0, 1, 2**31, 2**32 - 1, len(data))))


def test_reading_a_tampered_frame_is_quick_and_fails_in_one_way(record_property):
    slowest = 0.0
    for seed in range(FRAMES):
        data, started = tampered(seed), time.process_time()
        reader = FrameReader(max_header=CHILD_HEADER_BYTES, max_body=1 << 24)
        try:
            for frame in reader.feed(data):
                read_result(frame)
        except WireError:
            pass
        slowest = max(slowest, time.process_time() - started)
    record_property("figures", f"{FRAMES} frames read; the slowest took {slowest * 1000:.1f} ms")
    assert slowest < READ_SECONDS


def test_tampered_frames_of_ten_thousand_runs_get_a_verdict_of_the_student(tmp_path, record_property):
    with open_arena(tmp_path) as arena:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            graded = pool.map(lambda seed: graded_sender(arena, seed), range(FRAMES))
            verdicts = Counter(each.verdict for each in graded if faults_of_form(each) == [])
        assert arena.canary() == arena.canary()
    record_property("figures", f"{FRAMES} runs with tampered frames: {dict(verdicts)}")
    assert verdicts.total() == FRAMES
    # What was changed may be what nobody looks at: then the first case is judged by what it holds.
    assert verdicts.keys() <= {"invalid_output", "runtime_error", "wrong_answer", "output_limit", "time_limit"}


def graded_sender(arena, seed):
    source = SENDER.format(data=tampered(seed).hex(), ends=seed % 2 == 0)
    return arena.grade(FILE, EXERCISE, source=source, limits=LIMITS)
