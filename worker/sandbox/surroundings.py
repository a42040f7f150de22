"""What stands beside a submission: files in the working directory, random numbers, a count of optimisers' steps."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

# The generator itself: `torch.manual_seed` also queues calls for devices that are not there, with a stack each.
_seed_torch, _seed_numpy, _seed_random = torch.default_generator.manual_seed, np.random.seed, random.seed
_add_hook = register_optimizer_step_post_hook


def put_files(files: dict[str, bytes], folder: Path) -> None:
    """Write the files below `folder`, by their relative paths, for reading only. Raises: OSError."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
        with open(descriptor, "wb") as file:
            file.write(content)


def seed_everything(seed: int) -> None:
    """Seed torch, numpy's global generator and `random`; numpy takes the lowest 32 bits."""
    _seed_torch(seed % 2**64)
    _seed_numpy(seed % 2**32)
    _seed_random(seed)


class Steps:
    """A context in which the steps of torch's optimisers are counted. Who steps otherwise is not seen."""

    def __init__(self) -> None:
        self.count = 0
        self._hook: Any = None

    def __enter__(self) -> Steps:
        self._hook = _add_hook(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self._hook.remove()

    def _note(self, *_: object) -> None:
        self.count += 1
