"""`make bench`: how fast and how large it is, measured in one run. Prints tables and a line of JSON.

Ratios are to a bare warm fork that runs the same function, measured in turns with the isolated jobs; so they hold on a
busy machine too, while milliseconds do not.
"""

import json
import os
import statistics
import tempfile
import time
import uuid
from pathlib import Path

from tests.bench import diagnosing, sandbox
from tests.product import RIGHT, Product
from worker.sandbox.service import private_runner

CORES = os.cpu_count() or 1
# What was promised: name of the figure, and whether it may be at most or must be at least this.
TARGETS = {
    "isolated run, back to back / bare": ("<=", 1.3),
    "job to last output, rested / bare": ("<=", 0.6),
    "isolated run beside a hog / alone": ("<=", 2.0),
    "jobs each second / bare forks": (">=", 0.7),
    "jobs each second / fresh imports": (">=", 30.0),
    "memory at rest, MB": ("<=", 450.0),
    "memory of one more run, MB": ("<=", 40.0),
    "submit to outcome, ms": ("<=", 200.0),
    "judge an accepted submission, ms": ("<=", 5.0),
    "diagnose a failed submission, ms": ("<=", 50.0),
}


def outcome_seconds(rounds):
    """Seconds from the POST of a submission to the GET that shows its outcome, polled every 10 ms."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder) / "data")
        product.start()
        try:
            product.graded(product.submit(f"{RIGHT}# {uuid.uuid4()}\n"))
            for _ in range(rounds):
                started = time.perf_counter()
                submission = product.submit(f"{RIGHT}# {uuid.uuid4()}\n")
                while product.call("GET", f"/api/v1/submissions/{submission['id']}/")[1]["state"] != "graded":
                    time.sleep(0.01)
                times.append(time.perf_counter() - started)
        finally:
            product.stop()
    return times


def measure():
    """Seconds by what was timed, and single figures by name."""
    with private_runner() as client:
        rest, more = sandbox.memory(client)
        times = sandbox.one_at_a_time(client)
        times["beside a hog"] = sandbox.beside_a_hog(client)
        spent = sandbox.many_at_once(client, CORES)
    imports, import_seconds = sandbox.imports_each_second(CORES)
    times["submit to outcome"] = outcome_seconds(sandbox.ROUNDS)
    times["judge accepted"], times["diagnose failed"] = diagnosing.accepted_seconds(), diagnosing.failed_seconds()
    middle = {name: statistics.median(values) for name, values in times.items()}
    figures = {
        "isolated run, rested / bare": middle["isolated"] / middle["bare"],
        "isolated run, back to back / bare": middle["hurried"] / middle["bare"],
        "job to last output, rested / bare": middle["latency"] / middle["bare"],
        "job to last output, back to back / bare": middle["hurried latency"] / middle["bare"],
        "isolated run beside a hog / alone": middle["beside a hog"] / middle["isolated"],
        "jobs each second": sandbox.JOBS / spent["jobs"].wall,
        "jobs each second / bare forks": spent["warm"].wall / spent["jobs"].wall,
        "jobs each second / forks with torch alone": spent["imported"].wall / spent["jobs"].wall,
        "CPU of a job, ms": spent["jobs"].cpu / sandbox.JOBS * 1000,
        "CPU of a job / bare fork": spent["jobs"].cpu / spent["warm"].cpu,
        "CPU of a job / fork with torch alone": spent["jobs"].cpu / spent["imported"].cpu,
        "jobs each second / fresh imports": sandbox.JOBS / spent["jobs"].wall / imports,
        "fresh import of torch, ms": import_seconds * 1000,
        "memory at rest, MB": rest,
        "memory of one more run, MB": more,
        "submit to outcome, ms": middle["submit to outcome"] * 1000,
        "judge an accepted submission, ms": middle["judge accepted"] * 1000,
        "diagnose a failed submission, ms": middle["diagnose failed"] * 1000,
    }
    return times, figures


def print_times(times):
    print(f"{'milliseconds':32} {'quarter':>9} {'median':>9} {'p95':>9}")
    for name, values in times.items():
        steps = statistics.quantiles(values, n=20)
        print(f"{name:32} {steps[4] * 1000:9.1f} {statistics.median(values) * 1000:9.1f} {steps[-1] * 1000:9.1f}")


def print_figures(figures):
    print(f"\n{'figure':44} {'measured':>9} {'promised':>10}")
    for name, value in figures.items():
        relation, target = TARGETS.get(name, ("", 0.0))
        promised = f"{relation} {target:g}" if relation else ""
        missed = (relation == "<=" and value > target) or (relation == ">=" and value < target)
        print(f"{name:44} {value:9.2f} {promised:>10}{'  missed' if missed else ''}")


def main():
    load = os.getloadavg()[0]
    times, figures = measure()
    print(f"{CORES} cores; load before {load:.1f}, after {os.getloadavg()[0]:.1f}\n")
    print_times(times)
    print_figures(figures)
    medians = {name: round(statistics.median(values), 5) for name, values in times.items()}
    rounded = {name: round(value, 3) for name, value in figures.items()}
    print(f"\n{json.dumps({'seconds': medians, 'figures': rounded, 'load': round(load, 1), 'cores': CORES})}")


if __name__ == "__main__":
    main()
