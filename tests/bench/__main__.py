"""`make bench`: how fast it is, as ratios measured in one run. Prints a table and a line of JSON."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from tests.product import RIGHT, ROOT, Product
from worker.sandbox.job import Call, CallProgram, Job, TensorBytes
from worker.sandbox.service import private_runner

ROUNDS = 60
SHAPES = ((3, 3, 3), (4, 6, 8), (5, 7, 16), (2, 4, 64))


def bare_fork_seconds():
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.bench.floor", str(ROUNDS)]
    output = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True, text=True).stdout
    return json.loads(output)


def fresh_import_seconds():
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import torch"], check=True)
        times.append(time.perf_counter() - started)
    return times


def attention_job():
    calls = tuple(
        Call(name=f"case {index}", visible=index < 2, args=tuple(_zeros(rows, width) for rows in (queries, keys, keys)))
        for index, (queries, keys, width) in enumerate(SHAPES)
    )
    program = CallProgram(source=RIGHT, entry="scaled_dot_product_attention", calls=calls)
    return Job(id=uuid.uuid4().hex, program=program)


def _zeros(rows, width):
    return TensorBytes(dtype="float32", shape=(rows, width), data=bytes(4 * rows * width))


def isolated_seconds():
    """Seconds from a job to its report, one at a time: with the reserve resting between jobs, and back to back."""
    rested, hurried = [], []
    with private_runner() as client:
        for times, pause in ((rested, 0.1), (hurried, 0.0)):
            for _ in range(ROUNDS):
                job, started = attention_job(), time.perf_counter()
                client.run(job)
                times.append(time.perf_counter() - started)
                time.sleep(pause)
    return rested, hurried


def outcome_seconds():
    """Seconds from the POST of a submission to the GET that shows its outcome, polled every 10 ms."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder) / "data")
        product.start()
        try:
            product.graded(product.submit(f"{RIGHT}# {uuid.uuid4()}\n"))
            for _ in range(ROUNDS):
                started = time.perf_counter()
                submission = product.submit(f"{RIGHT}# {uuid.uuid4()}\n")
                while product.call("GET", f"/api/v1/submissions/{submission['id']}/")[1]["state"] != "graded":
                    time.sleep(0.01)
                times.append(time.perf_counter() - started)
        finally:
            product.stop()
    return times


def main():
    measured = {"bare warm fork and run": bare_fork_seconds()}
    measured["isolated run"], measured["isolated run, back to back"] = isolated_seconds()
    measured["submit to outcome over HTTP"] = outcome_seconds()
    measured["fresh import torch"] = fresh_import_seconds()
    floor = statistics.median(measured["bare warm fork and run"])
    print(f"{'what':30} {'median ms':>10} {'p95 ms':>10} {'ratio':>8}")
    for name, times in measured.items():
        median, high = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(f"{name:30} {median * 1000:10.1f} {high * 1000:10.1f} {median / floor:8.2f}")
    print(json.dumps({name: statistics.median(times) for name, times in measured.items()}))


if __name__ == "__main__":
    main()
