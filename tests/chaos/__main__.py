"""`make chaos`: students hand in to the whole product while its parts are killed. Prints a table of what held.

Loopback only, and bounded: it ends after what was planned, or when the time is over. With DATABASE_URL it does the same
on that database once more; `.ci/with-postgres` gives one that can be restarted.
"""

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass, fields
from pathlib import Path

from tests.chaos import checks
from tests.chaos.faults import PARTS, RESTART, WIPE, Faults
from tests.chaos.students import Students, hand_ins
from tests.product import Product

SITE = "tests.chaos.site"
SHOWN_AT_MOST = 5
START_SECONDS = 600
# After the last fault: three tries with their pauses and leases, and all that waits.
OUTCOMES_SECONDS = 1800


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is handed in, and how often each thing happens."""

    submissions: int = 1000
    students: int = 200
    kills: int = 10
    wipes: int = 3
    restarts: int = 2
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of it: how often what was done, what speaks against each claim, and how long it took."""

    done: dict
    claims: dict
    given_up: int
    seconds: float


def chaos(folder, plan, *, restarts):
    """Run the product in `folder` through all faults of the plan."""
    before, started = checks.before(), time.monotonic()
    product = Product(folder / "data")
    try:
        product.start(START_SECONDS)
        tokens = product.within(SITE, "roster", plan.students, -(-plan.submissions // plan.students))
        work = hand_ins(tokens, plan.submissions)
        faults = Faults(product, kills=plan.kills, wipes=plan.wipes, restarts=restarts, seed=plan.seed)
        students = Students(product, work, lambda number: number <= faults.share_done() * plan.submissions)
        students.start()
        faults.run()
        students.join(OUTCOMES_SECONDS)
        given_up = product.within(SITE, "given_up")
        if given_up:
            judge_again(product, work)
        facts = product.within(SITE, "facts")
        faults.look_around()
    finally:
        product.stop()
    claims = checks.of_outcomes(work, facts) | checks.of_attempts(work, facts, given_up)
    claims |= checks.of_what_is_left(faults, before)
    return Told(done=dict(faults.done), claims=claims, given_up=given_up, seconds=time.monotonic() - started)


def judge_again(product, work):
    """What was given up after three faults is in the queue again: wait for its outcome."""
    again = [each for each in work if each.verdict == "internal_error"]
    for each in again:
        each.verdict = None
    waiting = Students(product, again, lambda number: True)
    waiting.start()
    waiting.join(OUTCOMES_SECONDS)


def lines(told):
    """The table: what was done, and what held."""
    yield f"{'':22}SIGKILL  SIGSTOP"
    for part in PARTS:
        yield f"{part:22}{told.done.get((part, 'SIGKILL'), 0):7}{told.done.get((part, 'SIGSTOP'), 0):9}"
    for name in (WIPE, RESTART):
        yield f"{name:22}{told.done.get((name, ''), 0):7}"
    yield f"given up after three faults and put back by staff: {told.given_up}; {told.seconds:.0f} s in all"
    for claim, against in told.claims.items():
        yield f"{'FAILED' if against else 'ok':8}{claim}"
        yield from (f"        {one}" for one in against[:SHOWN_AT_MOST])


def failures(plan):
    """Do it on the embedded default, then on DATABASE_URL if there is one; how many claims held, and how many not."""
    held = failed = 0
    url = os.environ.pop("DATABASE_URL", None)
    for name, changes in (("SQLite", {}), ("PostgreSQL", {"DATABASE_URL": url})):
        if None in changes.values():
            continue
        os.environ.update(changes)
        print(f"\n{plan.submissions} submissions of {plan.students} students on {name}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            told = chaos(Path(folder), plan, restarts=plan.restarts if changes else 0)
        print("\n".join(lines(told)), flush=True)
        failed += sum(bool(against) for against in told.claims.values())
        held += sum(not against for against in told.claims.values())
    return held, failed


def main():
    """Exits with 0 when all held."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    for field in fields(Plan):
        parser.add_argument(f"--{field.name}", type=int, default=field.default)
    held, failed = failures(Plan(**vars(parser.parse_args())))
    print(f"{held} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
