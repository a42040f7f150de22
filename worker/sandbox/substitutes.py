"""What works differently inside the sandbox, so that usual code still runs: each says so in a note.

`torch.compile` runs eagerly (no compiler may be started), a data loader reads in the process itself (no process may be
started), and only the promised packages are found.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

import torch
from torch.utils.data import DataLoader

AVAILABLE = "torch, numpy, einops and the standard library"
PLOTS = "matplotlib"

# What may be imported: the promise above, and what torch itself imports late (its declared dependencies).
_ROOTS = sys.stdlib_module_names | {
    "torch", "torchgen", "functorch", "numpy", "einops",
    "sympy", "mpmath", "networkx", "jinja2", "markupsafe", "filelock", "fsspec", "typing_extensions",
}  # fmt: skip
# And where plots are allowed, with what they are drawn by.
_PLOT_ROOTS = {
    PLOTS, "mpl_toolkits", "pylab", "contourpy", "cycler", "kiwisolver", "fontTools", "PIL", "pyparsing", "dateutil",
    "six", "packaging",
}  # fmt: skip
_allowed = set(_ROOTS)

COMPILE_NOTE = "note: torch.compile runs eagerly here; results are the same, only the speed-up is missing"
LOADER_NOTE = "note: DataLoader runs with num_workers=0 here, since no further processes can be started"
_WORKER_OPTIONS = {"num_workers", "prefetch_factor", "persistent_workers", "multiprocessing_context", "timeout"}


def install() -> None:
    """Put the substitutes in their places; a second call changes nothing."""
    sys.meta_path[:] = [PackageGate if finder is PathFinder else finder for finder in sys.meta_path]
    if torch.compile is not compile_eagerly:
        torch.compile = compile_eagerly
        torch.nn.Module.compile = _compile_module_eagerly
        DataLoader.__init__ = _in_one_process(DataLoader.__init__)


class PackageGate(PathFinder):
    """Finds promised packages alone, in the place of the finder that looks through folders."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the module is; None for one that is not promised, as if it were not installed."""
        return super().find_spec(fullname, path, target) if is_promised(fullname) else None


def allow_plots() -> None:
    """From now on matplotlib may be imported: this is a run, nothing that is graded."""
    _allowed.update(_PLOT_ROOTS)


def is_promised(name: str) -> bool:
    """Whether this module may be imported."""
    root = name.partition(".")[0]
    # Private names are parts of an installation, such as `_sysconfigdata_…` of the interpreter.
    return root in _allowed or root.startswith("_")


def words_for_missing(name: str) -> str:
    """What a student is told who imported a module that is not promised."""
    if name.partition(".")[0] in _PLOT_ROOTS:
        return f"{PLOTS} is there for runs and lessons alone; what is graded may import {AVAILABLE}."
    beside = f"{PLOTS}, " if PLOTS in _allowed else ""
    return f"Available here: {beside}{AVAILABLE}."


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
