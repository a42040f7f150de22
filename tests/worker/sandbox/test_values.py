"""Values and tensors on the wire: all survive, and what is not exactly right is refused by WireError."""

import json
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.sandbox import wire
from worker.sandbox.frames import WireError, dump_json
from worker.sandbox.job import TensorBytes, Unsupported
from worker.sandbox.packing import DTYPES, item_bytes, pack, unpack


@st.composite
def tensors(draw):
    dtype = draw(st.sampled_from(DTYPES))
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=4)))
    size = math.prod(shape) * item_bytes(dtype)
    data = draw(st.binary(min_size=size, max_size=size))
    if dtype == "bool":
        data = bytes(byte & 1 for byte in data)
    return TensorBytes(dtype=dtype, shape=shape, data=data, origin=draw(st.sampled_from(["torch", "numpy"])))


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=20)
    | st.builds(Unsupported, kind=st.text(max_size=20).map(lambda text: wire.clean_text(text, 20)))
    | tensors()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_every_value_survives(value):
    # By text: NaN differs from itself, and -0.0 equals 0.0.
    assert repr(wire.load_value(wire.dump_value(value))) == repr(value)


@given(VALUES)
def test_every_value_has_a_json_tree(value):
    tree, body = wire.encode_value(value)

    assert repr(wire.decode_value(json.loads(dump_json(tree)), body)) == repr(value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(
                    ["tuple", "dict", "tensor", "dtype", "origin", "int", "float", "complex", "unsupported", "x"]
                ),
                inner,
                max_size=3,
            )
        ),
        max_leaves=12,
    ),
    st.binary(max_size=60),
)
def test_trees_of_any_form_raise_nothing_but_wire_errors(tree, body):
    try:
        wire.decode_value(tree, body)
    except WireError:
        return


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        b"bytes",
        {1: 2},
        {"a": {None: 1}},
        "\ud800",
        {"\ud800": 1},
        "x" * 100_001,
        1 << 4096,
        [0] * 50_000,
        TensorBytes(dtype="float32", shape=(2,), data=bytes(4)),
        TensorBytes(dtype="float8", shape=(), data=b"\0"),
        TensorBytes(dtype="bool", shape=(1,), data=b"\x02"),
        TensorBytes(dtype="int8", shape=(1,) * 9, data=b"\0"),
        TensorBytes(dtype="int8", shape=(0, 2**31), data=b""),
        TensorBytes(dtype="int8", shape=(-1, 0), data=b""),
        [TensorBytes(dtype="int8", shape=(0,), data=b"")] * 513,
        ["x" * 90_000] * 20,
    ],
)
def test_what_is_no_value_or_over_a_cap_is_not_sent(value):
    with pytest.raises(WireError):
        wire.dump_value(value)


def nested(depth):
    found = []
    for _ in range(depth):
        found = [found]
    return found


def test_depth_is_capped_on_both_sides():
    assert wire.load_value(wire.dump_value(nested(64))) == nested(64)
    with pytest.raises(WireError, match="deeper"):
        wire.dump_value(nested(65))
    with pytest.raises(WireError, match="deeper"):
        wire.decode_value(nested(65), b"")


def test_a_list_that_contains_itself_is_refused():
    found = []
    found.append(found)

    with pytest.raises(WireError):
        wire.dump_value(found)


def test_long_words_for_an_unsupported_object_are_cut():
    assert wire.load_value(wire.dump_value(Unsupported(kind="x" * 500))) == Unsupported(kind="x" * 300)


def test_words_for_an_unsupported_object_are_fit_to_be_shown():
    assert wire.decode_value({"unsupported": "a `\x1b[31m\x07`"}, b"") == Unsupported(kind="a `\ufffd`")


ONE = {"tensor": 0, "dtype": "int8", "origin": "torch"}
ONE_BODY = pack([TensorBytes(dtype="int8", shape=(1,), data=b"\x05")])


def test_tree_of_one_tensor_is_read():
    assert wire.decode_value(ONE, ONE_BODY) == TensorBytes(dtype="int8", shape=(1,), data=b"\x05")


@pytest.mark.parametrize(
    ("tree", "body"),
    [
        (ONE, b""),
        (None, ONE_BODY),
        ([ONE, ONE], ONE_BODY),
        ({**ONE, "tensor": 1}, ONE_BODY),
        ({**ONE, "tensor": False}, ONE_BODY),
        ({**ONE, "dtype": "float8"}, ONE_BODY),
        ({**ONE, "dtype": ["int8"]}, ONE_BODY),
        ({**ONE, "dtype": "uint8"}, ONE_BODY),
        ({**ONE, "origin": "pickle"}, ONE_BODY),
        ({**ONE, "origin": 3}, ONE_BODY),
        ({"tensor": 0}, ONE_BODY),
        ({**ONE, "more": 1}, ONE_BODY),
        ({}, b""),
        ({"list": []}, b""),
        ({"tuple": []}, b"x"),
        ({"tuple": {}}, b""),
        ({"dict": []}, b""),
        ({"tuple": [], "dict": {}}, b""),
        ({"float": "NaN"}, b""),
        ({"float": 1.0}, b""),
        ({"int": "0x10"}, b""),
        ({"int": ""}, b""),
        ({"int": 5}, b""),
        ({"int": "1_0"}, b""),
        ({"int": "f" * 1025}, b""),
        ({"complex": [1.0]}, b""),
        ({"complex": [1.0, "a"]}, b""),
        ({"complex": [1.0, {"float": "x"}]}, b""),
        ({"complex": 1}, b""),
        ({"unsupported": 1}, b""),
        ({"unsupported": "x" * 301}, b""),
        ({"dict": {"\ud800": 1}}, b""),
        ("\ud800", b""),
        ("x" * 100_001, b""),
        (2**63, b""),
        (math.inf, b""),
        (math.nan, b""),
        ([0] * 50_000, b""),
        (b"bytes", b""),
    ],
)
def test_tree_of_a_wrong_form_is_refused(tree, body):
    with pytest.raises(WireError):
        wire.decode_value(tree, body)


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"\0\0\0",
        b"\0\0\0\x05null",
        b"\xff\xff\xff\xff",
        b"\0\0\0\x04nul]",
        struct.pack(">I", 2**21) + b" " * 2**21,
    ],
)
def test_blob_of_a_wrong_form_is_refused(blob):
    with pytest.raises(WireError):
        wire.load_value(blob)


def packed(header, data=b"") -> bytes:
    """Bytes with a header of our own making."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype="I8", shape=(1,), offsets=(0, 1)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"1234567",
        (2**63).to_bytes(8, "little") + b"{}",
        (2**63 - 1).to_bytes(8, "little"),
        (100).to_bytes(8, "little") + b"{}",
        packed(b" " * (64 * 1024 + 1)),
        packed(b"[]"),
        packed(b"{"),
        packed(b"\xff"),
        packed(b'{"0":{},"0":{}}'),
        packed({}),
        packed({"1": entry()}, b"x"),
        packed({"0": entry(), "1": entry()}, b"x"),
        packed({"__metadata__": {}, "0": entry()}, b"x"),
        packed({"../../0": entry()}, b"x"),
        packed({"0\0": entry()}, b"x"),
        packed({"٠": entry()}, b"x"),
        packed({"0": []}, b"x"),
        packed({"0": {"dtype": "I8", "shape": [1]}}, b"x"),
        packed({"0": {**entry(), "more": 1}}, b"x"),
        packed({"0": entry(dtype="F8_E4M3")}, b"x"),
        packed({"0": entry(dtype="U8")}, b"x"),
        packed({"0": entry(dtype=["I8"])}, b"x"),
        packed({"0": {**entry(), "shape": 1}}, b"x"),
        packed({"0": entry(shape=[-1])}, b"x"),
        packed({"0": entry(shape=[True])}, b"x"),
        packed({"0": entry(shape=[1.0])}, b"x"),
        packed({"0": entry(shape=[1] * 9)}, b"x"),
        packed({"0": entry(shape=[1] * 10)}, b"x"),
        packed({"0": entry(shape=[0, 2**40], offsets=[0, 0])}),
        packed({"0": entry(shape=[0, 2**63], offsets=[0, 0])}),
        packed({"0": entry(shape=[2**31], offsets=[0, 2**31])}),
        packed({"0": entry(offsets=[0, 2])}, b"xx"),
        packed({"0": entry(offsets=[1, 2])}, b"xx"),
        packed({"0": entry(offsets=[1, 0])}, b"x"),
        packed({"0": entry(offsets=[0])}, b"x"),
        packed({"0": entry(offsets=[0, 1, 1])}, b"x"),
        packed({"0": entry(offsets="01")}, b"x"),
        packed({"0": entry()}, b""),
        packed({"0": entry()}, b"xy"),
    ],
)
def test_tensor_bytes_of_a_wrong_form_are_refused(data):
    with pytest.raises(WireError):
        unpack(data, ["int8"])


def test_tensor_bytes_in_good_form_are_read():
    assert unpack(packed({"0": entry()}, b"x"), ["int8"]) == [TensorBytes(dtype="int8", shape=(1,), data=b"x")]


@pytest.mark.parametrize(
    ("second", "data"),
    [(entry(offsets=(0, 1)), b"x"), (entry(offsets=(2, 3)), b"xyz"), (entry(offsets=(0, 1)), b"xy")],
)
def test_overlaps_and_gaps_are_refused(second, data):
    with pytest.raises(WireError, match="overlap|gap|fit"):
        unpack(packed({"0": entry(), "1": second}, data), ["int8", "int8"])


def test_boolean_bytes_are_zero_or_one():
    with pytest.raises(WireError, match="boolean byte"):
        unpack(packed({"0": entry(dtype="BOOL")}, b"\x02"), ["bool"])


def test_two_hundred_thousand_empty_tensors_are_refused_by_their_header():
    header = {str(number): entry(shape=[0], offsets=[0, 0]) for number in range(200_000)}

    with pytest.raises(WireError, match="longer than allowed"):
        unpack(packed(header), ["int8"])


def test_more_tensors_than_the_cap_are_refused():
    with pytest.raises(WireError, match="at most 512"):
        unpack(ONE_BODY, ["int8"] * 513)


def test_unknown_dtype_is_refused_by_name():
    with pytest.raises(WireError, match="expected a dtype of bool, "):
        item_bytes("float8_e4m3fn")


def test_complex128_is_stored_as_pairs():
    tensor = TensorBytes(dtype="complex128", shape=(), data=struct.pack("<2d", 1, 2))
    data = pack([tensor])

    assert b'"dtype":"F64","shape":[2]' in data
    assert unpack(data, ["complex128"]) == [tensor]
    assert unpack(data, ["float64"]) == [TensorBytes(dtype="float64", shape=(2,), data=tensor.data)]


@pytest.mark.parametrize("shape", [[1], [2, 1], []])
def test_complex128_without_pairs_is_refused(shape):
    size = 8 * math.prod(shape)
    with pytest.raises(WireError, match="last dimension of 2"):
        unpack(packed({"0": entry(dtype="F64", shape=shape, offsets=[0, size])}, bytes(size)), ["complex128"])


def test_header_over_the_cap_is_not_written():
    wide = TensorBytes(dtype="int8", shape=(0, *[2**31 - 1] * 7), data=b"")

    with pytest.raises(WireError, match="names and shapes"):
        pack([wide] * 512)


def test_stock_loader_reads_what_we_write():
    torch = pytest.importorskip("safetensors.torch")
    data = pack(
        [
            TensorBytes(dtype="float32", shape=(2, 1), data=struct.pack("<2f", 1, 2)),
            TensorBytes(dtype="bool", shape=(), data=b"\x01"),
        ]
    )

    loaded = torch.load(data)

    assert loaded["0"].tolist() == [[1.0], [2.0]]
    assert loaded["1"].item() is True
