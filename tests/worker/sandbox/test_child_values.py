"""What a student's function returns: values, objects that lie about themselves, what is no value, sizes."""

import math
import struct

import pytest

from tests.worker.sandbox.driving import WarmChild, floats
from worker.sandbox.job import TensorBytes, Unsupported


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("None", None),
        ("True", True),
        ("2**70", 2**70),
        ("-0.0", -0.0),
        ("float('inf')", math.inf),
        ("1 + 2j", 1 + 2j),
        ("'héé'", "héé"),
        ("'\\ud800'", "?"),
        ("[1, (2.5, 'a'), {'b': None}]", [1, (2.5, "a"), {"b": None}]),
        ("torch.Size([1, 2])", (1, 2)),
        ("collections.OrderedDict(a=1)", {"a": 1}),
        ("Point(1, 2)", (1, 2)),
        ("Colour.RED", 1),
        ("MyFloat(-0.0)", -0.0),
        ("MyText('a')", "a"),
        ("torch.tensor(3.)", floats(3, shape=())),
        ("torch.nn.Parameter(torch.ones(1))", floats(1)),
        ("torch.ones(2, requires_grad=True) * 2", floats(2, 2)),
        ("torch.arange(6.).reshape(2, 3).T", floats(0, 3, 1, 4, 2, 5, shape=(3, 2))),
        ("torch.arange(6.)[::2]", floats(0, 2, 4)),
        ("torch.tensor([1+2j]).conj()", TensorBytes(dtype="complex64", shape=(1,), data=struct.pack("<2f", 1, -2))),
        ("torch.tensor([1+2j]).conj().imag", floats(-2)),
        (
            "torch.tensor([1+2j], dtype=torch.complex128)",
            TensorBytes(dtype="complex128", shape=(1,), data=struct.pack("<2d", 1, 2)),
        ),
        ("torch.tensor([1.5], dtype=torch.bfloat16)", TensorBytes(dtype="bfloat16", shape=(1,), data=b"\xc0\x3f")),
        ("torch.tensor([1.5]).half()", TensorBytes(dtype="float16", shape=(1,), data=b"\x00\x3e")),
        ("torch.tensor([2**64 - 1], dtype=torch.uint64)", TensorBytes(dtype="uint64", shape=(1,), data=b"\xff" * 8)),
        ("torch.tensor([True, False])", TensorBytes(dtype="bool", shape=(2,), data=b"\x01\x00")),
        (
            "torch.tensor([2, 0], dtype=torch.uint8).view(torch.bool)",
            TensorBytes(dtype="bool", shape=(2,), data=b"\x01\x00"),
        ),
        ("torch.empty(0, 3)", TensorBytes(dtype="float32", shape=(0, 3), data=b"")),
        (
            "np.array([1.0, 2.0], dtype='f4')",
            TensorBytes(dtype="float32", shape=(2,), data=struct.pack("<2f", 1, 2), origin="numpy"),
        ),
        (
            "np.array([1.0], dtype='>f4')",
            TensorBytes(dtype="float32", shape=(1,), data=struct.pack("<f", 1), origin="numpy"),
        ),
        (
            "np.arange(4, dtype='i2')[::2]",
            TensorBytes(dtype="int16", shape=(2,), data=struct.pack("<2h", 0, 2), origin="numpy"),
        ),
        ("np.float64(2.5)", TensorBytes(dtype="float64", shape=(), data=struct.pack("<d", 2.5), origin="numpy")),
        ("np.bool_(True)", TensorBytes(dtype="bool", shape=(), data=b"\x01", origin="numpy")),
        (
            "np.ma.masked_array([1.0], mask=[True])",
            TensorBytes(dtype="float64", shape=(1,), data=struct.pack("<d", 1), origin="numpy"),
        ),
    ],
)
def test_value_arrives(child: WarmChild, expression, value):
    ran = child.call(PRELUDE + f"def f():\n    return {expression}\n")

    assert repr(ran.value) == repr(value)


PRELUDE = """
import collections, enum, types
import numpy as np, torch
Point = collections.namedtuple("Point", "x y")
class Colour(enum.IntEnum):
    RED = 1
class MyFloat(float):
    def __float__(self): return 7.0
class MyText(str):
    def __str__(self): return "other"
class Thing: pass
class Hostile(Thing):
    def __getattribute__(self, name): raise RuntimeError("no")
class Meta(type):
    def __getattribute__(cls, name): raise RuntimeError("no")
class Odd(metaclass=Meta): pass
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *args, **kwargs): raise RuntimeError("no")
    shape = property(lambda self: 1 / 0)
    def detach(self): raise RuntimeError("no")
class Dispatcher(torch.Tensor):
    @classmethod
    def __torch_dispatch__(cls, *args, **kwargs): raise RuntimeError("no")
class Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls): return torch.Tensor._make_wrapper_subclass(cls, (3,))
    @classmethod
    def __torch_dispatch__(cls, *args, **kwargs): raise RuntimeError("no")
class LyingDict(dict):
    def items(self): raise RuntimeError("no")
    def keys(self): return ["b"]
class LyingList(list):
    def __iter__(self):
        while True: yield 1
def deep(n):
    found = []
    for _ in range(n): found = [found]
    return found
def own():
    found = []
    found.append(found)
    return found
def bush():
    found = []
    found += [found, found, found]
    return found
async def coroutine(): pass
def generator(): yield 1
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("torch.arange(2.).as_subclass(Liar)", floats(0, 1)),
        ("torch.Tensor._make_subclass(Dispatcher, torch.arange(2.))", floats(0, 1)),
        ("LyingDict(a=1)", {"a": 1}),
        ("LyingList([2])", [2]),
    ],
)
def test_lying_objects_are_read_through_their_base_class(child: WarmChild, expression, value):
    assert child.call(PRELUDE + f"def f():\n    return {expression}\n").value == value


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("(x for x in [1])", "a generator"),
        ("coroutine()", "a coroutine (an `async` function was called without `await`)"),
        ("map(str, [1])", "an iterator (`map`)"),
        ("iter(int, 1)", "an iterator (`callable_iterator`)"),
        ("math_module", "an imported module"),
        ("deep", "a function"),
        ("Thing", "a class"),
        ("Thing()", "an object of class `Thing`"),
        ("Hostile()", "an object of class `Hostile`"),
        ("Odd()", "an object of class `Odd`"),
        ("...", "Ellipsis (`...`)"),
        ("{1, 2}", "a set"),
        ("b'x'", "bytes"),
        ("range(3)", "a range"),
        ("torch.float32", "a dtype"),
        ("torch.device('cpu')", "a device"),
        ("torch.nn.Linear(1, 1)", "a module object of class `Linear` (not what it computes)"),
        ("{1: 2}", "a dictionary with a key of type `int` (keys must be strings)"),
        ("{None: 2}", "a dictionary with a key of type `NoneType` (keys must be strings)"),
        ("deep(10_000)", "a container nested deeper than 64 levels, or one that contains itself"),
        ("own()", "a container nested deeper than 64 levels, or one that contains itself"),
        ("[0] * 60_000", "a value of more than 50,000 parts"),
        ("'x' * 200_000", "text of 200,000 characters (at most 100,000 can be returned)"),
        ("1 << 5000", "an integer of 5,001 bits (at most 4096 can be returned)"),
        ("torch.eye(2).to_sparse()", "a sparse tensor (torch.sparse_coo); a dense one is expected"),
        ("torch.empty(2, device='meta')", "a tensor on the device 'meta', which holds no data here"),
        ("torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8)", "a quantised tensor"),
        ("torch.nested.nested_tensor([torch.ones(1), torch.ones(2)])", "a nested tensor"),
        ("torch.ones(2).to(torch.float8_e4m3fn)", "a tensor of dtype torch.float8_e4m3fn"),
        ("torch.ones([1] * 9)", "a tensor of 9 dimensions (at most 8 can be returned)"),
        ("np.array(['a'])", "a numpy array of dtype <U1"),
        ("np.array([object()])", "a numpy array of dtype object"),
        ("np.datetime64('2020')", "a numpy array of dtype datetime64[Y]"),
    ],
)
def test_what_is_no_value_is_named(child: WarmChild, expression, kind):
    ran = child.call(PRELUDE + f"import math as math_module\ndef f():\n    return {expression}\n")

    assert ran.value == Unsupported(kind=kind)


@pytest.mark.parametrize(
    "expression",
    [
        "torch.ones(1).expand(1_000_000, 1_000_000)",
        "torch.empty(0, 2**40)",
        "torch.zeros(5_000_000)",
        "np.broadcast_to(np.ones(1), (10**6, 10**6))",
    ],
)
def test_size_is_checked_before_anything_is_copied(child: WarmChild, expression):
    ran = child.call(PRELUDE + f"def f():\n    return {expression}\n")

    assert "too large: all of a result may take 16,777,216 bytes" in ran.value.kind


def test_sizes_of_one_result_add_up(child: WarmChild):
    ran = child.call("import torch\ndef f():\n    return [torch.zeros(3_000_000), torch.zeros(3_000_000)]\n")

    assert isinstance(ran.value[0], TensorBytes)
    assert "too large" in ran.value[1].kind


@pytest.mark.parametrize(
    "expression",
    ["bush()", "[torch.ones(1)] * 513", "['x' * 90_000] * 20", "Wrapper()", "[torch.empty(0)] * 512 + [1]"],
)
def test_odd_results_end_as_a_value(child: WarmChild, expression):
    ran = child.call(PRELUDE + f"def f():\n    return {expression}\n")

    assert ran.kinds == ["loaded", "result", "ended"]
    assert isinstance(ran.value, Unsupported | list)


def test_wrapper_without_data_is_no_value(child: WarmChild):
    source = (
        PRELUDE
        + """
def f():
    hollow = torch.ones(2)
    hollow.untyped_storage().resize_(0)
    return [Wrapper(), hollow]
"""
    )
    assert child.call(source).value == [Unsupported(kind="a tensor without data of its own")] * 2
