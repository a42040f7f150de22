"""Scripts and free runs: variables collected, what the run left, earlier snippets run silently."""

import struct

import pytest

from tests.worker.sandbox.driving import WarmChild
from worker.sandbox.job import Limits, TensorBytes, Unsupported


def test_variables_are_collected_and_missing_ones_left_out(child: WarmChild):
    ran = child.script("a = 1\nb = [2.5]\nc = 'hidden'\n", "b", "a", "missing")

    assert ran.kinds == ["loaded", "result", "ended"]
    assert ran.value == {"b": [2.5], "a": 1}


def test_variables_share_one_cap(child: WarmChild):
    source = "import torch\na = torch.ones(10)\nb = torch.ones(100)\n"
    ran = child.script(source, "a", "b", limits=Limits(result_bytes=64))

    assert ran.value["a"].shape == (10,)
    assert "too large" in ran.value["b"].kind


def test_a_bottomless_variable_makes_all_of_them_unsupported(child: WarmChild):
    ran = child.script("a = 1\nb = []\nb.append(b)\n", "a", "b")

    assert {name: type(value) for name, value in ran.value.items()} == {"a": Unsupported, "b": Unsupported}


def test_script_is_the_main_program(child: WarmChild):
    source = "import sys\nran = False\nif __name__ == '__main__':\n    ran = True\narguments = len(sys.argv)\n"

    assert child.script(source, "ran", "arguments").value == {"ran": True, "arguments": 1}


def test_guarded_block_of_a_called_submission_does_not_run(child: WarmChild):
    source = "def f():\n    return __name__\nif __name__ == '__main__':\n    raise SystemExit\n"

    assert child.call(source).value == "solution"


@pytest.mark.parametrize("ending", ["import sys\nsys.exit()", "raise SystemExit(0)", "exit(None)"])
def test_script_may_end_itself_without_an_error(child: WarmChild, ending):
    assert child.script(f"a = 1\n{ending}\na = 2\n", "a").value == {"a": 1}


def test_script_that_raises_is_an_error_of_its_result(child: WarmChild):
    ran = child.script("a = 1\n1 / 0\n", "a")

    assert ran.load_error is None
    assert (ran.error.type, ran.error.line) == ("ZeroDivisionError", 2)
    assert '"script.py", line 2' in ran.error.traceback


@pytest.mark.parametrize("inspect", [False, True])
def test_script_that_does_not_compile_is_a_load_error(child: WarmChild, inspect):
    ran = child.script("a = (\n", inspect=inspect)

    assert ran.kinds[0] == "load_error"
    assert ran.load_error.message == "'(' was never closed"


def test_earlier_snippets_run_silently_in_the_same_namespace(child: WarmChild):
    before = (
        "import sys\nassert sys.stdout.writable()\nprint('quiet')\nprint('quiet', file=sys.stderr)\na = 2\n",
        "def double(x):\n    return a * x\n",
    )
    ran = child.script("print(double(4))\n", before=before)

    assert (ran.printed, ran.errors) == ("8\n", "")
    assert ran.value is None


def test_earlier_snippet_that_fails_is_a_load_error(child: WarmChild):
    ran = child.script("a = 1\n", before=("b = 1\n", "1 / 0\n"))

    assert ran.load_error.type == "ZeroDivisionError"
    assert 'File "snippet_2.py", line 1' in ran.load_error.traceback
    assert ran.load_error.line is None


def test_line_is_of_the_students_own_file(child: WarmChild):
    ran = child.script("\n\nfail()\n", before=("def fail():\n    1 / 0\n",))

    assert ran.error.line == 3
    assert 'File "snippet_1.py", line 2, in fail' in ran.error.traceback


def inspected(child: WarmChild, source: str, **fields):
    return child.script(source, inspect=True, **fields)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("1 + 1", "2"),
        ("a = 3", None),
        ("print('x')", None),
        ("", None),
        ("# nothing\n", None),
        ("import torch\ntorch.arange(3)\n", "tensor([0, 1, 2])"),
        ("class Mute:\n    def __repr__(self): raise SystemExit\nMute()\n", "(a value that cannot be shown)"),
        ("from __future__ import annotations\ndef f(x: y): pass\nf.__annotations__['x']\n", "'y'"),
        ("'a' * 50_000", "'" + "a" * 19_998 + "…"),
    ],
)
def test_value_of_the_last_expression_is_shown(child: WarmChild, source, text):
    ran = inspected(child, source)

    assert ran.kinds == ["loaded", "result", "inspection", "ended"]
    assert ran.value_text == text


def test_last_value_leaves_no_name(child: WarmChild):
    assert inspected(child, "1\nsorted(n for n in globals() if ' ' in n)\n").value_text == "[]"


def test_tensors_left_are_summarised(child: WarmChild):
    source = """
import torch
weights = torch.tensor([[0.0, 0.5], [1.0, float("inf")]], requires_grad=True)
count = torch.tensor(7)
mask = torch.tensor([True, False])
spectrum = torch.tensor([1 + 2j])
empty = torch.empty(0, 3)
none = torch.empty(0, 3, 3)
big = torch.arange(1000.0).reshape(10, 10, 10)
huge = torch.ones(1).expand(10**6, 10**6)
sparse = torch.eye(2).to_sparse()
_private = torch.ones(1)
number = 3
"""
    tensors = {tensor.name: tensor for tensor in inspected(child, source).tensors}

    assert list(tensors) == ["weights", "count", "mask", "spectrum", "empty", "none", "big", "huge", "sparse"]
    weights = tensors["weights"]
    assert (weights.dtype, weights.shape, weights.min, weights.max) == ("float32", (2, 2), 0.0, float("inf"))
    assert weights.preview == [[0.0, 0.5], [1.0, float("inf")]]
    assert (tensors["count"].shape, tensors["count"].mean, tensors["count"].preview) == ((), 7.0, 7)
    assert (tensors["mask"].mean, tensors["mask"].preview) == (0.5, [True, False])
    assert (tensors["spectrum"].min, tensors["spectrum"].preview) == (None, ["(1+2j)"])
    assert (tensors["empty"].min, tensors["empty"].preview, tensors["none"].preview) == (None, [], [])
    assert [[len(row) for row in matrix] for matrix in tensors["big"].preview] == [[10] * 10] * 10
    assert tensors["big"].preview[1][2][3] == 123.0
    assert (tensors["huge"].min, tensors["huge"].shape) == (None, (10**6, 10**6))
    assert [len(row) for row in tensors["huge"].preview] == [32] * 32
    assert (tensors["sparse"].dtype, tensors["sparse"].preview) == ("float32", None)


def test_tensors_of_earlier_snippets_are_listed_only_when_replaced(child: WarmChild):
    before = ("import torch\nold = torch.ones(1)\nkept = torch.ones(1)\n",)
    tensors = inspected(child, "old = old + 1\nnew = kept * 3\n", before=before).tensors

    assert [tensor.name for tensor in tensors] == ["old", "new"]


@pytest.mark.parametrize(
    ("shape", "shown"),
    [
        ("5000", (1024,)),
        ("4, 5", (4, 5)),
        ("40, 3", (32, 3)),
        ("2, 3, 40, 50", (1, 1, 32, 32)),
        ("7, 8, 8, 8", (2, 8, 8, 8)),
        ("9, 1, 1, 1, 1, 1, 1, 1, 1", (1, 1, 1, 1, 1, 1, 1, 1)),
        ("1000000, 4, 0", (0,)),
    ],
)
def test_preview_is_cut_to_slices_of_at_most_32_rows_and_columns(child: WarmChild, shape, shown):
    [tensor] = inspected(child, f"import torch\nx = torch.empty({shape})\n").tensors

    sizes, inner = [], tensor.preview
    while isinstance(inner, list):
        sizes.append(len(inner))
        inner = inner[0] if inner else None
    assert tuple(sizes) == shown


def test_many_large_tensors_share_what_may_be_shown(child: WarmChild):
    source = (
        "import torch\nfor number in range(50):\n    globals()[f'x{number}'] = torch.full((9999,), 1 / 3 + 1j / 3)\n"
    )
    tensors = inspected(child, source).tensors

    assert [len(tensor.preview) for tensor in tensors] == [1024] * 12 + [64] * 38


def test_last_value_that_no_name_holds_is_summarised(child: WarmChild):
    held = inspected(child, "import torch\nx = torch.ones(2)\nx\n").tensors
    new = inspected(child, "import torch\nx = torch.ones(2)\nx + 1\n").tensors

    assert [tensor.name for tensor in held] == ["x"]
    assert [(tensor.name, tensor.preview) for tensor in new] == [("last value", [2.0, 2.0]), ("x", [1.0, 1.0])]


def test_at_most_fifty_tensors_are_listed(child: WarmChild):
    source = "import torch\nfor number in range(60):\n    globals()[f'x{number}'] = torch.ones(1)\n"

    assert len(inspected(child, source).tensors) == 50


def test_hostile_tensors_are_left_out_or_read_plainly(child: WarmChild):
    source = """
import torch
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *args, **kwargs): raise RuntimeError("no")
class Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls): return torch.Tensor._make_wrapper_subclass(cls, (3,))
    @classmethod
    def __torch_dispatch__(cls, *args, **kwargs): raise RuntimeError("no")
liar = torch.ones(2).as_subclass(Liar)
wrapper = Wrapper()
hollow = torch.ones(2)
hollow.untyped_storage().resize_(0)
"""
    tensors = {tensor.name: tensor for tensor in inspected(child, source).tensors}

    assert tensors["liar"].preview == [1.0, 1.0]
    assert (tensors["wrapper"].shape, tensors["wrapper"].preview) == ((3,), None)


def test_tensors_left_by_a_run_that_raised_are_shown(child: WarmChild):
    ran = inspected(child, "import torch\nx = torch.ones(2)\n1 / 0\n")

    assert ran.error.type == "ZeroDivisionError"
    assert (ran.value_text, [tensor.name for tensor in ran.tensors]) == (None, ["x"])


def test_names_that_are_no_text_do_not_end_the_run(child: WarmChild):
    ran = inspected(child, "import torch\nglobals()[5] = torch.ones(1)\nx = torch.ones(1)\n")

    assert [tensor.name for tensor in ran.tensors] == ["x"]


CASES = """
import torch
def visible():
    return [{"name": "small", "args": [torch.tensor([1.0]), 2]}]
def hidden(generator):
    x = torch.rand(1, generator=generator)
    return [{"name": "a batch", "args": (x,), "kwargs": {"k": torch.rand(1)}, "points": 2}]
"""


def test_cases_of_an_author_arrive_with_their_defaults(child: WarmChild):
    ran = child.cases(CASES, 1, 2, 1)

    visible, first, second, again = (ran.results[index].value for index in range(4))
    one = TensorBytes(dtype="float32", shape=(1,), data=struct.pack("<f", 1))
    assert visible == [{"name": "small", "args": [one, 2], "kwargs": {}, "points": 1, "init": None, "state": None}]
    assert first == again
    assert first != second
    assert first[0]["points"] == 2


def test_cases_without_seeds_need_no_hidden_function(child: WarmChild):
    assert child.cases("def visible():\n    return []\n").value == []


@pytest.mark.parametrize("source", ["", "visible = 1\n", "def visible(): return []\n"])
def test_cases_without_their_functions_are_a_load_error(child: WarmChild, source):
    ran = child.cases(source, 1)

    assert "Expected: functions `visible()` and `hidden(generator)`." in ran.load_error.message


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ("None", "visible() returned NoneType; expected a list of cases"),
        ("iter([])", "visible() returned an iterator (`list_iterator`); expected a list of cases"),
        ("[1]", "visible()[0] is no dictionary; expected one with name, args, kwargs, points, init, state"),
        ("[{}]", "visible()[0] has no name"),
        ("[{'name': 'a', 'arg': 1}]", "visible()[0] has the unknown field 'arg'"),
        ("[{'name': 1}]", "visible()[0].name must be text"),
        ("[{'name': 'a', 'args': 1}]", "visible()[0].args must be a list"),
        ("[{'name': 'a', 'kwargs': []}]", "visible()[0].kwargs must be a dictionary"),
        ("[{'name': 'a', 'points': True}]", "visible()[0].points must be a number"),
        ("[{'name': 'a', 'points': -1}]", "visible()[0].points must be a number from 0"),
        ("[{'name': 'a', 'points': float('nan')}]", "visible()[0].points must be a number from 0"),
        ("[{'name': 'a', 'init': {'arg': 1}}]", "visible()[0].init has the unknown field 'arg'"),
        ("[{'name': 'a', 'init': {'args': 1}}]", "visible()[0].init.args must be a list"),
        ("[{'name': 'a', 'args': [{'k': ({1},)}]}]", "visible()[0].args[0].k[0] is a set; expected tensors"),
    ],
)
def test_a_case_of_a_wrong_form_is_named_by_place(child: WarmChild, returned, words):
    error = child.cases(f"def visible():\n    return {returned}\n").error

    assert error.type == "CaseError"
    assert error.message.startswith(words)


def test_cases_that_raise_tell_the_authors_line(child: WarmChild):
    ran = child.cases("def visible():\n    return []\ndef hidden(generator):\n    1 / 0\n", 5)

    assert ran.results[0].value == []
    assert (ran.results[1].error.type, ran.results[1].error.line) == ("ZeroDivisionError", 4)


def test_cases_that_do_not_compile_are_a_load_error(child: WarmChild):
    assert child.cases("def visible(:\n").load_error.type == "SyntaxError"
