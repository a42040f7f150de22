"""The examples of `docs/grading.md`: reads them out of the page, runs them, writes what they gave below each.

`python -m tests.graders.grading_page` brings the page up to date; a test says when it is not.
"""

import json
import re
from decimal import Decimal
from pathlib import Path

import yaml

from graders import feedback
from graders.comparisons import Comparison
from graders.outcomes import Verdict
from graders.questions import choice, explain, kinds, matching, ordering
from graders.tensors import compare, verdict_of
from tests.graders.cause_examples import cause
from tests.graders.demand_examples import demand, has, rule, trained
from tests.graders.values import NAMES

PAGE = Path(__file__).parents[2] / "docs" / "grading.md"
ARROW = "  → "
SEED = "a student"
# A declaration, then what it is tried with.
EXAMPLE = re.compile(
    r"(```yaml\n(?P<declared>.*?)```\n\n```(?P<tried>responses|reviews|outputs|calls|sources|functions|predictions|causes)\n)"
    r"(?P<lines>.*?)(?=```)",
    re.DOTALL,
)


def rewritten(page):
    """The page with the outcome of each example as it is now."""
    return EXAMPLE.sub(_example, page)


def _example(found):
    declared = yaml.safe_load(found["declared"])
    run = _RUNS[found["tried"]]
    lines = [line for line in found["lines"].splitlines() if not line.startswith(ARROW)]
    return found[1] + "".join(f"{line}\n{ARROW}{run(declared, line)}\n" for line in lines)


def _response(exercise, line):
    outcome = kinds.grade_response(exercise, _with_ids(exercise, json.loads(line)), SEED)
    said = outcome.feedback
    words = " ".join(f"{said.summary} {said.hint}".split())
    return f"{outcome.verdict}, {float(outcome.score):g} of {float(outcome.max_score):g}: {words}"


def _review(exercise, line):
    outcome = explain.outcome_of_review(
        explain.from_definition(exercise), {name: Decimal(points) for name, points in json.loads(line).items()}
    )
    return f"{outcome.verdict}, {float(outcome.score):g} of {float(outcome.max_score):g}: {outcome.feedback.summary}"


def _with_ids(exercise, response):
    """Texts that begin with @ stand for the ids of options, lines or sides of pairs."""
    module = {"choice": choice, "ordering": ordering, "matching": matching}.get(exercise["kind"])
    if module is None:
        return response
    shown = module.presented(module.from_definition(exercise), SEED)
    flat = [entry for side in shown for entry in side] if module is matching else shown
    ids = {f"@{text}": name for name, text in flat}
    text = re.sub(r'"(@[^"]*)"', lambda found: json.dumps(ids[found[1]]), json.dumps(response))
    return json.loads(text)


def _output(declared, line):
    visible = not line.startswith("hidden: ")
    actual, expected = (eval(side, {}, NAMES) for side in line.removeprefix("hidden: ").split(" for "))
    mismatch = compare(actual, expected, Comparison.from_definition(declared["compare"]))
    verdict = verdict_of(mismatch)
    if verdict == Verdict.ACCEPTED:
        return verdict
    return f"{verdict}: {feedback.of_mismatch(mismatch, visible=visible).summary}"


_RUNS = {
    "responses": _response,
    "reviews": _review,
    "outputs": _output,
    "calls": demand,
    "sources": rule,
    "functions": has,
    "predictions": trained,
    "causes": cause,
}


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text()))
