"""The course that ships: sound, with its facts and figures, and its code does what it says."""

import json
from functools import cache
from pathlib import Path

import pytest

from exercises.choices import CODE_KINDS
from exercises.content import read_course
from exercises.content.kinds import KINDS
from graders.outcomes import Verdict
from graders.questions.kinds import grade_response

FOLDER = Path(__file__).resolve().parents[3] / "exercises" / "courses" / "attention"

RUN_LESSON = """
import contextlib, io, json, sys
parts = json.load(sys.stdin)
shared, printed, checked = {}, [], []
for number, snippet in enumerate(parts["snippets"], start=1):
    text = io.StringIO()
    names = {} if snippet["fresh"] else shared
    with contextlib.redirect_stdout(text):
        exec(snippet["source"], names)
    printed.append(text.getvalue())
    checked += [float(eval(check["expression"], names)) for check in parts["checks"] if check["after"] == number]
print(json.dumps({"printed": printed, "checked": checked}))
"""

COMPARE_SOLUTIONS = """
import json, sys
import torch
given = json.load(sys.stdin)
files, entry, options = given["files"], given["entry"], given["options"]
def load(file, name):
    names = {}
    exec(files[file], names)
    return names[name]
def differs(actual, expected):
    return actual.shape != expected.shape or not torch.allclose(actual, expected, rtol=2e-3, atol=5e-4)
reference = load("reference.py", entry)
mistakes = {file: load(file, entry) for file in files if file.startswith("mistakes/")}
draws = [load("cases.py", "visible")()]
draws += [load("cases.py", "hidden")(torch.Generator().manual_seed(seed)) for seed in range(20)]
found = []
for number, cases in enumerate(draws):
    for case in cases:
        expected = reference(*case["args"])
        theirs = torch.nn.functional.scaled_dot_product_attention(*case["args"], **options)
        torch.testing.assert_close(expected, theirs, rtol=2e-5, atol=5e-6)
        told = {}
        for file, mistake in mistakes.items():
            try:
                told[file] = differs(mistake(*case["args"]), expected)
            except RuntimeError:
                told[file] = "raises"
        found.append({"draw": number, "case": case["name"], "differs": told})
print(json.dumps(found))
"""


@cache
def course():
    return read_course(FOLDER)


def exercise(slug):
    return next(exercise for exercise in course().exercises if exercise.slug == slug)


def run(with_torch, program, given):
    """What an author's code does, in a process of its own: torch is not loaded beside the tests."""
    finished = with_torch.run(program, json.dumps(given))
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def test_the_course():
    assert (course().slug, course().title, course().self_paced) == ("attention", "Attention in PyTorch", True)
    assert [lesson.slug for lesson in course().lessons][0] == "scaled-dot-product-attention"
    assert course().lessons[0].exercises == (
        "one-score",
        "who-does-what",
        "one-weight",
        "why-divide-by-sqrt-d",
        "four-tokens",
        "scaled-dot-product-attention",
    )


def test_lessons_build_on_one_another():
    assert [lesson.slug for lesson in course().lessons] == [
        "scaled-dot-product-attention",
        "masks-and-causality",
        "several-heads",
        "positions",
        "norms-and-residuals",
        "a-block-and-training",
    ]
    assert [lesson.slug for lesson in course().lessons if not 3 <= len(lesson.exercises) <= 6] == []
    embedded = [slug for lesson in course().lessons for slug in lesson.exercises]
    assert sorted(embedded) == sorted(item.slug for item in course().exercises)
    assert len(embedded) == 35


def test_the_course_shows_every_kind_and_variants():
    assert {exercise.kind for exercise in course().exercises} == set(KINDS)
    assert any(exercise.definition["exercise"].get("parameters") for exercise in course().exercises)


@pytest.mark.parametrize(
    "field", ["forbid", "gradients", "inputs_unchanged", "properties", "training", "multiple", "partial_credit"]
)
def test_the_course_shows_what_exercises_can_ask(field):
    assert any(item.definition["exercise"].get(field) for item in course().exercises)


@pytest.mark.parametrize("file", ["driver.py", "data/keys.csv"])
def test_the_course_shows_drivers_and_data(file):
    assert any(file in {**item.definition["files"], **item.definition.get("data", {})} for item in course().exercises)


@pytest.mark.parametrize(
    "item", [item for item in course().exercises if item.kind in CODE_KINDS], ids=lambda item: item.slug
)
def test_code_names_three_mistakes_and_teaches_from_them(item):
    mistakes = item.definition["exercise"]["mistakes"]

    assert len(mistakes) >= 3
    assert all(len(mistake["feedback"]) > 60 for mistake in mistakes.values())


def test_every_exercise_has_the_certificate_of_what_it_is_now():
    """Else they are to be made again: `manage.py check_course exercises/courses/attention --write-certificates`."""
    stale = [item.slug for item in course().exercises if not _is_certified(item)]

    assert stale == []


def _is_certified(item):
    return item.certificate is not None and item.certificate.grading_hash == item.grading_hash


@pytest.mark.parametrize("lesson", course().lessons, ids=lambda lesson: lesson.slug)
def test_a_lesson_has_its_parts(lesson):
    titles = [title for _, title, _ in lesson.contents]

    assert titles[-3:] == ["What the example does", "Try it yourself", "Exercises"]
    assert [title.startswith("Example: ") for title in titles].count(True) == 1
    assert '<aside class="key-points">' in lesson.html
    assert lesson.checks


@pytest.mark.parametrize(
    ("slug", "response"),
    [
        ("shape-of-split-heads", "(2, 8, 10, 64)"),
        ("shape-of-split-heads", "2,8,10,64"),
        ("shape-of-split-heads", "torch.Size([2, 8, 10, 64])"),
        ("equal-scores", [[1, 0, 0], [0.5, 0.5, 0], [0.333, 0.333, 0.333]]),
        ("attention-in-gaps", {"turned": "mT", "root": "math.sqrt(d)", "axis": "-1", "divisor": "8"}),
        ("attention-in-gaps", {"turned": "T", "root": "queries.shape[-1] ** 0.5", "axis": "1", "divisor": 8}),
        ("attention-in-gaps", {"turned": "transpose(-2, -1)", "root": "(d ** .5)", "axis": "−1", "divisor": "2^3"}),
    ],
)
def test_right_responses_in_any_spelling(slug, response):
    assert grade_response(exercise(slug).definition["exercise"], response, "seed").verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("slug", "response", "words"),
    [
        ("shape-of-split-heads", "(2, 10, 8, 64)", "One more step"),
        ("attention-in-gaps", {"turned": "view(d, n)", "root": "d", "axis": "0", "divisor": "64"}, "0 of 4"),
        ("equal-scores", [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]], "[2, 0]"),
    ],
)
def test_near_misses_are_told_where_to_look(slug, response, words):
    outcome = grade_response(exercise(slug).definition["exercise"], response, "seed")

    assert outcome.verdict == Verdict.WRONG_ANSWER
    assert words in outcome.feedback.summary + outcome.feedback.hint


@pytest.mark.parametrize("item", course().exercises, ids=lambda item: item.slug)
def test_every_exercise_helps(item):
    fields = item.definition["exercise"]

    assert fields["hints"]
    assert fields["explanation"]
    assert fields["tags"]
    assert fields["misconceptions"]
    assert "!" not in str([fields["prompt"], fields["hints"], fields["explanation"]]).replace("!=", "")


def test_parts_of_the_first_lesson():
    lesson = course().lessons[0]

    assert [title for _, title, _ in lesson.contents] == [
        "One score from one pair",
        "Why the scores are scaled",
        "Weights mix the values",
        "Example: four tokens",
        "What the example does",
        "Try it yourself",
        "Exercises",
    ]
    assert '<aside class="key-points">' in lesson.html
    assert '<aside class="note">' in lesson.html
    assert '<span class="checked-number">0.7183</span>' in lesson.html
    assert all(snippet["output"] for snippet in lesson.snippets)


@pytest.mark.parametrize("lesson", course().lessons, ids=lambda lesson: lesson.slug)
def test_a_lesson_prints_what_it_says(with_torch, lesson):
    ran = run(with_torch, RUN_LESSON, {"snippets": lesson.snippets, "checks": lesson.checks})

    claimed = [(snippet["output"], printed) for snippet, printed in zip(lesson.snippets, ran["printed"], strict=True)]
    assert [printed for output, printed in claimed if output is not None] == [
        output for output, _ in claimed if output is not None
    ]
    for check, value in zip(lesson.checks, ran["checked"], strict=True):
        decimals = len(check["shown"].partition(".")[2])
        assert round(value, decimals) == float(check["shown"])


def test_the_choice_answers_every_wrong_option():
    options = exercise("why-divide-by-sqrt-d").definition["exercise"]["options"]

    assert len(options) >= 4
    assert all(option["feedback"] for option in options)


def test_one_score_is_five():
    assert exercise("one-score").definition["exercise"]["answer"] == 5


def test_four_tokens_collects_weights_and_output():
    assert exercise("four-tokens").definition["exercise"]["collect"] == ["weights", "output"]


def test_the_attention_exercise_declares_what_is_promised():
    fields = exercise("scaled-dot-product-attention").definition["exercise"]

    assert fields["entry"] == "scaled_dot_product_attention"
    assert fields["limits"]["memory_mb"] == 512
    said = {slug: mistake["feedback"] for slug, mistake in fields["mistakes"].items()}
    assert set(said) == {"no-scaling", "scaled-by-d", "wrong-axis", "key-not-transposed"}
    assert "scal" in said["no-scaling"]
    assert "√" in said["scaled-by-d"]
    assert "axis" in said["wrong-axis"]


@pytest.mark.parametrize(
    ("slug", "options"), [("scaled-dot-product-attention", {}), ("causal-attention", {"is_causal": True})]
)
def test_every_mistake_of_attention_shows_in_every_case_and_in_the_first_by_its_values(with_torch, slug, options):
    """And the reference does what torch's own function does."""
    definition = exercise(slug).definition
    given = {"files": definition["files"], "entry": definition["exercise"]["entry"], "options": options}

    found = run(with_torch, COMPARE_SOLUTIONS, given)

    assert len([case for case in found if case["draw"] == 0]) >= 3
    assert len([case for case in found if case["draw"] == 1]) >= 4
    assert all(told for case in found for told in case["differs"].values())
    assert set(found[0]["differs"].values()) == {True}
