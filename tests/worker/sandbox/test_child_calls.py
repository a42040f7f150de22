"""A child that calls a student's function: fresh inputs, state between calls, printed text, random numbers."""

import struct

import torch

from tests.worker.sandbox.driving import WarmChild, floats
from worker.sandbox.job import Call, TensorBytes

X = floats(1, 2, 3, 4, shape=(2, 2))


def test_function_returns_a_tensor(child: WarmChild):
    ran = child.call("def f(x):\n    return x * 2\n", X)

    assert ran.kinds == ["loaded", "result", "ended"]
    assert ran.value == floats(2, 4, 6, 8, shape=(2, 2))
    assert ran.status == 0


def test_each_call_gets_fresh_inputs(child: WarmChild):
    source = "def f(x):\n    x.zero_()\n    return x\n"
    ran = child.calls(source, *(Call(name=str(number), visible=True, args=(X,)) for number in range(2)))

    assert [result.value for result in ran.results.values()] == [floats(0, 0, 0, 0, shape=(2, 2))] * 2


def test_state_between_calls_is_kept(child: WarmChild):
    source = "seen = []\ndef f():\n    seen.append(1)\n    return len(seen)\n"
    ran = child.calls(source, *(Call(name=str(number), visible=number < 1) for number in range(3)))

    assert [result.value for result in ran.results.values()] == [1, 2, 3]


def test_modes_and_defaults_of_the_student_reach_neither_inputs_nor_results(child: WarmChild):
    source = """
import sys, torch
from torch.utils._python_dispatch import TorchDispatchMode
class Mode(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        raise RuntimeError("no")
def f(x):
    torch.set_default_device("meta")
    torch.set_default_dtype(torch.float64)
    sys.setrecursionlimit(60)
    Mode().__enter__()
    return x
"""
    ran = child.calls(source, *(Call(name=str(number), visible=True, args=(X,)) for number in range(2)))

    assert [result.value for result in ran.results.values()] == [X, X]


def test_patched_torch_meets_the_student_alone(child: WarmChild):
    source = """
import json, os, struct, torch
torch.Tensor.detach = torch.Tensor.contiguous = torch.Tensor.numpy = torch.frombuffer = None
json.dumps = os.write = os.read = os._exit = struct.pack = None
def f(x):
    return x + 1
"""
    assert child.call(source, floats(1)).value == floats(2)


def test_inputs_of_every_kind_arrive(child: WarmChild):
    source = "def f(*args, **kwargs):\n    return list(args), kwargs\n"
    args = (
        X,
        1,
        -0.0,
        "a",
        None,
        [floats(1)],
        (2,),
        {"k": floats(3)},
        TensorBytes(dtype="bool", shape=(0, 2), data=b""),
    )
    numpy_input = TensorBytes(dtype="int64", shape=(1,), data=struct.pack("<q", 5), origin="numpy")

    ran = child.call(source, *args, extra=numpy_input)

    assert repr(ran.value) == repr((list(args), {"extra": numpy_input}))


def test_inputs_own_their_memory(child: WarmChild):
    source = "def f(x):\n    x.resize_(4)\n    return x.shape[0], x.is_leaf, x.requires_grad\n"

    assert child.call(source, floats(1)).value == (4, True, False)


def test_printed_text_arrives_before_the_result_and_needs_no_flush(child: WarmChild):
    source = (
        "import sys\nprint('loaded 🎉', end='')\ndef f():\n    print('called', file=sys.stderr, end='')\n    return 1\n"
    )

    ran = child.call(source)

    assert (ran.printed, ran.errors) == ("loaded 🎉", "called")


def test_printed_half_surrogates_do_not_raise(child: WarmChild):
    assert child.call("def f():\n    print('\\ud800')\n    return 1\n").printed == "\\ud800\n"


def test_random_numbers_follow_the_seed(child: WarmChild):
    source = """
import random, torch, numpy as np
def f():
    return random.random(), torch.rand(2), float(np.random.rand())
"""
    call = Call(name="a", visible=True)

    first, again, other = (child.calls(source, call, seed=seed).value for seed in (3, 3, 2**63 - 1))

    assert first == again
    assert first != other
    torch.manual_seed(3)
    assert first[1].data == torch.rand(2).numpy().tobytes()


def test_two_threads_are_given_and_used(child: WarmChild):
    source = """
import torch
def f():
    torch.set_num_threads(2)
    x = torch.rand(400, 400)
    return torch.get_num_threads(), (x @ x).shape[0]
"""
    assert child.call(source).value == (2, 400)


def test_entry_in_another_module_and_callable_objects_are_allowed(child: WarmChild):
    assert child.call("from torch import relu as f\n", floats(-1)).value == floats(0)
    assert child.call("import functools\nf = functools.partial(pow, 2)\n", 3).value == 8
