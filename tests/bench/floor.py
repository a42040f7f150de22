"""The floor that the sandbox is measured against: a bare fork of a warm process, the same function, no isolation.

Started as `python -m tests.bench.floor ROUNDS`; prints a JSON list of seconds. Nothing here is part of the product.
"""

import json
import os
import sys
import time

import torch

SOURCE = """
import math
import torch

def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, dim=-1) @ value
"""
SHAPES = ((3, 3, 3), (4, 6, 8), (5, 7, 16), (2, 4, 64))


def run_once(writer):
    generator = torch.Generator().manual_seed(0)
    namespace = {}
    exec(compile(SOURCE, "solution.py", "exec"), namespace)
    for queries, keys, width in SHAPES:
        inputs = [torch.randn(rows, width, generator=generator) for rows in (queries, keys, keys)]
        output = namespace["scaled_dot_product_attention"](*inputs)
        os.write(writer, output.numpy().tobytes())


def forked_seconds():
    """Seconds from the fork to the reaped child, its bytes read."""
    started = time.perf_counter()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        run_once(writer)
        os._exit(0)
    os.close(writer)
    while os.read(reader, 65536):
        pass
    os.close(reader)
    os.waitpid(pid, 0)
    return time.perf_counter() - started


def main():
    torch.set_num_threads(1)
    run_once(os.open(os.devnull, os.O_WRONLY))
    print(json.dumps([forked_seconds() for _ in range(int(sys.argv[1]))]))


if __name__ == "__main__":
    main()
