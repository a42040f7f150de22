"""`python -m tests.upgrade.observing TARGET`: what the torch of this Python gives, as JSON.

Cases are drawn once, by the torch that is compared with: the other one runs references and mistakes on the same inputs
and is judged by the same key, as stored cases are after an upgrade.
"""

import argparse
import base64
import hashlib
import importlib.metadata
import json
import os
from dataclasses import replace
from pathlib import Path

import django

from tests.upgrade.listening import denied_calls
from worker.sandbox.service import private_runner
from worker.sandbox.wire import dump_value


class Noting:
    """A runner that keeps every job with its report."""

    def __init__(self, client):
        self._client, self.ran = client, []

    def run(self, job, on_result=None):
        report = self._client.run(job, on_result)
        self.ran.append((job, report))
        return report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target", type=Path)
    parser.add_argument("--given", type=Path, help="what another torch gave: its cases are taken")
    parser.add_argument("--courses", type=Path, action="append", required=True)
    parser.add_argument("--without-corpus", action="store_true")
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    given = json.loads(options.given.read_text()) if options.given else {"exercises": {}}
    with private_runner(slots=2) as client:
        found = observed(client, options.courses, given=given, has_corpus=not options.without_corpus)
    options.target.write_text(json.dumps(found))


def observed(client, courses, *, given, has_corpus=True):
    """Exercises and lessons by name, verdicts of the corpus, and the system calls that the filter denied."""
    from exercises.content import read_course  # noqa: PLC0415  (Django is set up by now)

    noting = Noting(client)
    exercises, lessons = {}, {}
    for course in map(read_course, courses):
        for exercise in course.exercises:
            if exercise.definition["exercise"]["kind"] in ("code", "script"):
                name = f"{course.slug}/{exercise.slug}"
                exercises[name] = of_exercise(noting, exercise, given["exercises"].get(name, {}).get("cases"))
        for lesson in course.lessons:
            lessons[f"{course.slug}/{lesson.slug}"] = of_lesson(client, noting, lesson)
    return {
        "torch": importlib.metadata.version("torch"),
        "exercises": exercises,
        "lessons": lessons,
        "corpus": of_corpus(client) if has_corpus else {},
        # Authors' code alone: it runs beside the container for that, under the filter.
        "denied": denied_calls([job for job, _ in noting.ran]),
    }


def of_exercise(runner, folder, cases):
    """What the reference gives for each case, and what is said of it and of each mistake."""
    from exercises.draws import draw_seeds  # noqa: PLC0415
    from worker.cases import AUTHOR_LIMITS, CasesError, make_cases  # noqa: PLC0415
    from worker.grading import grade_code, prepare  # noqa: PLC0415
    from worker.solution import run_solution  # noqa: PLC0415
    from worker.stored_cases import dump_cases, load_cases  # noqa: PLC0415

    exercise, files = folder.definition["exercise"], folder.definition["files"]
    seeds = draw_seeds("upgrade", folder.slug, folder.grading_hash, exercise.get("draws", 1))
    try:
        drawn = make_cases(folder.definition, seeds, runner)
    except CasesError as error:
        return {"error": str(error)}
    made = prepare(folder.definition, load_cases(base64.b64decode(cases)) if cases else drawn)
    request = made.request("reference", exercise, files["reference.py"], lane="regrade")
    ran = run_solution(runner, replace(request, limits=AUTHOR_LIMITS))
    mistakes = {}
    for slug in exercise["mistakes"]:
        mistake = made.request(slug, exercise, files[f"mistakes/{slug}.py"], lane="regrade")
        outcome, _ = grade_code(runner, mistake, made.key)
        mistakes[slug] = [outcome.verdict, outcome.feedback.cause]
    return {
        "cases": base64.b64encode(dump_cases(made.cases)).decode(),
        "inputs": [_digest([case.call.args, case.call.kwargs, case.call.init, case.call.state]) for case in drawn],
        "values": [_packed(ran.actuals[n].value) if n in ran.actuals else None for n in range(len(made.cases))],
        "reference": grade_code(runner, request, made.key)[0].verdict,
        "mistakes": mistakes,
    }


def of_lesson(client, noting, lesson):
    """What each snippet prints, what each checked number is, and what does not hold."""
    from worker.checking.lessons import lesson_findings  # noqa: PLC0415

    own = Noting(client)
    findings = [f"line {found.line}: {found.message}" for found in lesson_findings(lesson, own) if not found.is_remark]
    noting.ran += own.ran
    printed = {}
    for job, report in own.ran:
        program = job.program
        value = "".join(_packed(result.value) for result in report.results) if program.collect else ""
        printed[_digest([*program.before, program.source])] = [_last_line(program.source), report.stdout, value]
    return {"findings": findings, "printed": printed}


def of_corpus(client):
    """The verdict of each file; one that is not as the index says is tried once more, for a busy machine's sake."""
    from tests.corpus.arena import Arena  # noqa: PLC0415
    from tests.corpus.items import GRADED  # noqa: PLC0415

    arena, verdicts = Arena(client=client, process=None, log=None), {}
    for item in GRADED:
        for file in item.files:
            verdict = arena.grade(file, item.exercise).verdict
            if verdict != item.verdict:
                verdict = arena.grade(file, item.exercise).verdict
            verdicts[f"{item.id} {file.name}"] = verdict
    return verdicts


def _packed(value):
    return base64.b64encode(dump_value(value)).decode()


def _digest(value):
    return hashlib.sha256(dump_value(value)).hexdigest()


def _last_line(source):
    return source.strip().splitlines()[-1][:60] if source.strip() else ""


if __name__ == "__main__":
    main()
