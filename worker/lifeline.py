"""No process of ours outlives the one that started it, however that one ended."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

# Source: linux/prctl.h.
PR_SET_PDEATHSIG = 1

# Loaded before any fork: between fork and exec a child should not have to look for a library.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int | None = None, *, by: signal.Signals = signal.SIGKILL) -> None:
    """Has the kernel send this process a signal when its parent ends; elsewhere than on Linux nothing happens.

    `parent` is the id the parent had when it forked: if it is already gone, this process ends at once.
    """
    if _libc is None:
        return
    _libc.prctl(PR_SET_PDEATHSIG, by, 0, 0, 0)
    if parent is not None and os.getppid() != parent:
        os._exit(1)
