"""`make load`: a class hands in at once, on one machine. Prints how long it took, what held, and what it needed.

Each student is signed in, reads the lesson, opens the exercise, hands in, follows the outcome by events, and looks at
the exercise again. They come evenly within `--within` seconds. Loopback only, on DATABASE_URL if there is one;
`.ci/with-postgres` gives one.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from tests.chaos.students import SOURCES
from tests.load.browser import Browser, NoAnswerError
from tests.load.memory import Watch
from tests.product import Product

SITE = "tests.load.site"
START_SECONDS, GRACE_SECONDS = 300, 300
STACK_BYTES = 512 * 1024
SHOWN_AT_MOST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many come, within how many seconds, and after how many each must have the outcome of all."""

    students: int = 1000
    within: int = 60
    graded: int = 180


@dataclass(kw_only=True)
class Load:
    """What came of it. Seconds count from the first student's start."""

    outcomes: list = field(default_factory=list)
    took: dict = field(default_factory=lambda: defaultdict(list))
    faults: Counter = field(default_factory=Counter)
    lost: list = field(default_factory=list)
    seconds: float = 0.0
    own_cpu: float = 0.0
    spent: dict = field(default_factory=dict)
    stored: int = 0
    judged: list = field(default_factory=list)


def load(folder, plan):
    """Run the product in `folder` under the load of the plan."""
    product = Product(folder / "data", ("up", "--web-processes", str(os.cpu_count() or 1)))
    try:
        product.start(START_SECONDS)
        cookies = product.within(SITE, "sign_in", plan.students)
        before = product.within(SITE, "stored_bytes")
        with Watch(product) as watch:
            found = all_at_work(product.port, cookies, plan)
        found.stored = product.within(SITE, "stored_bytes") - before
        found.spent, found.judged = watch.spent, product.within(SITE, "verdicts")
    finally:
        product.stop()
    return found


def all_at_work(port, cookies, plan):
    """One thread for each student, each begun at its moment; ends when all have their outcome or time is over."""
    found, lock = Load(), threading.Lock()
    threading.stack_size(STACK_BYTES)
    started, before = time.monotonic(), time.process_time()
    threads = []
    for number, cookie in enumerate(cookies):
        time.sleep(max(started + number * plan.within / plan.students - time.monotonic(), 0))
        threads.append(threading.Thread(target=at_work, args=(port, cookie, number, found, lock), daemon=True))
        threads[-1].start()
    end = started + plan.graded + GRACE_SECONDS
    for thread in threads:
        thread.join(max(end - time.monotonic(), 0))
    found.own_cpu, found.seconds = time.process_time() - before, time.monotonic() - started
    return found


def at_work(port, cookie, number, found, lock):
    """One student from the lesson to the outcome."""
    browser, seconds, lost = Browser(port, cookie), None, []
    try:
        seconds = browser.work(source_of(number))
    except NoAnswerError as error:
        lost.append(f"student-{number}: {error}")
    with lock:
        found.outcomes += [] if seconds is None else [seconds]
        found.lost += lost
        found.faults.update(browser.faults)
        for name, took in browser.took:
            found.took[name].append(took)


def source_of(number):
    """What this student hands in: right and wrong in turn, no two the same."""
    kinds = list(SOURCES)
    return f"{SOURCES[kinds[number % len(kinds)]]}# {number}\n"


def claims(found, plan):
    """Name of each claim, and what speaks against it."""
    kinds = list(SOURCES)
    expected = {source_of(number).strip(): kinds[number % len(kinds)] for number in range(plan.students)}
    taken = {source.strip().replace("\r\n", "\n"): verdicts for source, verdicts in found.judged}
    wrong = [f"{taken[source]}, not {kind}" for source, kind in expected.items() if taken.get(source, [kind]) != [kind]]
    absent = [] if len(found.outcomes) == plan.students else [f"{len(found.outcomes)} of {plan.students}"]
    slow = [] if found.seconds <= plan.graded else [f"{found.seconds:.0f} s"]
    return {
        "no hand-in was refused": [source.rpartition("#")[2] for source in expected.keys() - taken.keys()],
        "each was taken once": [] if len(found.judged) == len(taken) else [f"{len(found.judged)} hand-ins"],
        "each has one outcome, the right one": wrong,
        f"all were at their outcome within {plan.graded} s": slow + absent + found.lost,
        "no page failed": [f"{times} x {fault}" for fault, times in found.faults.items()],
    }


def quantiles(values):
    """The middle, the 95th and the 99th of 100."""
    steps = statistics.quantiles(values, n=100) if len(values) > 1 else values * 99
    return steps[49], steps[94], steps[98]


def print_figures(found):
    print(f"{'seconds':32} {'number':>7} {'p50':>8} {'p95':>8} {'p99':>8}")
    for name, values in (("handed in to outcome", found.outcomes), *sorted(found.took.items())):
        if values:
            print(f"{name:32} {len(values):7} " + " ".join(f"{step:8.2f}" for step in quantiles(values)))
    print(f"\n{'MB at its peak':32} {'number':>7} {'one, PSS':>9} {'one, RSS':>9} {'all, PSS':>9} {'CPU s':>8}")
    for kind, spent in found.spent.items():
        sizes = f"{spent.pss:9.0f} {spent.rss:9.0f} {spent.all_pss:9.0f}"
        print(f"{kind:32} {spent.number:7} {sizes} {spent.cpu:8.1f}")
    done = len(found.outcomes)
    print(
        f"\n{done} outcomes in {found.seconds:.0f} s: {done / found.seconds:.1f} each second, on {os.cpu_count()} cores"
    )
    print(f"the students themselves took {found.own_cpu:.0f} s of computing")
    print(f"the database grew by {found.stored / 1e6:.1f} MB")


def as_json(found):
    """The figures as one line."""
    rows = {"handed in to outcome": found.outcomes, **found.took}
    return json.dumps(
        {
            "seconds": {
                name: [round(step, 3) for step in quantiles(values)] for name, values in rows.items() if values
            },
            "outcomes": len(found.outcomes),
            "took": round(found.seconds, 1),
            "spent": {
                kind: {name: round(value, 1) for name, value in asdict(spent).items()}
                for kind, spent in found.spent.items()
            },
            "stored_bytes": found.stored,
            "students_cpu": round(found.own_cpu, 1),
            "load": round(os.getloadavg()[0], 1),
            "cores": os.cpu_count(),
        }
    )


def main():
    """Exits with 0 when all held."""
    parser = argparse.ArgumentParser(prog="python -m tests.load")
    for each in fields(Plan):
        parser.add_argument(f"--{each.name}", type=int, default=each.default)
    plan = Plan(**vars(parser.parse_args()))
    database = "PostgreSQL" if "DATABASE_URL" in os.environ else "SQLite"
    print(f"{plan.students} students within {plan.within} s on {database}; load before {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as folder:
        found = load(Path(folder), plan)
    print_figures(found)
    print(f"\n{as_json(found)}\n")
    held = claims(found, plan)
    for claim, against in held.items():
        print(f"{'FAILED' if against else 'ok':8}{claim}")
        for one in against[:SHOWN_AT_MOST]:
            print(f"        {one}")
    failed = sum(map(bool, held.values()))
    print(f"{len(held) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
