"""Torch without what student code has laid over it: subclasses and modes see none of the calls made inside."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import torch

_DisableTorchFunction = torch._C.DisableTorchFunction
_DisableTorchDispatch = torch._C._DisableTorchDispatch


class PlainTorch:
    """A context in which torch's operators do what they do in a fresh process, for any tensor subclass."""

    __slots__ = ("_dispatch", "_function")

    def __enter__(self) -> None:
        self._function: Any = _DisableTorchFunction()
        self._function.__enter__()
        # This one is no context manager: it holds for as long as the object lives.
        self._dispatch: Any = _DisableTorchDispatch()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._dispatch = None
        self._function.__exit__(kind, error, trace)
