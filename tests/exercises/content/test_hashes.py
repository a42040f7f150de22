import pytest

from exercises.content import read_exercise
from tests.exercises.content.folders import (
    BLANKS,
    CHOICE,
    CODE,
    EXPLAIN,
    MATCHING,
    NUMERIC,
    ORDERING,
    SCRIPT,
    TENSOR,
    TEXT,
    write_exercise,
)

MISTAKE = "mistakes: {halved: {title: Halved, feedback: Look.}}\n"
HALVED = {"mistakes/halved.py": "def double(x):\n    return x / 2\n"}


def changes(tmp_path, before, after, *, before_files=None, after_files=None):
    """Whether the content hash and the grading hash differ."""
    one = read_exercise(write_exercise(tmp_path / "one", before, **(before_files or {})))
    two = read_exercise(write_exercise(tmp_path / "two", after, **(after_files or {})))
    return one.content_hash != two.content_hash, one.grading_hash != two.grading_hash


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (NUMERIC, NUMERIC + "points: 1\n"),
        (NUMERIC, "# a comment\n" + NUMERIC),
        (NUMERIC, NUMERIC.replace("5", "5.0")),
        (CODE, CODE + "limits: {memory_mb: 512}\n"),
        (TENSOR, TENSOR.replace("[1, 0.5]", "[1.0, 0.50]")),
        (ORDERING, ORDERING + "indent: false\n"),
        (EXPLAIN, EXPLAIN + "model_answer: ''\n"),
    ],
)
def test_what_says_the_same_in_other_words_is_new_content_with_the_same_grading(tmp_path, before, after):
    assert changes(tmp_path, before, after) == (True, False)


def test_nothing_new(tmp_path):
    assert changes(tmp_path, CODE + MISTAKE, CODE + MISTAKE, before_files=HALVED, after_files=HALVED) == (False, False)


def test_other_line_ends_are_new_content_with_the_same_grading(tmp_path):
    ends = {"reference.py": b"\xef\xbb\xbfdef double(x):\r\n    return 2 * x\r\n"}

    assert changes(tmp_path, CODE, CODE.replace("\n", "\r\n"), after_files=ends) == (True, False)


def test_a_certificate_is_no_part_of_either(tmp_path):
    certificate = {"certificate.json": '{"grading_hash": "%s", "checked_at": "2026-11-29T12:00:00Z"}' % ("0" * 64)}

    assert changes(tmp_path, CODE, CODE, after_files=certificate) == (False, False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (NUMERIC, NUMERIC.replace("How much", "How many")),
        (NUMERIC, NUMERIC.replace("Count.", "Count again.")),
        (NUMERIC, NUMERIC + "points: 2\n"),
        (NUMERIC, NUMERIC + "hints: [think]\n"),
        (NUMERIC, NUMERIC + "feedback: [{answer: 6, text: Less.}]\n"),
        (CHOICE, CHOICE.replace("Not that.", "No.")),
        (CHOICE, CHOICE + "shuffle: false\n"),
        (TEXT, TEXT + "feedback: [{pattern: a, text: b}]\n"),
        (BLANKS, BLANKS.replace("answer: 5", "answer: 5, feedback: [{answer: 6, text: b}]")),
        (EXPLAIN, EXPLAIN + "model_answer: So.\n"),
        (EXPLAIN, EXPLAIN.replace("points: 2", "points: 2, description: In full.")),
    ],
)
def test_new_content_with_the_same_grading(tmp_path, before, after):
    assert changes(tmp_path, before, after) == (True, False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (NUMERIC, NUMERIC.replace("5", "6")),
        (NUMERIC, NUMERIC + "rtol: 0.1\n"),
        (CHOICE, CHOICE.replace("text: that", "text: those")),
        (CHOICE, CHOICE + "    correct: true\nmultiple: true\n"),
        (CODE, CODE.replace("entry: double", "entry: twice")),
        (CODE, CODE + "draws: 4\n"),
        (CODE, CODE + "compare: {rtol: 0.1, atol: 0}\n"),
        (CODE, CODE + "limits: {cpu_seconds: 1}\n"),
        (SCRIPT, SCRIPT.replace("[x]", "[y]")),
        (NUMERIC, NUMERIC.replace("Count.", "'{{ d }}'") + "parameters: {d: {integer: [1, 9]}}\n"),
        (TEXT, TEXT.replace("softmax", "sigmoid")),
        (TENSOR, TENSOR.replace("1/3", "2/3")),
        (BLANKS, BLANKS.replace("answer: 5", "answer: 6")),
        (BLANKS, BLANKS.replace("a {{one}}", "another {{one}}")),
        (ORDERING, ORDERING + "distractors: [third]\n"),
        (MATCHING, MATCHING.replace("two", "three")),
        (EXPLAIN, EXPLAIN.replace("points: 2", "points: 3")),
    ],
)
def test_new_grading(tmp_path, before, after):
    assert changes(tmp_path, before, after) == (True, True)


def test_a_starter_is_not_graded(tmp_path):
    assert changes(tmp_path, CODE, CODE, after_files={"starter.py": "# here\n"}) == (True, False)


@pytest.mark.parametrize("file", ["reference.py", "cases.py"])
def test_code_is_graded(tmp_path, file):
    assert changes(tmp_path, CODE, CODE, after_files={file: "# other\n"}) == (True, True)


def test_the_code_of_a_mistake_is_graded_since_its_outputs_are_kept(tmp_path):
    other = {"mistakes/halved.py": "# other\n"}

    assert changes(tmp_path, CODE + MISTAKE, CODE + MISTAKE, before_files=HALVED, after_files=other) == (True, True)


def test_the_words_of_a_mistake_are_not_graded(tmp_path):
    other = MISTAKE.replace("Look.", "Look again.")

    assert changes(tmp_path, CODE + MISTAKE, CODE + other, before_files=HALVED, after_files=HALVED) == (True, False)
