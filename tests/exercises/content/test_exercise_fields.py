# ruff: noqa: E501  (messages stand whole, as authors see them)
import pytest

from exercises.content import read_exercise
from tests.exercises.content.folders import CHOICE, CODE, NUMERIC, SCRIPT, problems_of_exercise, write_exercise

KNOWN_TO_NUMERIC = (
    "format, kind, title, prompt, points, difficulty, tags, misconceptions, hints, explanation, "
    "parameters, rtol, atol, answer, feedback"
)
KINDS = "`choice`, `numeric`, `text`, `tensor`, `blanks`, `ordering`, `matching`, `explain`, `code`, `script`"


def test_choice_is_filled_up_with_defaults(tmp_path):
    exercise = read_exercise(write_exercise(tmp_path, CHOICE))

    assert (exercise.slug, exercise.kind, exercise.title, str(exercise.points)) == (
        "an-exercise",
        "choice",
        "Which one",
        "1.00",
    )
    assert exercise.definition == {
        "exercise": {
            "format": 1,
            "kind": "choice",
            "title": "Which one",
            "prompt": "Choose.",
            "points": 1.0,
            "difficulty": "medium",
            "tags": [],
            "misconceptions": [],
            "hints": [],
            "explanation": "",
            "parameters": {},
            "options": [
                {"text": "this", "correct": True, "feedback": ""},
                {"text": "that", "correct": False, "feedback": "Not that."},
            ],
            "multiple": False,
            "shuffle": True,
            "partial_credit": False,
        },
        "files": {"exercise.yaml": CHOICE},
    }


@pytest.mark.parametrize(
    ("fields", "tolerances"),
    [("", (1e-6, 0.0)), ("rtol: 1e-3", (1e-3, 0.0)), ("atol: 0.5", (0.0, 0.5)), ("rtol: 0\natol: 1", (0.0, 1.0))],
)
def test_tolerances_of_a_number(tmp_path, fields, tolerances):
    fields = read_exercise(write_exercise(tmp_path, NUMERIC + fields)).definition["exercise"]

    assert (fields["rtol"], fields["atol"]) == tolerances


def test_code_is_filled_up_with_defaults(tmp_path):
    definition = read_exercise(write_exercise(tmp_path, CODE)).definition

    fields = definition["exercise"]
    assert fields["compare"] == {
        "rtol": None,
        "atol": None,
        "dtypes": "exact",
        "allow": [],
        "equal_nan": False,
        "signed_zero": False,
    }
    assert fields["limits"] == {"cpu_seconds": 4.0, "memory_mb": 512, "tasks": 64}
    assert (fields["entry"], fields["draws"], fields["mistakes"]) == ("double", 3, {})
    assert set(definition["files"]) == {"exercise.yaml", "starter.py", "reference.py", "cases.py"}


def test_script_collects_or_prints(tmp_path):
    fields = read_exercise(write_exercise(tmp_path, SCRIPT + "stdout: true\n")).definition["exercise"]

    assert (fields["collect"], fields["stdout"]) == (["x"], True)


@pytest.mark.parametrize("dtypes", ["exact", "kind", "any", "[float32, bool]"])
def test_dtypes(tmp_path, dtypes):
    folder = write_exercise(tmp_path, CODE + f"compare: {{dtypes: {dtypes}, allow: [numpy, scalars]}}\n")

    assert problems_of_exercise(folder) == []


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        (CODE + "compare:\n  rtol: \"1e-3 \"\n  atol: 0", 'line 7, `compare.rtol`: expected a number, found the text "1e-3 " (a space behind it)'),
        (CODE + "compare:\n  rtol: \" 1e-3\"\n  atol: 0", 'line 7, `compare.rtol`: expected a number, found the text " 1e-3" (a space before it)'),
        (CODE + "compare:\n  rtol: '1e-3'\n  atol: 0", 'line 7, `compare.rtol`: expected a number, found the text "1e-3" (take the quotes away)'),
        (CODE + "compare: {rtol: -1, atol: 0}", "line 6, `compare.rtol`: expected a number of at least 0, found the number -1"),
        (CODE + "compare: {rtol: 2, atol: 0}", "line 6, `compare.rtol`: expected a number of at most 1, found the number 2"),
        (CODE + "compare: {rtol: .nan, atol: 0}", "line 6, `compare.rtol`: expected a finite number, found the number nan"),
        (CODE + "compare: {rtol: 0, atol: .inf}", "line 6, `compare.atol`: expected a finite number, found the number inf"),
        (CODE + "compare: {rtol: 0, atol: -0.1}", "line 6, `compare.atol`: expected a number of at least 0, found the number -0.1"),
        (CODE + "compare: {rtol: 0}", "line 6, `compare.rtol`: expected `atol` beside `rtol`, found it alone; give both or neither"),
        (CODE + "compare: {atol: 0}", "line 6, `compare.atol`: expected `rtol` beside `atol`, found it alone; give both or neither"),
        (CODE + "compare: {rtoll: 0}", "line 6, `compare.rtoll`: unknown field; did you mean `rtol`?"),
        (CODE + "compare: {allow: [lists]}", 'line 6, `compare.allow[1]`: expected `numpy` or `scalars`, found the text "lists"'),
        (CODE + "compare: {allow: [numpy, numpy]}", 'line 6, `compare.allow[2]`: "numpy" is given twice'),
        (CODE + "compare: {dtypes: same}", 'line 6, `compare.dtypes`: expected `exact`, `kind`, `any` or a list of dtypes, found the text "same"'),
        (CODE + "compare: {dtypes: []}", "line 6, `compare.dtypes`: expected `exact`, `kind`, `any` or a list of dtypes, found nothing"),
        (CODE + "compare: {dtypes: 3}", "line 6, `compare.dtypes`: expected `exact`, `kind`, `any` or a list of dtypes, found the number 3"),
        (CODE + "compare: {dtypes: [float31]}", 'line 6, `compare.dtypes`: expected dtypes such as float32, found the text "float31"'),
        (CODE + "compare: 1e-3", "line 6, `compare`: expected a mapping, found the number 0.001"),
        (CODE + "draws: 0", "line 6, `draws`: expected a number of at least 1, found the number 0"),
        (CODE + "draws: 2.5", "line 6, `draws`: expected a whole number, found the number 2.5"),
        (CODE + "draws: true", "line 6, `draws`: expected a whole number, found true"),
        (CODE + "limits: {cpu_seconds: 0}", "line 6, `limits.cpu_seconds`: expected a number above 0, found the number 0"),
        (CODE + "limits: {memory_mb: 99999}", "line 6, `limits.memory_mb`: expected a number of at most 8192, found the number 99999"),
        (CODE + "limits: {wall: 9}", "line 6, `limits.wall`: unknown field; known here: cpu_seconds, memory_mb, tasks"),
        (CODE + "mistakes: {No_1: {title: a, feedback: b}}", 'line 6, `mistakes.No_1`: expected small letters, digits and single hyphens, found "No_1"'),
        (CODE + "mistakes: [a]", "line 6, `mistakes`: expected a mapping, found a list"),
        (CODE + "mistakes: {a: {title: b}}", "line 6, `mistakes.a.feedback`: expected this field, found none"),
        (CODE + "mistakes: {a: {title: b, feedback: c, text: d}}", "line 6, `mistakes.a.text`: unknown field; known here: title, feedback"),
        (CODE.replace("entry: double", "entry: 2x"), 'line 5, `entry`: expected the name of a variable, found the text "2x"'),
        (CODE.replace("entry: double", "entry: class"), 'line 5, `entry`: expected the name of a variable, found the text "class"'),
        (CODE.replace("entry: double\n", ""), "line 1, `entry`: expected this field, found none"),
        (
            CODE + "mutants: {equivalent: [{change: a → b}]}",
            "line 6, `mutants.equivalent[1].reason`: expected this field, found none",
        ),
        (
            CODE + "mutants: {equivalent: [{change: a, reason: r}, {change: a, reason: s}]}",
            'line 6, `mutants.equivalent[2].change`: "a" is given twice',
        ),
        (CODE + "parameters: {}", "line 6, `parameters`: `parameters` are for questions that are answered by a response, not for code"),
        (SCRIPT.replace("collect: [x]\n", ""), "line 1: expected `collect: [names of variables]` or `stdout: true`, found neither"),
        (SCRIPT.replace("[x]", "[x, x]"), 'line 5, `collect[2]`: "x" is given twice'),
        (SCRIPT.replace("[x]", "[a b]"), 'line 5, `collect[1]`: expected the name of a variable, found the text "a b"'),
        (SCRIPT.replace("[x]", "x"), 'line 5, `collect`: expected a list, found the text "x"'),
        (SCRIPT + "entry: f", "line 6, `entry`: unknown field; known here: format, kind, title, prompt, points, difficulty, tags, misconceptions, hints, explanation, compare, limits, mistakes, mutants, collect, stdout"),
        (CHOICE.replace("    correct: true\n", ""), "line 5, `options`: expected one option with `correct: true`, found none"),
        (CHOICE + "    correct: true\n", "line 5, `options`: expected one option with `correct: true`, found 2"),
        (CHOICE.replace("    correct: true\n", "") + "multiple: true", "line 5, `options`: expected at least one option with `correct: true`, found none"),
        (CHOICE + "partial_credit: true", "line 10, `partial_credit`: expected `multiple: true` beside `partial_credit: true`, found one right option"),
        (CHOICE.replace("that\n", "' this '\n"), "line 8, `options[2].text`: the same as option 1"),
        (CHOICE[: CHOICE.index("  - text: that")], "line 5, `options`: expected 2 to 26 in the list, found 1"),
        (CHOICE[: CHOICE.index("options")] + "options: " + str([{"text": str(n)} for n in range(27)]).replace("'", '"'), "line 5, `options`: expected 2 to 26 in the list, found 27"),
        (CHOICE.replace("text: that", "text: 1"), 'line 8, `options[2].text`: expected text, found the number 1 (put it in quotes: "1")'),
        (CHOICE.replace("text: that", "text: ' '"), "line 8, `options[2].text`: expected text, found none"),
        (CHOICE.replace("correct: true", 'correct: "true"'), 'line 7, `options[1].correct`: expected true or false, found the text "true" (take the quotes away)'),
        (CHOICE.replace("    feedback", "    fedback"), "line 9, `options[2].fedback`: unknown field; did you mean `feedback`?"),
        (CODE + "draws: 4/2", 'line 6, `draws`: expected a whole number, found the text "4/2" (write 2)'),
        (NUMERIC.replace("answer: 5", "answer: 0,5"), 'line 5, `answer`: expected a number, found the text "0,5" (write a point for the comma)'),
        (NUMERIC.replace("answer: 5", "answer: five"), 'line 5, `answer`: expected a number, found the text "five"'),
        (NUMERIC.replace("answer: 5", "answer:"), "line 5, `answer`: expected a number, found nothing"),
        (NUMERIC + "feedback: [{answer: 5.0000001, text: x}]", "line 6, `feedback[1].answer`: expected a wrong number, found one that is accepted"),
        (NUMERIC + "feedback: [{answer: 6, text: x}, {answer: 6.0, text: y}]", "line 6, `feedback[2].answer`: the number 6 is given twice"),
        (NUMERIC + "size: 3", "line 6, `size`: unknown field; known here: " + KNOWN_TO_NUMERIC),
        (NUMERIC + "points: -1", "line 6, `points`: expected a number of at least 0, found the number -1"),
        (NUMERIC + "points: 0.125", "line 6, `points`: expected at most two decimals, found the number 0.125"),
        (NUMERIC + "points: 1e6", "line 6, `points`: expected a number of at most 99999.99, found the number 1000000"),
        (NUMERIC + "difficulty: simple", 'line 6, `difficulty`: expected `easy`, `medium` or `hard`, found the text "simple"'),
        (NUMERIC + "tags: [a, a]", 'line 6, `tags[2]`: "a" is given twice'),
        (NUMERIC + "misconceptions: [a, a]", 'line 6, `misconceptions[2]`: "a" is given twice'),
        (NUMERIC + "hints: one", 'line 6, `hints`: expected a list, found the text "one"'),
        (NUMERIC + "hints: [{a: b}]", "line 6, `hints[1]`: expected text, found a mapping"),
        (NUMERIC.replace("format: 1", "format: 2"), "line 1, `format`: expected 1, found the number 2"),
        (NUMERIC.replace("format: 1\n", ""), "line 1, `format`: expected this field, found none"),
        (NUMERIC.replace("How much", "x" * 201), "line 3, `title`: expected at most 200 characters, found the text \"" + "x" * 57 + "…\""),
        (NUMERIC.replace("Count.", '"a\\nb"\ntitle: x'), "line 5, `title`: given twice, first in line 3"),
        (NUMERIC.replace("numeric", "number"), f'line 2, `kind`: expected {KINDS}, found the text "number"'),
        (NUMERIC.replace("kind: numeric\n", ""), f"line 1, `kind`: expected {KINDS}, found nothing"),
        ("- 1", "line 1: expected fields, found a list"),
        ("", "line 1: expected fields, found nothing"),
    ],
)  # fmt: skip
def test_refused(tmp_path, yaml, problem):
    found = problems_of_exercise(write_exercise(tmp_path, yaml))

    assert f"exercise.yaml, {problem}" in found
    assert len(found) == len({line.split(":")[0] for line in found})


def test_all_problems_are_found_in_the_order_of_their_lines(tmp_path):
    yaml = NUMERIC.replace("How much", "{{ x }}") + "points: a lot\nsize: 3\nhints: [yes]\n"

    found = problems_of_exercise(write_exercise(tmp_path, yaml))

    assert [problem.split(":")[0] for problem in found] == [
        "exercise.yaml, line 3, `title`",
        "exercise.yaml, line 6, `points`",
        "exercise.yaml, line 7, `size`",
        "exercise.yaml, line 8, `hints[1]`",
    ]


@pytest.mark.parametrize(
    ("yaml", "problem"),
    [
        (NUMERIC.replace("Count.", "|\n  Count\n\n  $\\foo$"), "line 7, `prompt`: the formula $\\foo$ uses \\foo, which is not known"),
        (NUMERIC + "hints:\n  - Of $\\frac{1$.", "line 7, `hints[1]`: the formula $\\frac{1$ leaves 1 brace open"),
        (NUMERIC + "explanation: '::: exercise other'", "line 6, `explanation`: `::: exercise` stands in lessons only"),
        (NUMERIC + "explanation: 'x 5{check: y}'", "line 6, `explanation`: a {check: …} stands in lessons only"),
        (NUMERIC + "explanation: |\n  ```python run\n  x\n  ```", "line 7, `explanation`: a `python run` fence stands in lessons only; write ```python"),
        (NUMERIC + "feedback:\n  - answer: 6\n    text: '$\\foo$'", "line 8, `feedback[1].text`: the formula $\\foo$ uses \\foo, which is not known"),
        (CHOICE.replace("text: that", "text: '$\\foo$'"), "line 8, `options[2].text`: the formula $\\foo$ uses \\foo, which is not known"),
        (CHOICE.replace("Not that.", "'$\\foo$'"), "line 9, `options[2].feedback`: the formula $\\foo$ uses \\foo, which is not known"),
        (NUMERIC.replace("Count.", "'![a dog](assets/dog.png)'"), "line 4, `prompt`: expected the picture assets/dog.png, found none"),
    ],
)  # fmt: skip
def test_markdown_is_checked(tmp_path, yaml, problem):
    assert f"exercise.yaml, {problem}" in problems_of_exercise(write_exercise(tmp_path, yaml))
