"""Usual and unusual but honest code: it runs, and where something works differently here a note says so."""

import subprocess
import sys

import pytest

from tests.worker.sandbox.driving import ROOT, WarmChild
from worker.sandbox.job import Call


def test_child_loads_neither_the_site_nor_the_graders():
    code = (
        "import sys, worker.sandbox.child\n"
        "roots = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(roots & {'django', 'celery', 'exercises', 'graders', 'quizsite', 'redis'}))\n"
        "print(sorted(name for name in sys.modules if name.startswith('worker.') and 'sandbox' not in name))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env={})

    assert done.stdout == "[]\n[]\n"


@pytest.mark.parametrize("module", ["wire", "job"])
def test_trusted_side_loads_no_torch(module):
    code = f"import sys, worker.sandbox.{module}\nprint(sorted({{'torch', 'numpy'}} & set(sys.modules)))\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env={})

    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "use",
    [
        "@torch.compile\ndef f(x):\n    return x + 1\n",
        "@torch.compile(fullgraph=True)\ndef f(x):\n    return x + 1\n",
        "f = torch.compile(lambda x: x + 1, mode='reduce-overhead')\n",
        "f = torch.nn.Linear(1, 1)\nf.compile()\nf = (lambda x: x + 1)\n",
    ],
)
def test_torch_compile_runs_eagerly_and_says_so_once(child: WarmChild, use):
    ran = child.call("import torch\n" + use + "torch.compile(lambda: 1)\n", 1)

    assert ran.value == 2
    assert ran.errors == "note: torch.compile runs eagerly here; results are the same, only the speed-up is missing\n"


def test_data_loader_with_workers_reads_in_the_process_and_says_so(child: WarmChild):
    source = """
import torch
from torch.utils.data import DataLoader, TensorDataset
def f(workers):
    data = TensorDataset(torch.arange(6))
    loader = DataLoader(data, 2, False, num_workers=workers, **({"persistent_workers": True} if workers else {}))
    return [batch.tolist() for (batch,) in loader], loader.num_workers
"""
    with_workers, without = child.call(source, 2), child.call(source, 0)

    assert with_workers.value == without.value == ([[0, 1], [2, 3], [4, 5]], 0)
    assert "num_workers=0" in with_workers.errors
    assert without.errors == ""


def test_data_loader_with_wrong_arguments_raises_as_ever(child: WarmChild):
    error = child.call("from torch.utils.data import DataLoader\ndef f():\n    DataLoader([], colour=1)\n").error

    assert error.type == "TypeError"
    assert "colour" in error.message


def test_source_is_findable_for_script_trace_and_inspect(child: WarmChild):
    source = """
from __future__ import annotations
import dataclasses, inspect, pickle, typing
import torch, torch.fx

@torch.jit.script
def scripted(x):
    return x + 1

@dataclasses.dataclass
class Pair:
    a: int

def traced(x):
    return x * 2

def f():
    x = torch.ones(2)
    pair = pickle.loads(pickle.dumps(Pair(3)))
    hints = typing.get_type_hints(Pair)
    graph = torch.fx.symbolic_trace(traced)
    total = torch.func.vmap(torch.func.grad(lambda y: (y * y).sum()))(x)
    return scripted(x), graph(x), total, pair.a, hints["a"].__name__, inspect.getsource(traced)
"""
    ran = child.call(source)

    scripted, graph, total, number, hint, text = ran.value
    assert (scripted.shape, graph.shape, total.shape, number, hint) == ((2,), (2,), (2,), 3, "int")
    assert text == "def traced(x):\n    return x * 2\n"


def test_scripts_can_pickle_their_classes(child: WarmChild):
    source = "import pickle\nclass A:\n    x = 4\nb = pickle.loads(pickle.dumps(A())).x\n"

    assert child.script(source, "b").value == {"b": 4}


def test_training_and_garbage_collection_work(child: WarmChild):
    source = """
import gc, sys, torch
def f():
    sys.setrecursionlimit(5000)
    def deep(n):
        return deep(n - 1) if n else 0
    deep(2000)
    model = torch.nn.Linear(2, 1)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    x = torch.ones(4, 2)
    losses = []
    for _ in range(20):
        optimiser.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        gc.collect(0)
    return losses[-1] < losses[0], model.state_dict()
"""
    improved, state = child.call(source).value

    assert improved is True
    assert list(state) == ["weight", "bias"]


def test_settings_of_one_run_do_not_reach_the_next(child: WarmChild):
    source = """
import torch, sys
def f():
    before = (str(torch.get_default_dtype()), torch.are_deterministic_algorithms_enabled(), hasattr(torch, "marker"))
    torch.set_default_dtype(torch.float64)
    torch.use_deterministic_algorithms(True)
    torch.marker = 1
    sys.path.append("/nowhere")
    return before
"""
    assert [child.call(source).value for _ in range(2)] == [("torch.float32", False, False)] * 2


def test_ten_calls_of_a_large_table_are_served(child: WarmChild):
    source = f"TABLE = {list(range(20_000))}\ndef f(n):\n    return TABLE[n]\n"
    calls = [Call(name=str(n), visible=n < 5, args=(n,)) for n in range(10)]

    ran = child.calls(source, *calls)

    assert [result.value for result in ran.results.values()] == list(range(10))
