"""What works differently inside the sandbox, so that usual code still runs: each says so in a note.

`torch.compile` runs eagerly (no compiler may be started), a data loader reads in the process itself (no process may be
started), and a package that is not there says what is.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import torch
from torch.utils.data import DataLoader

AVAILABLE = "torch, numpy, einops and the standard library"

# What may be imported: the promise above, and what torch itself imports late (its declared dependencies).
_ROOTS = sys.stdlib_module_names | {
    "torch", "torchgen", "functorch", "numpy", "einops",
    "sympy", "mpmath", "networkx", "jinja2", "markupsafe", "filelock", "fsspec", "typing_extensions",
}  # fmt: skip

COMPILE_NOTE = "note: torch.compile runs eagerly here; results are the same, only the speed-up is missing"
LOADER_NOTE = "note: DataLoader runs with num_workers=0 here, since no further processes can be started"
_WORKER_OPTIONS = {"num_workers", "prefetch_factor", "persistent_workers", "multiprocessing_context", "timeout"}


def install() -> None:
    """Put the substitutes in their places; a second call changes nothing."""
    if not isinstance(sys.meta_path[0], PackageGate):
        sys.meta_path.insert(0, PackageGate())
    if torch.compile is not compile_eagerly:
        torch.compile = compile_eagerly
        torch.nn.Module.compile = _compile_module_eagerly
        DataLoader.__init__ = _in_one_process(DataLoader.__init__)


class PackageGate:
    """Stands before the finders: packages other than the promised ones are missing, and the message says what is."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """None, so that the next finder is asked. Raises: ModuleNotFoundError (not among the promised packages)."""
        root = name.partition(".")[0]
        if root in _ROOTS:
            return None
        raise ModuleNotFoundError(f"No module named {root!r}. Available here: {AVAILABLE}.", name=name)


@functools.cache
def _note(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def compile_eagerly(model: Callable[..., Any] | None = None, **_options: Any) -> Any:
    """In place of `torch.compile`: the model itself, or a decorator that returns what it decorates."""
    _note(COMPILE_NOTE)
    return _same if model is None else model


def _same(model: Callable[..., Any]) -> Callable[..., Any]:
    return model


def _compile_module_eagerly(_module: Any, *_arguments: Any, **_options: Any) -> None:
    _note(COMPILE_NOTE)


def _in_one_process(init: Callable[..., None]) -> Callable[..., None]:
    """The initialiser of a data loader, without worker processes."""
    signature = inspect.signature(init)

    @functools.wraps(init)
    def without_workers(*arguments: Any, **options: Any) -> None:
        bound = signature.bind(*arguments, **options).arguments
        if bound.get("num_workers", 0):
            _note(LOADER_NOTE)
            bound = {name: value for name, value in bound.items() if name not in _WORKER_OPTIONS}
        init(**bound)

    return without_workers
