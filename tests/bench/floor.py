"""The floor that the sandbox is measured against: a bare fork of a warm process, the same function, no isolation.

Started as `python -m tests.bench.floor WARMTH`; for each number on a line of its input it forks so many times, one
after the other, and prints a JSON list of seconds. It is as warm as the product's own template (the same imports and
operations, a frozen heap) and forks as any program does: without huge pages, with the hooks of its modules.
`imported` is less: torch is imported, nothing else.
"""

import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from worker.sandbox.environment import TEMPLATE_ENVIRONMENT

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """
import math
import torch

def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
"""
SHAPES = ((3, 3, 3), (4, 6, 8), (5, 7, 16), (2, 4, 64))


class Floor:
    """The warm process, as the measurement sees it: `warm` or merely `imported`."""

    def __init__(self, warmth="warm"):
        self._warmth = warmth

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.floor", self._warmth],
            cwd=ROOT,
            env=TEMPLATE_ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.seconds(3)
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    @property
    def pid(self):
        return self._process.pid

    def seconds(self, rounds):
        """Seconds of each of so many forks."""
        self._process.stdin.write(f"{rounds}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def run_once(torch, writer):
    generator = torch.Generator().manual_seed(0)
    namespace = {}
    exec(compile(SOURCE, "solution.py", "exec"), namespace)
    for queries, keys, width in SHAPES:
        inputs = [torch.randn(rows, width, generator=generator) for rows in (queries, keys, keys)]
        output = namespace["scaled_dot_product_attention"](*inputs)
        os.write(writer, output.numpy().tobytes())


def forked_seconds(torch):
    """Seconds from the fork to the reaped child, its bytes read."""
    started = time.perf_counter()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        run_once(torch, writer)
        os._exit(0)
    os.close(writer)
    while os.read(reader, 65536):
        pass
    os.close(reader)
    os.waitpid(pid, 0)
    return time.perf_counter() - started


def main():
    import torch  # noqa: PLC0415  (who measures must not load it)

    torch.set_num_threads(1)
    if sys.argv[1] == "warm":
        from worker.sandbox import warmup  # noqa: PLC0415  (likewise)

        warmup.warm_up()
        gc.collect()
        gc.freeze()
    run_once(torch, os.open(os.devnull, os.O_WRONLY))
    for line in sys.stdin:
        print(json.dumps([forked_seconds(torch) for _ in range(int(line))]), flush=True)


if __name__ == "__main__":
    main()
