"""What must hold after the faults: each hand-in judged once and rightly, and nothing left of what served."""

import contextlib
from collections import Counter
from pathlib import Path

from tests.chaos.faults import is_alive
from tests.worker.sandbox.runs import group_folders, wait_until

FOLDERS = Path("/tmp")
SETTLED_SECONDS = 20


def of_outcomes(work, facts):
    """Name of the claim, and what speaks against it, for what students and the database say."""
    by_source = Counter(fact["source"] for fact in facts)
    wrong = [f"{each.id}: {each.verdict}, not {each.expected}" for each in work if each.verdict != each.expected]
    return {
        "every hand-in was taken": [each.refused or each.key for each in work if each.id is None],
        "each was taken once": [source for source, times in by_source.items() if times != 1],
        "none was added": sorted(by_source.keys() - {each.source for each in work}),
        "each has one outcome, in force": [
            fact["source"] for fact in facts if len(fact["verdicts"]) != 1 or fact["in_force"] != 1
        ],
        "each has the right verdict": wrong,
    }


def of_attempts(work, facts, given_up):
    """Each hand-in counts once, but for those whose attempt was given back since we failed."""
    counted, expected = sum(fact["counts"] for fact in facts), len(work) - given_up
    against = [] if counted == expected else [f"{counted} count, not {expected}"]
    return {"each counts as one attempt, none for our faults": against}


def of_what_is_left(faults, before):
    """Processes, control groups, mounts and files of the site, once it has stopped."""

    def orphans():
        return [f"{pid} {command}" for (pid, started), command in faults.seen.items() if is_alive(pid, started)]

    def groups():
        return [str(folder) for pid in faults.runners for folder in group_folders(pid)]

    with contextlib.suppress(AssertionError):
        wait_until(lambda: not orphans() and not groups(), seconds=SETTLED_SECONDS)
    return {
        "no process is left": orphans(),
        "no control group is left": groups(),
        "no mount is left": sorted(mounts() - before["mounts"]),
        "no file is left": sorted(folders() - before["folders"]),
    }


def before():
    """What was there before the site started."""
    return {"mounts": mounts(), "folders": folders()}


def mounts():
    """Where something of ours is mounted."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    return {line.split()[1] for line in lines if "quizsite" in line}


def folders():
    """The folders of runs, which lie where temporary files do."""
    return {str(path) for path in FOLDERS.glob("quizsite-run-*")}
