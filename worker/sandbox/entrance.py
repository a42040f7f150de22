"""Into a root of one's own: `python -m worker.sandbox.entrance LAYOUT [DESCRIPTOR]`, started by the runner.

Builds a read-only root of what `LAYOUT` names, without network, and becomes the warm program in it; without a
descriptor an interpreter that tries a few imports. So no path of the machine is in what runs inherit.
"""

from __future__ import annotations

import os
import sys

from worker.sandbox import isolation
from worker.sandbox.layout import PYTHON, SERVICE, Layout, read_layout

# Without `site`, which would look for further packages; the template does what else it does.
_OPTIONS = ["-s", "-S"]
_TRY = ["-c", "import ctypes, hashlib, json, resource, socket, worker.sandbox.kernel"]


def command(layout: Layout, descriptor: str | None) -> list[str]:
    """What is started inside."""
    work = _TRY if descriptor is None else ["-m", "worker.sandbox.template", descriptor]
    return [layout.executable, *_OPTIONS, *work]


def environment(layout: Layout) -> dict[str, str]:
    """What is added for the start alone; the template removes it."""
    return {"PYTHONPATH": ":".join([SERVICE, *layout.packages]), "LD_LIBRARY_PATH": f"{PYTHON}/lib"}


def main(arguments: list[str]) -> int:  # pragma: no cover  (becomes another program; probe: every job, test_layout)
    """Never returns, unless the root cannot be built."""
    layout = read_layout(arguments[0])
    isolation.build_template_root(layout.binds)
    words = command(layout, arguments[1] if len(arguments) > 1 else None)
    os.execve(words[0], words, {**os.environ, **environment(layout)})  # noqa: S606  (no shell is what is wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
