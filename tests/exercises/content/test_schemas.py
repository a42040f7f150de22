import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from exercises.content.kinds import KINDS
from exercises.content.schemas import SCHEMA_NAMES, schema_file, schema_of
from exercises.content.yamltext import read_yaml
from tests.exercises.content.folders import (
    BLANKS,
    CHOICE,
    CODE,
    COURSE,
    EXPLAIN,
    MATCHING,
    NUMERIC,
    ORDERING,
    SCRIPT,
    TENSOR,
    TEXT,
    problems_of_course,
    problems_of_exercise,
    write_course,
    write_exercise,
)

ROOT = Path(__file__).parents[3]
SHIPPED = [*ROOT.glob("exercises/courses/*/course.yaml"), *ROOT.glob("exercises/courses/*/exercises/*/exercise.yaml")]
BEGINNINGS = sorted(ROOT.glob("exercises/content/beginnings/*/exercise.yaml"))
TRIED = sorted(ROOT.glob("tests/*/exercises/*/exercise.yaml"))
CODE_WITH = CODE + "mistakes: {halved: {title: Halved, feedback: Look.}}\n"

NEAR_MISSES = [
    ("no kind", NUMERIC.replace("kind: numeric\n", "")),
    ("an unknown kind", NUMERIC.replace("numeric", "number")),
    ("another format", NUMERIC.replace("format: 1", "format: 2")),
    ("an unknown field", NUMERIC + "colour: red\n"),
    ("a field of another kind", NUMERIC + "shuffle: true\n"),
    ("no title", NUMERIC.replace("title: How much\n", "")),
    ("a blank title", NUMERIC.replace("How much", "' '")),
    ("a long title", NUMERIC.replace("How much", "a" * 201)),
    ("a text for a number", NUMERIC + "points: many\n"),
    ("too many points", NUMERIC + "points: 100000\n"),
    ("an unknown difficulty", NUMERIC + "difficulty: harsh\n"),
    ("a text for a list", NUMERIC + "hints: think\n"),
    ("a blank hint", NUMERIC + "hints: ['']\n"),
    ("no answer", NUMERIC.replace("answer: 5\n", "")),
    ("an answer in words", NUMERIC.replace("5", "five")),
    ("a tolerance above one", NUMERIC + "rtol: 2\n"),
    ("one option", CHOICE.replace("  - text: that\n    feedback: Not that.\n", "")),
    ("an option without text", CHOICE.replace("text: that", "feedbak: that")),
    ("nothing accepted", TEXT.replace("accept:\n  - exact: softmax\n    ignore_case: true", "accept: []")),
    ("a text in a tensor", TENSOR.replace("1/3", "a third")),
    ("a number for a tensor", TENSOR.replace("[[1, 0.5], [1/3, 0]]", "5")),
    ("a gap of both kinds", BLANKS.replace("{answer: 5}", "{answer: 5, accept: [{exact: a}]}")),
    ("a gap without a name", BLANKS.replace("  one:", "  1a:").replace("{{one}}", "{{1a}}")),
    ("one line", ORDERING.replace("  - second\n", "")),
    ("three in a pair", MATCHING.replace("[b, two]", "[b, two, c]")),
    ("a criterion for nothing", EXPLAIN.replace("points: 2", "points: 0")),
    ("an entry that is no name", CODE.replace("entry: double", "entry: 2x")),
    ("no draws", CODE + "draws: 0\n"),
    ("an unknown dtype", CODE + "compare: {dtypes: [float31]}\n"),
    ("an unknown word for dtypes", CODE + "compare: {dtypes: same}\n"),
    ("an unknown limit", CODE + "limits: {seconds: 4}\n"),
    ("a slug with a capital", CODE_WITH.replace("halved:", "Halved:")),
    ("a mistake without feedback", CODE_WITH.replace(", feedback: Look.", "")),
    ("an unknown property", CODE + "properties: [{property: 'nice(output)'}]\n"),
    ("an unknown metric", CODE + "training: {metric: luck, at_most: 1}\n"),
    ("a forbidden name that is none", CODE + "forbid: {names: ['a b']}\n"),
    ("a variable that is no name", SCRIPT.replace("[x]", "['1']")),
]
NEAR_MISSES_OF_COURSES = [
    ("no title", "lessons: [first]\n"),
    ("lessons in one text", "title: A\nlessons: first\n"),
    ("a lesson that is no slug", "title: A\nlessons: [First]\n"),
    ("an unknown field", COURSE + "colour: red\n"),
    ("an unknown time zone", COURSE + "time_zone: Berlin\n"),
    ("a share above one", COURSE + "mutation_score: 95\n"),
    ("a word for a truth value", COURSE + "self_paced: 'true'\n"),
]


def as_json(value):
    return (
        list(map(as_json, value))
        if isinstance(value, tuple)
        else value
        if not isinstance(value, dict)
        else {key: as_json(item) for key, item in value.items()}
    )


def errors(name, text):
    """What the schema says of a file, read as we read YAML."""
    validator = Draft202012Validator(schema_of(name))
    return [error.message for error in validator.iter_errors(as_json(read_yaml(text, "a.yaml").value))]


@pytest.mark.parametrize("name", SCHEMA_NAMES)
def test_schemas_are_schemas(name):
    Draft202012Validator.check_schema(schema_of(name))

    assert json.loads(schema_file(name)) == schema_of(name)


@pytest.mark.parametrize("file", SHIPPED + BEGINNINGS + TRIED, ids=lambda file: str(file.relative_to(ROOT)))
def test_files_of_ours_fit(file):
    text = file.read_text()
    if file in TRIED and read_yaml(text, file.name).problems:
        # A file that is refused while it is read as YAML: there is nothing to hold against a schema.
        return

    assert errors(file.stem, text) == []


@pytest.mark.parametrize("yaml", [BLANKS, CHOICE, CODE, EXPLAIN, MATCHING, NUMERIC, ORDERING, SCRIPT, TENSOR, TEXT])
def test_small_exercises_fit(yaml):
    assert errors("exercise", yaml) == []


@pytest.mark.parametrize(("what", "yaml"), NEAR_MISSES, ids=[what for what, _ in NEAR_MISSES])
def test_near_miss_of_an_exercise_is_refused_by_both(tmp_path, what, yaml):
    assert errors("exercise", yaml) != []
    assert [problem for problem in problems_of_exercise(write_exercise(tmp_path, yaml)) if "exercise.yaml" in problem]


@pytest.mark.parametrize(("what", "yaml"), NEAR_MISSES_OF_COURSES, ids=[what for what, _ in NEAR_MISSES_OF_COURSES])
def test_near_miss_of_a_course_is_refused_by_both(tmp_path, what, yaml):
    assert errors("course", yaml) != []
    assert [
        problem
        for problem in problems_of_course(write_course(tmp_path, **{"course.yaml": yaml}))
        if "course" in problem
    ]


def test_every_field_is_described():
    shapes = [schema_of("course"), *schema_of("exercise")["$defs"].values()]

    bare = [
        f"{shape['title']}.{name}"
        for shape in shapes
        for name, field in shape["properties"].items()
        if not field.get("description")
    ]

    assert bare == []


def test_every_kind_has_a_beginning():
    assert [file.parent.name for file in BEGINNINGS] == sorted(KINDS)
