# ruff: noqa: E501  (messages stand whole, as authors see them)
import pytest

from exercises.content import read_exercise
from graders.properties import WORDS
from tests.exercises.content.folders import CODE, problems_of_exercise, write_exercise

EVERYTHING = """\
inputs_unchanged: true
gradients: [x, layer.0.weight]
forbid:
  names: [softmax, torch.nn.functional]
  operators: ["aten::mm", aten.bmm, mm]
  loops: true
properties:
  - property: sums_to(output, 1, dim=-1)
  - {property: "causal(key, value, dim=-2)", points: 2.5}
training: {metric: accuracy, at_least: 0.9, steps: 200, seed: 3}
"""
NOTHING = {
    "gradients": [],
    "inputs_unchanged": False,
    "forbid": {"names": [], "operators": [], "loops": False},
    "properties": [],
    "training": None,
}


def fields_of(tmp_path, text):
    return read_exercise(write_exercise(tmp_path, text)).definition["exercise"]


def test_nothing_is_demanded_beside_values_by_default(tmp_path):
    fields = fields_of(tmp_path, CODE)

    assert {name: fields[name] for name in NOTHING} == NOTHING


def test_demands_are_read(tmp_path):
    fields = fields_of(tmp_path, CODE + EVERYTHING)

    assert fields["inputs_unchanged"] is True
    assert fields["gradients"] == ["x", "layer.0.weight"]
    assert fields["forbid"] == {
        "names": ["softmax", "torch.nn.functional"],
        "operators": ["aten::mm", "aten.bmm", "mm"],
        "loops": True,
    }
    assert fields["properties"] == [
        {"property": "sums_to(output, 1, dim=-1)", "points": 1.0},
        {"property": "causal(key, value, dim=-2)", "points": 2.5},
    ]
    assert fields["training"] == {"metric": "accuracy", "at_most": None, "at_least": 0.9, "steps": 200, "seed": 3}


@pytest.mark.parametrize(
    "line", [line for line in EVERYTHING.splitlines() if not line.startswith(" ") and ": " in line]
)
def test_demand_changes_the_grading_hash(tmp_path, line):
    plain = read_exercise(write_exercise(tmp_path / "plain", CODE))
    asked = read_exercise(write_exercise(tmp_path / "asked", CODE + line))

    assert plain.grading_hash != asked.grading_hash


@pytest.mark.parametrize(
    ("text", "reveal"),
    [
        ("", None),
        ("reveal: {after: 3}", {"after": 3, "at_closing": False}),
        ("reveal: {at_closing: true}", {"after": None, "at_closing": True}),
        ("reveal: {after: 3, at_closing: true}", {"after": 3, "at_closing": True}),
    ],
)
def test_reveal_is_read_and_judges_nothing(tmp_path, text, reveal):
    plain = read_exercise(write_exercise(tmp_path / "plain", CODE))
    revealing = read_exercise(write_exercise(tmp_path / "revealing", CODE + text))

    assert revealing.definition["exercise"]["reveal"] == reveal
    assert revealing.grading_hash == plain.grading_hash


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("reveal: {at_closing: false}", "line 6, `reveal`: expected `after` or `at_closing: true`, found neither"),
        ("reveal: {after: 0}", "line 6, `reveal.after`: expected a number of at least 1, found the number 0"),
        ("reveal: 3", "line 6, `reveal`: expected a mapping, found the number 3"),
        ("reveal: {hand_ins: 3}", "line 6, `reveal.hand_ins`: unknown field; known here: after, at_closing"),
        ("gradients: x", 'line 6, `gradients`: expected a list, found the text "x"'),
        ("gradients: [x, x]", 'line 6, `gradients[2]`: "x" is given twice'),
        (
            "gradients: [2x]",
            'line 6, `gradients[1]`: expected the name of an argument, or of a parameter such as layer.weight, found the text "2x"',
        ),
        ("inputs_unchanged: 1", "line 6, `inputs_unchanged`: expected true or false, found the number 1"),
        ("forbid: [softmax]", "line 6, `forbid`: expected a mapping, found a list"),
        ("forbid: {name: [softmax]}", "line 6, `forbid.name`: unknown field; did you mean `names`?"),
        (
            "forbid: {names: [a b]}",
            'line 6, `forbid.names[1]`: expected a name such as softmax or torch.softmax, found the text "a b"',
        ),
        (
            "forbid: {names: [a., a]}",
            'line 6, `forbid.names[1]`: expected a name such as softmax or torch.softmax, found the text "a."',
        ),
        ("forbid: {names: [a, a]}", 'line 6, `forbid.names[2]`: "a" is given twice'),
        (
            "forbid: {operators: ['@']}",
            'line 6, `forbid.operators[1]`: expected an operator such as aten::mm or mm, found the text "@"',
        ),
        ("forbid: {operators: [mm, mm]}", 'line 6, `forbid.operators[2]`: "mm" is given twice'),
        ("properties: [causal]", 'line 6, `properties[1]`: expected a mapping, found the text "causal"'),
        ("properties: [{points: 2}]", "line 6, `properties[1].property`: expected this field, found none"),
        (
            "properties: [{property: odd(x), points: -1}]",
            "line 6, `properties[1].points`: expected a number of at least 0, found the number -1",
        ),
        (
            "properties: [{property: odd(x)}, {property: odd(x)}]",
            'line 6, `properties[2].property`: "odd(x)" is given twice',
        ),
        (
            "properties: [{property: 'odd(x, y)'}]",
            'line 6, `properties[1].property`: expected odd(argument), found "odd(x, y)"',
        ),
        (
            "properties: [{property: 'sums_to(output, 1)'}]",
            'line 6, `properties[1].property`: expected sums_to(output, total, dim=…), found "sums_to(output, 1)"',
        ),
        (
            "properties: [{property: pretty(x)}]",
            "line 6, `properties[1].property`: expected one of "
            + ", ".join(WORDS)
            + ' with its arguments, found "pretty(x)"',
        ),
        ("training: {metric: mse}", "line 6, `training`: expected `at_most` or `at_least`, found neither"),
        (
            "training: {metric: loss, at_most: 1}",
            'line 6, `training.metric`: expected `mse`, `rmse`, `mae`, `accuracy` or `cross_entropy`, found the text "loss"',
        ),
        (
            "training: {metric: mse, at_most: 1, steps: 0}",
            "line 6, `training.steps`: expected a number of at least 1, found the number 0",
        ),
        (
            "training: {metric: mse, at_most: .nan}",
            "line 6, `training.at_most`: expected a finite number, found the number nan",
        ),
        ("training: {at_most: 1}", "line 6, `training.metric`: expected this field, found none"),
        ("forbid: {loops: always}", 'line 6, `forbid.loops`: expected true or false, found the text "always"'),
    ],
)
def test_demand_that_cannot_be_meant_is_refused(tmp_path, text, problem):
    assert problems_of_exercise(write_exercise(tmp_path, CODE + text)) == [f"exercise.yaml, {problem}"]
