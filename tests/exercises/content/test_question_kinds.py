# ruff: noqa: E501  (messages stand whole, as authors see them)
"""The kinds that are answered by a response: what is filled in, and each refusal with its correction."""

import pytest

from exercises.content import read_exercise
from exercises.content.gaps import GAP
from graders.questions import blanks as graders_blanks
from graders.questions.kinds import KINDS, check_question
from tests.exercises.content.folders import (
    BLANKS,
    CHOICE,
    EXPLAIN,
    MATCHING,
    NUMERIC,
    ORDERING,
    TENSOR,
    TEXT,
    problems_of_exercise,
    write_exercise,
)

QUESTIONS = {
    "choice": CHOICE,
    "numeric": NUMERIC,
    "text": TEXT,
    "tensor": TENSOR,
    "blanks": BLANKS,
    "ordering": ORDERING,
    "matching": MATCHING,
    "explain": EXPLAIN,
}


def fields_of(tmp_path, yaml):
    return read_exercise(write_exercise(tmp_path, yaml)).definition["exercise"]


def test_every_kind_that_has_a_grader_can_be_written():
    assert set(QUESTIONS) == set(KINDS)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_what_is_read_can_be_graded(tmp_path, kind):
    exercise = read_exercise(write_exercise(tmp_path, QUESTIONS[kind]))

    check_question(exercise.definition["exercise"])
    assert exercise.kind == kind


@pytest.mark.parametrize(
    ("yaml", "filled"),
    [
        (TEXT, {"accept": [{"exact": "softmax", "pattern": "", "ignore_case": True}], "feedback": []}),
        (TENSOR, {"answer": [[1.0, 0.5], ["1/3", 0.0]], "rtol": 1e-6, "atol": 0.0}),
        (TENSOR + "atol: 0.1", {"rtol": 0.0, "atol": 0.1}),
        (BLANKS, {"blanks": {"one": {"answer": 5.0, "rtol": 1e-6, "atol": 0.0, "feedback": []}, "two": {"accept": [{"exact": "row", "pattern": "", "ignore_case": False}], "feedback": []}}}),
        (ORDERING, {"lines": ["first", "second"], "distractors": [], "indent": False}),
        (MATCHING, {"pairs": [["a", "one"], ["b", "two"]], "distractors": []}),
        (EXPLAIN, {"rubric": [{"criterion": "It says why", "points": 2.0, "description": ""}], "model_answer": ""}),
    ],
)  # fmt: skip
def test_defaults_are_filled_in(tmp_path, yaml, filled):
    fields = fields_of(tmp_path, yaml)

    assert {name: fields[name] for name in filled} == filled


@pytest.mark.parametrize("answer", ["1/3", "-1/3", "5", "0.5", "1e-3"])
def test_a_number_may_be_a_fraction(tmp_path, answer):
    assert problems_of_exercise(write_exercise(tmp_path, NUMERIC.replace("5", answer))) == []


def test_gaps_are_found_as_the_grader_finds_them():
    assert GAP.pattern == graders_blanks._GAP.pattern


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        (TEXT.replace("    ignore_case: true\n", "    pattern: soft\n"), "line 6, `accept[1]`: expected either `exact` or `pattern`, found both"),
        (TEXT.replace("exact: softmax", "exact: ' '"), "line 6, `accept[1]`: expected either `exact` or `pattern`, found neither"),
        (TEXT.replace("exact: softmax", "exact: 5"), 'line 6, `accept[1].exact`: expected text, found the number 5 (put it in quotes: "5")'),
        (TEXT.replace("exact: softmax", "exakt: softmax"), "line 6, `accept[1].exakt`: unknown field; did you mean `exact`?"),
        (TEXT[: TEXT.index("accept")] + "accept: []", "line 5, `accept`: expected 1 to 50 in the list, found 0"),
        (TEXT[: TEXT.index("accept")] + "accept: softmax", 'line 5, `accept`: expected a list, found the text "softmax"'),
        (TEXT + "  - {exact: softmax, ignore_case: true}\n", "line 8, `accept[2]`: the same as one before"),
        (TEXT.replace("exact: softmax", "pattern: '(a'"), "line 6, `accept[1].pattern`: cannot be matched in linear time: missing ): (a"),
        (TEXT.replace("exact: softmax", "pattern: '(a)\\1'"), "line 6, `accept[1].pattern`: cannot be matched in linear time: invalid escape sequence: \\1"),
        (TEXT + "feedback: [{pattern: '(', text: x}]", "line 8, `feedback[1].pattern`: cannot be matched in linear time: missing ): ("),
        (TEXT + "feedback: [{pattern: a}]", "line 8, `feedback[1].text`: expected this field, found none"),
        (TEXT + "feedback: [{pattern: a, text: '$\\foo$'}]", "line 8, `feedback[1].text`: the formula $\\foo$ uses \\foo, which is not known"),
        (TEXT.replace("exact: softmax", "exact: " + "a" * 1001), "line 5, `accept`: cannot be handed in: expected at most 1000 characters, found 1001"),
        (TENSOR.replace("1/3", "third"), 'line 5, `answer[2][1]`: expected a number, found the text "third"'),
        (TENSOR.replace("1/3", "1/0"), 'line 5, `answer[2][1]`: expected a number, found the text "1/0"'),
        (TENSOR.replace("1/3", "true"), "line 5, `answer[2][1]`: expected a number, found true"),
        (TENSOR.replace("1/3", '"1e-3 "'), 'line 5, `answer[2][1]`: expected a number, found the text "1e-3 " (a space behind it)'),
        (TENSOR.replace("1/3", ".inf"), "line 5, `answer[2][1]`: expected a finite number, found the number inf"),
        (TENSOR.replace("1/3, ", ""), "line 5, `answer[2]`: expected 2 entries, as in the first row, found 1 entry"),
        (TENSOR.replace("[1/3, 0]", "3"), "line 5, `answer[2]`: expected 2 entries, as in the first row, found a number"),
        (TENSOR.replace("[[1, 0.5], [1/3, 0]]", "[1, [2]]"), "line 5, `answer[2]`: expected a number, as in the first row, found 1 entry"),
        (TENSOR.replace("[[1, 0.5], [1/3, 0]]", "[1, {a: 2}]"), "line 5, `answer[2]`: expected a number, found a mapping"),
        (TENSOR.replace("[[1, 0.5], [1/3, 0]]", "5"), "line 5, `answer`: expected a list of numbers, or of lists; one number alone is of the kind `numeric`"),
        (TENSOR.replace("answer: [[1, 0.5], [1/3, 0]]\n", ""), "line 1, `answer`: expected this field, found none"),
        (TENSOR.replace("[[1, 0.5], [1/3, 0]]", "[[[[[[[1]]]]]]]"), "line 5, `answer`: expected lists nested at most 6 deep"),
        (TENSOR + "rtol: -1", "line 6, `rtol`: expected a number of at least 0, found the number -1"),
        (BLANKS.replace("{{one}}", "one"), "line 7, `blanks.one`: expected the gap {{one}} in `template`, found none"),
        (BLANKS.replace("{{two}}", "{{two}} {{three}}"), "line 5, `template`: expected `blanks.three` for the gap {{three}}, found none"),
        (BLANKS.replace("{{two}}", "{{two}} {{two}}"), "line 5, `template`: the gap {{two}} stands twice; give each gap its own name"),
        (BLANKS.replace("a {{one}}", "$a {{one}}$"), "line 5, `template`: the gap {{one}} stands in a formula or an address; put it into text or code"),
        (BLANKS.replace("a {{one}}", "[a](https://a.org/{{one}})"), "line 5, `template`: the gap {{one}} stands in a formula or an address; put it into text or code"),
        (BLANKS.replace('"a {{one}} and `b {{two}}`"', "none"), "line 5, `template`: expected at least one gap, such as {{answer}}, found none"),
        (BLANKS.replace("{answer: 5}", "{}"), "line 7, `blanks.one`: expected either `answer` (a number) or `accept` (texts)"),
        (BLANKS.replace("{answer: 5}", "{answer: 5, accept: [{exact: a}]}"), "line 7, `blanks.one`: expected either `answer` (a number) or `accept` (texts)"),
        (BLANKS.replace("{answer: 5}", "5"), "line 7, `blanks.one`: expected a mapping, found the number 5"),
        (BLANKS.replace("{answer: 5}", "{answer: five}"), 'line 7, `blanks.one.answer`: expected a number, found the text "five"'),
        (BLANKS.replace("{answer: 5}", "{answer: 5, rtool: 1}"), "line 7, `blanks.one.rtool`: unknown field; did you mean `rtol`?"),
        (BLANKS.replace("{answer: 5}", "{answer: 5, feedback: [{answer: 5, text: a}]}"), "line 7, `blanks.one.feedback[1].answer`: expected a wrong number, found one that is accepted"),
        (BLANKS.replace("{accept: [{exact: row}]}", "{accept: [{}]}"), "line 8, `blanks.two.accept[1]`: expected either `exact` or `pattern`, found neither"),
        (BLANKS.replace("{accept: [{exact: row}]}", "{accept: [{exact: row}], rtol: 1}"), "line 8, `blanks.two.rtol`: unknown field; known here: accept, feedback"),
        (BLANKS.replace("{accept: [{exact: row}]}", "{accept: [{pattern: '('}]}"), "line 8, `blanks.two.accept[1].pattern`: cannot be matched in linear time: missing ): ("),
        (BLANKS.replace("two", "class"), 'line 8, `blanks.class`: expected the name of a variable, found the text "class"'),
        (BLANKS.replace("`b {{two}}`", "`b {{two}}` $\\\\foo$"), "line 5, `template`: the formula $\\foo$ uses \\foo, which is not known"),
        (ORDERING.replace("  - second\n", ""), "line 5, `lines`: expected 2 to 40 in the list, found 1"),
        (ORDERING.replace("second", "first"), "line 5, `lines`: expected lines that differ, found one line several times"),
        (ORDERING.replace("second", '"  second"'), "line 7, `lines[2]`: expected no indentation without `indent: true`, found some"),
        (ORDERING.replace("second", '"a\\nb"'), "line 7, `lines[2]`: expected one line, found several"),
        (ORDERING.replace("second", "'$\\foo$'"), "line 7, `lines[2]`: the formula $\\foo$ uses \\foo, which is not known"),
        (ORDERING + "distractors: [first]", 'line 8, `distractors[1]`: "first" is also one of the lines'),
        (ORDERING + "distractors: [a, ' a']", 'line 8, `distractors[2]`: "a" is given twice'),
        (ORDERING.replace("second", '"   second"').replace("first", '"  first"') + "indent: true", "line 7, `lines[2]`: expected an indentation in steps of 2 spaces"),
        (ORDERING.replace("second", '"\\tsecond"') + "indent: true", "line 7, `lines[2]`: expected an indentation in steps of 1 spaces"),
        (MATCHING.replace("  - [b, two]\n", ""), "line 5, `pairs`: expected 2 to 26 in the list, found 1"),
        (MATCHING.replace("[b, two]", "[b]"), "line 7, `pairs[2]`: expected two texts, [left, right], found 1"),
        (MATCHING.replace("[b, two]", "[b, two, three]"), "line 7, `pairs[2]`: expected two texts, [left, right], found 3"),
        (MATCHING.replace("[b, two]", "b: two"), "line 7, `pairs[2]`: expected a list, found a mapping"),
        (MATCHING.replace("[b, two]", "[a, two]"), 'line 7, `pairs[2]`: "a" stands on the left twice'),
        (MATCHING.replace("two", "one"), "line 5, `pairs`: expected texts on the right that differ, found one for all"),
        (MATCHING.replace("[b, two]", "['$\\foo$', two]"), "line 7, `pairs[2][1]`: the formula $\\foo$ uses \\foo, which is not known"),
        (MATCHING + "distractors: [one]", 'line 8, `distractors[1]`: "one" belongs to a pair'),
        (MATCHING + "distractors: [c, c]", 'line 8, `distractors[2]`: "c" is given twice'),
        (EXPLAIN.replace("points: 2", "points: 0"), "line 6, `rubric[1].points`: expected a number above 0, found the number 0"),
        (EXPLAIN.replace("points: 2", "points: 0.125"), "line 6, `rubric[1].points`: expected at most two decimals, found the number 0.125"),
        (EXPLAIN.replace(", points: 2", ""), "line 6, `rubric[1].points`: expected this field, found none"),
        (EXPLAIN.replace("It says why", "' '"), "line 6, `rubric[1].criterion`: expected text, found none"),
        (EXPLAIN + "  - {criterion: It says why, points: 1}", 'line 7, `rubric[2].criterion`: "It says why" is given twice'),
        (EXPLAIN[: EXPLAIN.index("rubric")] + "rubric: []", "line 5, `rubric`: expected 1 to 20 in the list, found 0"),
        (EXPLAIN + "model_answer: '$\\foo$'", "line 7, `model_answer`: the formula $\\foo$ uses \\foo, which is not known"),
    ],
)  # fmt: skip
def test_refused(tmp_path, yaml, problem):
    found = problems_of_exercise(write_exercise(tmp_path, yaml))

    assert f"exercise.yaml, {problem}" in found
    assert len(found) == len({line.split(":")[0] for line in found})
