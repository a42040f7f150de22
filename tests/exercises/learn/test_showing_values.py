import math

import pytest

from exercises.learn.feedback import with_code
from exercises.learn.shown import argument_names
from exercises.learn.values import form_of, number_text, text_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (True, "True"),
        (None, "None"),
        ("a'b", '"a\'b"'),
        (0.123456, "0.1235"),
        (123456789, "123456789"),
        (1.0, "1"),
        ({"a": 1, "b": [2, 3]}, "{'a': 1,\n 'b': (2,\n       3)}"),
        ({"dtype": "int64", "shape": [2, 2], "values": [[1, -2], [30, 4]]}, "[[ 1, -2],\n [30,  4]]"),
        ({"dtype": "int64", "shape": [], "values": 7}, "7"),
        ({"dtype": "int64", "shape": [0], "values": []}, "[]"),
        ({"dtype": "int64", "shape": [2, 1, 1], "values": [[[1]], [[2]]]}, "[[[1]],\n\n [[2]]]"),
        ({"dtype": "float32", "shape": [9000], "values": None}, "(too large to show: float32 [9000])"),
    ],
)
def test_value_reads_like_code(value, text):
    assert text_of(value) == text


def test_long_text_is_cut():
    assert len(text_of("x" * 100_000)) < 21_000


def test_nan_is_named():
    assert number_text(math.nan) == "NaN"


def test_form_is_told_of_tensors_alone():
    assert form_of({"dtype": "int64", "shape": [2], "values": [1, 2]}) == "int64 [2]"
    assert form_of([1]) == ""


@pytest.mark.parametrize(
    ("starter", "names"),
    [
        ("def f(query, key: Tensor, *, scale=1.0):\n    ...", ["query", "key", "scale"]),
        ("def f(\n    a,\n    b,\n):\n    ...", ["a", "b"]),
        ("def g(a):\n    ...", []),
        ("", []),
    ],
)
def test_names_of_arguments_come_from_the_starting_code(starter, names):
    assert argument_names(starter, "f") == names


def test_words_between_backticks_are_code_and_the_rest_is_text():
    assert with_code("`<x>` is <y>") == "<code>&lt;x&gt;</code> is &lt;y&gt;"
