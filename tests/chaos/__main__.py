"""`make chaos`: students hand in to the whole product while its parts are killed. Prints a table of what held.

Loopback only, and bounded: it ends after what was planned, or when the time is over. First on the embedded default,
where pages and events are one process; with DATABASE_URL once more on that database, with pages and events apart as
containers have them. `.ci/with-postgres` gives one that can be restarted.
"""

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass, fields
from pathlib import Path

from tests.chaos import checks
from tests.chaos.faults import APART, AWAY, RESTART, TOGETHER, WIPE, Faults
from tests.chaos.listeners import Listeners, is_told
from tests.chaos.students import Students, hand_ins
from tests.product import Product, free_port

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
    outages: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What came of it: how often what was done, what speaks against each claim, and how long it took."""

    parts: tuple
    done: dict
    claims: dict
    given_up: int
    events: int
    seconds: float


class SiteApart(Product):
    """Pages and events in programs of their own."""

    program = ("-m", "tests.chaos.apart")

    def __init__(self, data):
        super().__init__(data, command=())
        os.environ["EVENTS_PORT"] = str(free_port())
        self.events = f"http://127.0.0.1:{os.environ['EVENTS_PORT']}"


class SiteTogether(Product):
    """As `make run` starts it."""

    @property
    def events(self):
        return self.base


def chaos(folder, plan, *, on_sqlite=True):
    """Run the product in `folder` through all faults of the plan."""
    before, started = checks.before(), time.monotonic()
    product = (SiteTogether if on_sqlite else SiteApart)(folder / "data")
    try:
        product.start(START_SECONDS)
        tokens = product.within(SITE, "roster", plan.students, -(-plan.submissions // plan.students))
        work = hand_ins(tokens, plan.submissions)
        faults = Faults(product, plan, parts=TOGETHER if on_sqlite else APART, on_sqlite=on_sqlite)
        students = Students(product, work, lambda number: number <= faults.share_done() * plan.submissions)
        listeners = Listeners(product, work)
        students.start()
        listeners.start()
        faults.run()
        students.join(OUTCOMES_SECONDS)
        listeners.stop()
        given_up = product.within(SITE, "given_up")
        if given_up:
            judge_again(product, work)
        facts, told = product.within(SITE, "facts"), is_told(product)
        faults.look_around()
    finally:
        product.stop()
    claims = checks.of_outcomes(work, facts) | checks.of_attempts(work, facts, given_up)
    claims |= {"events are told after all that": [] if told else ["none came"]}
    claims |= checks.of_what_is_left(faults, before)
    return Told(
        parts=faults.parts,
        done=dict(faults.done),
        claims=claims,
        given_up=given_up,
        events=listeners.events,
        seconds=time.monotonic() - started,
    )


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
    for part in told.parts:
        yield f"{part:22}{told.done.get((part, 'SIGKILL'), 0):7}{told.done.get((part, 'SIGSTOP'), 0):9}"
    for name in (WIPE, RESTART, AWAY):
        yield f"{name:22}{told.done.get((name, ''), 0):7}"
    yield f"given up after three faults and put back by staff: {told.given_up}; {told.seconds:.0f} s in all"
    yield f"events that listeners were sent meanwhile: {told.events}"
    for claim, against in told.claims.items():
        yield f"{'FAILED' if against else 'ok':8}{claim}"
        yield from (f"        {one}" for one in against[:SHOWN_AT_MOST])


def failures(plan, *, embedded):
    """Do it on the embedded default, then on DATABASE_URL if there is one; how many claims held, and how many not."""
    held = failed = 0
    url = os.environ.pop("DATABASE_URL", None)
    for on_sqlite in (True, False):
        if not (embedded if on_sqlite else url):
            continue
        os.environ.update({} if on_sqlite else {"DATABASE_URL": url})
        name = "SQLite, as `make run` starts it" if on_sqlite else "PostgreSQL, with pages and events apart"
        print(f"\n{plan.submissions} submissions of {plan.students} students on {name}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            told = chaos(Path(folder), plan, on_sqlite=on_sqlite)
        print("\n".join(lines(told)), flush=True)
        failed += sum(bool(against) for against in told.claims.values())
        held += sum(not against for against in told.claims.values())
    return held, failed


def main():
    """Exits with 0 when all held."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    for field in fields(Plan):
        parser.add_argument(f"--{field.name}", type=int, default=field.default)
    parser.add_argument("--not-embedded", action="store_true", help="only on DATABASE_URL")
    options = vars(parser.parse_args())
    embedded = not options.pop("not_embedded")
    held, failed = failures(Plan(**options), embedded=embedded)
    print(f"{held} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
