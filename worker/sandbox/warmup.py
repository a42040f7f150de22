"""What the warm program loads and runs once, so that no run pays for it. One thread throughout.

The list comes from lazy imports that were measured in runs: a first optimiser step costs a second where it is missing.
"""

from __future__ import annotations

import copy
import importlib
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils import data

_OFTEN_USED = (
    "collections.abc", "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "io", "json", "math", "operator", "pathlib", "pickle", "pprint", "queue",
    "random", "re", "statistics", "string", "tempfile", "textwrap", "threading", "time", "traceback", "typing",
    "unittest", "uuid", "asyncio", "einops", "numpy.fft", "numpy.linalg", "numpy.random", "numpy.testing",
    "torch.autograd.functional", "torch.distributions", "torch.fft", "torch.func", "torch.fx", "torch.jit",
    "torch.linalg", "torch.nn.utils.parametrize", "torch.nn.utils.rnn", "torch.optim.lr_scheduler",
    "torch.special", "torch.testing", "torch.utils.checkpoint", "torch._dynamo",
)  # fmt: skip


def warm_up() -> None:
    """Import what runs import, and run one of each kind of operation. Leaves no thread behind."""
    torch.set_num_threads(1)
    for name in _OFTEN_USED:
        importlib.import_module(name)
    state = torch.random.get_rng_state()
    _run_algebra()
    _train_a_step()
    _transform()
    torch.random.set_rng_state(state)


def versions() -> dict[str, str]:
    """Of torch and numpy, and which instructions torch chose for this CPU."""
    return {
        "torch_version": torch.__version__,
        "numpy_version": np.__version__,
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
    }


def _run_algebra() -> None:
    query = torch.ones(2, 4, 8)
    functional.scaled_dot_product_attention(query, query, query)
    torch.softmax(query @ query.transpose(-2, -1), dim=-1)
    torch.einsum("bij,bkj->bik", query, query)
    functional.conv2d(torch.ones(1, 1, 8, 8), torch.ones(1, 1, 3, 3))
    square = torch.eye(4) + 1
    torch.linalg.solve(square, torch.ones(4, 1))
    torch.linalg.svd(square)
    torch.linalg.eigh(square)
    torch.fft.rfft(torch.ones(8))
    str(square)


def _train_a_step() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, 2))
    examples = data.TensorDataset(torch.ones(4, 4), torch.zeros(4, dtype=torch.int64))
    for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
        optimiser = kind(model.parameters(), lr=0.1)
        for inputs, targets in data.DataLoader(examples, batch_size=2):
            optimiser.zero_grad()
            functional.cross_entropy(model(inputs), targets).backward()
            optimiser.step()
    copy.deepcopy(model).load_state_dict(model.state_dict())


def _double(value: Any) -> Any:
    return value * 2


def _transform() -> None:
    torch.func.vmap(torch.func.grad(torch.sin))(torch.ones(3))
    torch.compile(_double)(torch.ones(2))
    torch.fx.symbolic_trace(_double)
