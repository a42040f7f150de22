# ruff: noqa: E501  (messages stand whole, as authors see them)
"""Variants: where `{{ }}` may stand, and that no student gets one that cannot be solved."""

import pytest

from exercises.content import read_exercise
from graders.outcomes import Verdict
from graders.questions.kinds import grade_response, prompt_of, right_response_of
from tests.exercises.content.folders import (
    BLANKS,
    CHOICE,
    CODE,
    NUMERIC,
    TENSOR,
    TEXT,
    problems_of_exercise,
    write_exercise,
)

WIDTH = "parameters: {d: {choices: [16, 64, 256]}}\n"
VARIANT = NUMERIC.replace("Count.", '"By what, for width {{ d }}?"').replace("5", '"{{ 1 / sqrt(d) }}"') + WIDTH
SEEDS = [f"student {number}" for number in range(50)]


def test_the_answer_of_each_variant_is_accepted(tmp_path):
    exercise = read_exercise(write_exercise(tmp_path, VARIANT)).definition["exercise"]

    outcomes = {grade_response(exercise, right_response_of(exercise, seed), seed).verdict for seed in SEEDS}

    assert outcomes == {Verdict.ACCEPTED}
    assert {prompt_of(exercise, seed) for seed in SEEDS} == {f"By what, for width {width}?" for width in (16, 64, 256)}


def test_declarations_are_kept_as_written(tmp_path):
    yaml = NUMERIC.replace("5", '"{{ a + b + c }}"') + (
        "parameters: {a: {choices: [1, 2]}, b: {integer: [1, 9]}, c: {uniform: [0, 1], decimals: 1}}\n"
    )

    fields = read_exercise(write_exercise(tmp_path, yaml)).definition["exercise"]

    assert fields["parameters"] == {
        "a": {"choices": [1.0, 2.0]},
        "b": {"integer": [1, 9]},
        "c": {"uniform": [0.0, 1.0], "decimals": 1},
    }


@pytest.mark.parametrize(
    "yaml",
    [
        TENSOR.replace("1/3", '"{{ d / 16 }}"') + WIDTH,
        BLANKS.replace("answer: 5", 'answer: "{{ d }}"') + WIDTH,
        CHOICE.replace("Choose.", '"Which one, at width {{ d }}?"') + WIDTH,
        NUMERIC.replace("Count.", '"```python {parameters}\\nx = torch.ones({{ d }})\\n```"') + WIDTH,
        TEXT.replace("Name it.", "'What does {{ x }} do in a template?'"),
        NUMERIC.replace("5", '"{{ d }}"') + "feedback: [{answer: '{{ 2 * d }}', text: Half of it.}]\n" + WIDTH,
    ],
)
def test_braces_are_taken_where_they_may_stand(tmp_path, yaml):
    assert problems_of_exercise(write_exercise(tmp_path, yaml)) == []


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        (VARIANT.replace(WIDTH, ""), "line 5, `answer`: expected `parameters` beside `{{ … }}`, found none"),
        (NUMERIC + WIDTH, "line 6, `parameters.d`: expected {{ d }} in `prompt` or in an `answer`, found it nowhere"),
        (VARIANT + "explanation: It is {{ d }}.", "line 7, `explanation`: {{ d }} is filled in `prompt` and in `answer` only"),
        (VARIANT + "hints: ['Look at {{ sqrt(d) }}.']", "line 7, `hints[1]`: {{ sqrt(d) }} is filled in `prompt` and in `answer` only"),
        (VARIANT.replace("sqrt(d)", "sqrt(w)"), "line 5, `answer`: {{ 1 / sqrt(w) }}: expected a number, found “w”"),
        (VARIANT.replace("1 / sqrt(d)", "1 / (d - 64)"), "line 5, `answer`: {{ 1 / (d - 64) }}: expected a number, found a division by zero (where d = 64)"),
        (VARIANT.replace("1 / sqrt(d)", "sqrt(d - 65)"), "line 5, `answer`: {{ sqrt(d - 65) }}: expected a finite number: this one is not (where d = 64)"),
        (VARIANT.replace("{{ d }}?", "{{ d + }}?"), "line 4, `prompt`: {{ d + }}: expected a number at the end"),
        (VARIANT + "feedback: [{answer: '{{ 4 / d }}', text: a}]", "line 7, `feedback[1].answer`: is within the tolerance of the right answer (where d = 16)"),
        (VARIANT.replace("choices: [16, 64, 256]", ""), "line 6, `parameters.d`: expected one of choices, integer, or uniform with decimals"),
        (VARIANT.replace("choices: [16, 64, 256]", "choices: []"), "line 6, `parameters.d.choices`: expected a list of numbers"),
        (VARIANT.replace("choices: [16, 64, 256]", "choices: [16, wide]"), 'line 6, `parameters.d.choices[2]`: expected a number, found the text "wide"'),
        (VARIANT.replace("choices: [16, 64, 256]", "choice: [16]"), "line 6, `parameters.d.choice`: unknown field; did you mean `choices`?"),
        (VARIANT.replace("choices: [16, 64, 256]", "integer: [1.5, 2]"), "line 6, `parameters.d.integer[1]`: expected a whole number, found the number 1.5"),
        (VARIANT.replace("choices: [16, 64, 256]", "integer: [9, 1]"), "line 6, `parameters.d.integer`: expected the smallest and the largest value, with no more decimals than declared"),
        (VARIANT.replace("choices: [16, 64, 256]", "integer: [1, 9], choices: [1]"), "line 6, `parameters.d`: expected one of choices, integer, or uniform with decimals"),
        (VARIANT.replace("choices: [16, 64, 256]", "uniform: [1, 2], decimals: 9"), "line 6, `parameters.d.decimals`: expected a whole number from 0 to 6, found 9"),
        (VARIANT.replace("{d: {", "{sqrt: {").replace("{{ d }}", "{{ sqrt(4) }}"), "line 6, `parameters.sqrt`: is the name of a constant or a function"),
        (VARIANT.replace("{d: {", "{d-k: {"), "line 6, `parameters`: expected a name such as d or d_k, found 'd-k'"),
        (BLANKS + "parameters: {one: {integer: [1, 9]}}", "line 9, `parameters.one`: is also the name of a gap"),
        (NUMERIC.replace("Count.", '"```python {parameters}\\nx\\n```"'), 'line 4, `prompt`: expected a fence of python, text, bash, json, yaml, toml, `python run` or output, found "python {parameters}"'),
        (CODE + WIDTH, "line 6, `parameters`: `parameters` are for questions that are answered by a response, not for code"),
    ],
)  # fmt: skip
def test_refused(tmp_path, yaml, problem):
    found = problems_of_exercise(write_exercise(tmp_path, yaml))

    assert f"exercise.yaml, {problem}" in found
