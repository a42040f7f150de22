"""`make upgrade-check`: what another build of torch gives otherwise. Prints a table of what changed.

Exit status 1 where an output left its tolerance, a verdict changed, a lesson no longer holds, or a system call is
denied that was not before.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import django

from tests.product import ROOT
from tests.upgrade.comparing import compared

COURSES = ROOT / "exercises" / "courses"


def main():
    options = _options()
    courses = options.courses or sorted(path.parent for path in COURSES.glob("*/course.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "before.json", Path(folder) / "after.json"
        arguments = [word for course in courses for word in ("--courses", str(course))]
        arguments += ["--without-corpus"] if options.without_corpus else []
        _observe(sys.executable, before, *arguments)
        _observe(options.other, after, "--given", str(before), *arguments)
        told = report(json.loads(before.read_text()), json.loads(after.read_text()), courses, options.accept)
    if options.json:
        options.json.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
    return 1 if told["failed"] else 0


def _options():
    parser = argparse.ArgumentParser(prog="make upgrade-check")
    parser.add_argument("--other", required=True, help="the Python of an environment with the other torch")
    parser.add_argument("--courses", type=Path, action="append", help="a course folder; by default those that ship")
    parser.add_argument("--without-corpus", action="store_true")
    parser.add_argument("--accept", action="append", default=[], metavar="CALL", help="a denied call that may be new")
    parser.add_argument("--json", type=Path, help="write the report there as well")
    return parser.parse_args()


def _observe(python, target, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [python, "-m", "tests.upgrade.observing", str(target), *arguments]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def report(before, after, courses, accepted):
    """Print the table; the same as JSON."""
    found = compared(before, after, comparisons=_comparisons(courses), accepted=accepted)
    print(f"torch {before['torch']} → {after['torch']}\n")
    for difference in sorted(found.differences, key=lambda each: (not each.matters, each.what, each.where)):
        mark = "FAILED" if difference.matters else "note"
        print(f"{mark:7}{difference.what:12} {difference.where}: {difference.found}")
    print(f"\ndenied system calls, before: {_listed(before['denied'])}\nafter: {_listed(after['denied'])}")
    print(f"{found.count - found.failed} passed, {found.failed} failed")
    return {
        "torch": [before["torch"], after["torch"]],
        "differences": [difference.to_json() for difference in found.differences],
        "denied": [before["denied"], after["denied"]],
        "compared": found.count,
        "failed": found.failed,
    }


def _listed(denied):
    return ", ".join(f"{call} ({times} runs)" for call, times in sorted(denied.items())) or "none"


def _comparisons(courses):
    """By exercise how outputs are compared; None where predictions are measured instead."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from exercises.content import read_course  # noqa: PLC0415  (Django is set up by now)
    from graders.comparisons import Comparison  # noqa: PLC0415

    found = {}
    for course in map(read_course, courses):
        for exercise in course.exercises:
            declared = exercise.definition["exercise"]
            if declared["kind"] in ("code", "script"):
                is_training = bool(declared.get("training"))
                comparison = None if is_training else Comparison.from_definition(declared["compare"])
                found[f"{course.slug}/{exercise.slug}"] = comparison
    return found


if __name__ == "__main__":
    sys.exit(main())
