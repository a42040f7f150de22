from fractions import Fraction
from itertools import product

import pytest

from graders.errors import DefinitionError
from graders.outcomes import Verdict
from graders.questions import kinds
from graders.questions.parameters import EDGES, drawn, edge_variants, filled, pinned

SEEDS = [f"student {number}" for number in range(200)]
WIDTH = {"d": {"choices": [16, 64, 256]}}


def fill(prompt, parameters, seed="student 1", **fields):
    return filled({"prompt": prompt, "parameters": parameters, **fields}, seed)


def test_drawn_is_the_same_for_the_same_student_and_covers_all_choices():
    assert drawn({"parameters": WIDTH}, "a") == drawn({"parameters": WIDTH}, "a")
    assert {drawn({"parameters": WIDTH}, seed)["d"] for seed in SEEDS} == {16, 64, 256}


def test_drawn_integers_include_both_ends():
    numbers = {drawn({"parameters": {"x": {"integer": [1, 4]}}}, seed)["x"] for seed in SEEDS}

    assert numbers == {1, 2, 3, 4}


def test_drawn_uniform_has_the_declared_decimals():
    numbers = {drawn({"parameters": {"w": {"uniform": [0, 0.3], "decimals": 1}}}, seed)["w"] for seed in SEEDS}

    assert numbers == {Fraction(number, 10) for number in range(4)}


def test_drawn_uniform_has_two_decimals_by_default():
    numbers = [drawn({"parameters": {"w": {"uniform": [0, 1]}}}, seed)["w"] for seed in SEEDS]

    assert all((100 * number).denominator == 1 for number in numbers)
    assert len(set(numbers)) > 50


def test_drawn_parameters_are_independent_of_each_other():
    declared = {name: {"integer": [0, 9]} for name in ("a", "b")}

    assert any(len(set(drawn({"parameters": declared}, seed).values())) == 2 for seed in SEEDS)


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ([], None),
        ("d", "parameters"),
        ({1: {"integer": [1, 2]}}, "parameters"),
        ({"d-k": {"integer": [1, 2]}}, "parameters"),
        ({"sqrt": {"integer": [1, 2]}}, "parameters.sqrt"),
        ({"e": {"integer": [1, 2]}}, "parameters.e"),
        ({"d": 5}, "parameters.d"),
        ({"d": {}}, "parameters.d"),
        ({"d": {"choices": [1], "integer": [1, 2]}}, "parameters.d"),
        ({"d": {"integer": [1, 2], "decimals": 1}}, "parameters.d"),
        ({"d": {"choices": []}}, "parameters.d.choices"),
        ({"d": {"choices": ["many"]}}, "parameters.d.choices"),
        ({"d": {"integer": [1]}}, "parameters.d.integer"),
        ({"d": {"integer": [2, 1]}}, "parameters.d.integer"),
        ({"d": {"integer": [0.5, 1]}}, "parameters.d.integer"),
        ({"d": {"uniform": [0, 1], "decimals": 7}}, "parameters.d.decimals"),
        ({"d": {"uniform": [0, 1], "decimals": True}}, "parameters.d.decimals"),
        ({"d": {"uniform": [0, 0.001], "decimals": 2}}, "parameters.d.uniform"),
    ],
)
def test_drawn_refuses_and_names_the_field(parameters, field):
    if field is None:
        assert drawn({"parameters": parameters}, "a") == {}
        return
    with pytest.raises(DefinitionError) as refusal:
        drawn({"parameters": parameters}, "a")

    assert refusal.value.field == field


def test_filled_without_parameters_is_the_exercise_itself():
    exercise = {"prompt": "Write {{ braces }}."}

    assert filled(exercise, "a") is exercise


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Width {{ d }}.", "Width 64."),
        ("{{d}}, {{ d^2 }}, {{ 1 / sqrt(d) }}, {{ 1/3 }}", "64, 4096, 0.125, 0.333333"),
        ("Inline `x / {{ d }}`", "Inline `x / 64`"),
        ("```python\nf'{{ d }}'\n```\n{{ d }}", "```python\nf'{{ d }}'\n```\n64"),
        ("~~~\n{{ d }}\n~~~", "~~~\n{{ d }}\n~~~"),
        ("```\n{{ d }}", "```\n{{ d }}"),
        ("```python {parameters}\nd = {{ d }}\n```", "```python\nd = 64\n```"),
        ("$\\frac{{d}}{2}$ is {{ d / 2 }}", "$\\frac{{d}}{2}$ is 32"),
        ("$$\n\\frac{{d}}{2}\n$$\n{{ d }}", "$$\n\\frac{{d}}{2}\n$$\n64"),
        ("no braces", "no braces"),
    ],
)
def test_filled_prompt(prompt, expected):
    assert fill(prompt, {"d": {"choices": [64]}})["prompt"] == expected


def test_filled_answers_at_every_depth_and_nothing_else():
    variant = filled(
        {
            "prompt": "",
            "parameters": {"d": {"choices": [64]}},
            "answer": "{{ 1 / sqrt(d) }}",
            "feedback": [{"answer": "{{ 1 / d }}", "text": "{{ d }}"}],
            "blanks": {"gap": {"answer": ["{{ d }}", 1]}},
            "hints": ["{{ d }}"],
        },
        "a",
    )

    assert variant["answer"] == "0.125"
    assert variant["feedback"] == [{"answer": "0.015625", "text": "{{ d }}"}]
    assert variant["blanks"] == {"gap": {"answer": ["64", 1]}}
    assert variant["hints"] == ["{{ d }}"]
    assert "parameters" not in variant


def test_filled_answer_keeps_what_float64_holds():
    assert float(fill("", WIDTH, answer="{{ 1 / 3 }}")["answer"]) == 1 / 3


@pytest.mark.parametrize("prompt", ["{{ width }}", "{{ }}", "{{ d / 0 }}", "{{ d | upper }}", "{{ 10^400 }}"])
def test_filled_refuses_what_is_no_expression_of_the_parameters(prompt):
    with pytest.raises(DefinitionError, match="prompt"):
        fill(prompt, WIDTH)


def test_filled_refuses_a_name_that_is_also_a_gap():
    with pytest.raises(DefinitionError, match=r"parameters\.d: is also the name of a gap"):
        fill("", WIDTH, blanks={"d": {"answer": 1}})


def test_filled_without_a_prompt():
    assert filled({"parameters": WIDTH}, "a") == {}


def test_each_student_is_graded_by_the_own_variant():
    exercise = {
        "kind": "numeric",
        "prompt": "Scores of width {{ d }} are divided by?",
        "answer": "{{ sqrt(d) }}",
        "parameters": WIDTH,
    }

    kinds.check_question(exercise)
    for seed in SEEDS[:20]:
        width = int(kinds.prompt_of(exercise, seed).split()[3])
        assert kinds.grade_response(exercise, f"sqrt({width})", seed).verdict == Verdict.ACCEPTED
        assert kinds.grade_response(exercise, width, seed).verdict == Verdict.WRONG_ANSWER


def test_check_question_finds_the_variant_that_cannot_be_graded():
    exercise = {"kind": "numeric", "answer": "{{ 1 / (d - 16) }}", "parameters": WIDTH}

    with pytest.raises(DefinitionError, match="division by zero"):
        kinds.check_question(exercise)


@pytest.mark.parametrize(
    ("parameters", "answer", "where"),
    [
        ({"x": {"integer": [0, 299]}}, "{{ 1 / x }}", "x = 0"),
        ({"x": {"integer": [0, 299]}}, "{{ 1 / (x - 288) }}", "x = 288"),
        ({"x": {"integer": [-50000, 50000]}}, "{{ 1 / x }}", "x = 0"),
        ({"x": {"integer": [2, 10000]}}, "{{ sqrt(9999 - x) }}", "x = 10000"),
        ({"x": {"integer": [0, 10000]}}, "{{ 1 / log(x + 1) }}", "x = 0"),
        ({"x": {"uniform": [-1, 9], "decimals": 4}}, "{{ 1 / (x - 1) }}", "x = 1"),
        ({"x": {"uniform": [0.5, 9], "decimals": 4}}, "{{ 1 / (x - 0.5) }}", "x = 1/2"),
        ({"x": {"integer": [0, 10000]}, "y": {"integer": [0, 10000]}}, "{{ 1 / (x + y) }}", "x = 0, y = 0"),
        ({"x": {"choices": [*range(1, 200), 0]}}, "{{ 1 / x }}", "x = 0"),
    ],
)
def test_check_question_tries_numbers_that_few_students_draw(parameters, answer, where):
    exercise = {"kind": "numeric", "answer": answer, "parameters": parameters}

    with pytest.raises(DefinitionError) as refusal:
        kinds.check_question(exercise)

    assert refusal.value.message.endswith(f"(where {where})")


def test_edge_variants_of_very_many_meet_every_pair_of_edges():
    parameters = {name: {"integer": [-10000, 10000]} for name in "abcdfg"}

    tried = list(edge_variants({"parameters": parameters}))

    assert len(tried) == EDGES
    assert {(numbers["a"], numbers["g"]) for numbers in tried} == set(product((-10000, -1, 0, 1, 10000), repeat=2))


def test_exercise_without_parameters_has_no_edge_variants():
    assert list(edge_variants({"kind": "numeric", "answer": 1})) == []


def test_pinned_keeps_the_numbers_of_the_version_that_was_asked():
    asked = {"parameters": {"d": {"integer": [1, 1000]}, "gone": {"integer": [1, 9]}}}
    later = {"parameters": {"d": {"integer": [5000, 9000]}, "new": {"integer": [1, 9]}}, "prompt": "{{ d }}"}

    for seed in SEEDS[:20]:
        numbers = drawn(pinned(later, asked, seed), seed)

        assert numbers == {"d": drawn(asked, seed)["d"], "new": drawn(later, seed)["new"]}


def test_pinned_leaves_an_exercise_without_common_parameters_alone():
    exercise = {"prompt": "Why?"}

    assert pinned(exercise, {"parameters": WIDTH}, "seed") is exercise
