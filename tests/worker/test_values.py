import struct

from graders import arrays
from tests.worker.stub_runner import vector
from worker.sandbox.job import TensorBytes, Unsupported
from worker.values import graders_value, shown


def test_graders_value_keeps_structure():
    value = {"a": [vector(1, 2), (1, "x", None)], "b": Unsupported(kind="a module")}

    converted = graders_value(value)

    assert isinstance(converted["a"], list)
    assert converted["a"][0].values.tolist() == [1, 2]
    assert converted["a"][1] == (1, "x", None)
    assert converted["b"] == arrays.Unsupported(kind="a module")


def test_shown_tensor_has_nested_values():
    matrix = TensorBytes(dtype="float32", shape=(1, 2), data=struct.pack("<2f", 1.5, float("inf")))

    assert shown(matrix) == {"dtype": "float32", "shape": [1, 2], "values": [[1.5, "inf"]]}


def test_shown_large_tensor_has_no_values():
    large = TensorBytes(dtype="bool", shape=(1025,), data=bytes(1025))

    assert shown(large) == {"dtype": "bool", "shape": [1025], "values": None}


def test_shown_value_is_json():
    value = {"a": (1, 2.5, float("nan"), 1j, None, "x"), "b": Unsupported(kind="a generator")}

    assert shown(value) == {"a": [1, 2.5, "nan", "1j", None, "x"], "b": "a generator"}


def test_shown_unknown_dtype_is_named():
    assert shown(TensorBytes(dtype="float8", shape=(1,), data=b"x")) == "a tensor of dtype float8"
