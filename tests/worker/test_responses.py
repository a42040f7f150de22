"""Questions graded from files: the command has no form and no ids."""

from decimal import Decimal

import pytest

from exercises.choices import Kind
from exercises.content.values import ExerciseFolder
from graders.outcomes import Verdict
from tests.factories import QUESTIONS
from tests.worker.stub_runner import StubRunner
from worker.files import FileError, grade_files

DEFAULTS = {"multiple": False, "indent": False}
RIGHT_ORDER = "def mean(x):\n  total = x.sum()\n\n  return total / len(x)\n"


def graded(tmp_path, kind, text):
    path = tmp_path / "response.txt"
    path.write_text(text)
    folder = ExerciseFolder(
        slug="question",
        kind=kind,
        title="Question",
        points=Decimal(1),
        definition={"exercise": {**DEFAULTS, **QUESTIONS[kind]}, "files": {}},
        content_hash="content",
        grading_hash="grading",
    )
    (found,) = grade_files(folder, [str(path)], StubRunner())
    return found.outcome.verdict


@pytest.mark.parametrize(
    ("kind", "text", "verdict"),
    [
        (Kind.TEXT, "softmax\n", Verdict.ACCEPTED),
        (Kind.TEXT, "5", Verdict.WRONG_ANSWER),
        (Kind.TENSOR, '[[1, 0.5], ["1/3", 0]]', Verdict.ACCEPTED),
        (Kind.TENSOR, "[[1, 0.5], [1, 0]]", Verdict.WRONG_ANSWER),
        (Kind.BLANKS, '{"root": "sqrt(d)", "number": 8}', Verdict.ACCEPTED),
        (Kind.ORDERING, RIGHT_ORDER, Verdict.ACCEPTED),
        (Kind.ORDERING, RIGHT_ORDER.replace("  ", "\t"), Verdict.ACCEPTED),
        (Kind.ORDERING, RIGHT_ORDER.replace("  total", "total"), Verdict.WRONG_ANSWER),
        (Kind.MATCHING, "key => shows\nquery => asks\nvalue => gives\n", Verdict.ACCEPTED),
        (Kind.MATCHING, "key => asks\nquery => asks\nvalue => gives\n", Verdict.WRONG_ANSWER),
    ],
)
def test_file_is_graded_as_a_response(tmp_path, kind, text, verdict):
    assert graded(tmp_path, kind, text) == verdict


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (Kind.MATCHING, "key: shows", "expected lines such as `left => right`, found 'key: shows'"),
        (Kind.ORDERING, "def total(x):\n", "no line with the id"),
        (Kind.EXPLAIN, "Because.", "a person judges"),
    ],
)
def test_file_that_is_no_response_is_named(tmp_path, kind, text, message):
    with pytest.raises(FileError, match=message):
        graded(tmp_path, kind, text)
