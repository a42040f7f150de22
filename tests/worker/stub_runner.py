"""A runner that runs nothing: it gives the reports of a script, in order, and remembers its jobs."""

import struct

from worker.sandbox.job import CallResult, RunReport, Status, TensorBytes


class StubRunner:
    """Each entry of the script is a report, or an exception to be raised."""

    def __init__(self, *script):
        self.script, self.jobs = list(script), []

    def run(self, job, on_result=None):
        self.jobs.append(job)
        entry = self.script.pop(0)
        if isinstance(entry, Exception):
            raise entry
        for result in entry.results if on_result else ():
            on_result(result)
        return entry


def vector(*numbers):
    return TensorBytes(dtype="float32", shape=(len(numbers),), data=struct.pack(f"<{len(numbers)}f", *numbers))


def report_of(*values, **fields):
    """A report of a run that finished with these values."""
    results = tuple(CallResult(index=index, value=value) for index, value in enumerate(values))
    return RunReport(**{"status": Status.FINISHED, "results": results, **fields})


DEFINITION = {
    "exercise": {
        "kind": "code",
        "entry": "double",
        "compare": {},
        "draws": 2,
        "limits": {"cpu_seconds": 4, "memory_mb": 512, "tasks": 64},
        "mistakes": {"same": {"title": "Unchanged", "feedback": "Nothing was doubled."}},
    },
    "files": {"cases.py": "cases", "reference.py": "reference", "mistakes/same.py": "same"},
}
SCRIPT = {
    "exercise": {**DEFINITION["exercise"], "kind": "script", "collect": ["total"], "stdout": True, "mistakes": {}},
    "files": {"reference.py": "reference"},
}
LISTED = report_of(
    [{"name": "one", "args": [vector(1)]}],
    [{"name": "drawn", "args": [vector(2)], "points": 2}],
    [{"name": "drawn", "args": [vector(3)], "points": 2}],
)
REFERENCE = report_of(vector(2), vector(4), vector(6))
MISTAKE = report_of(vector(1), vector(2), vector(3))
