import json

import pytest

from graders.errors import DefinitionError, GraderError, ResponseError
from graders.outcomes import Verdict
from graders.questions import kinds

EXERCISES = {
    "choice": {"options": [{"text": "a", "correct": True}, {"text": "b"}]},
    "numeric": {"answer": 5},
    "text": {"accept": [{"exact": "row"}]},
    "tensor": {"answer": [1, 2]},
    "blanks": {"template": "{{a}}", "blanks": {"a": {"answer": 1}}},
    "ordering": {"lines": ["a", "b"]},
    "matching": {"pairs": [["a", "b"], ["c", "d"]]},
    "explain": {"rubric": [{"criterion": "a", "points": 1}]},
}
EXPLAIN = {"kind": "explain", **EXERCISES["explain"]}


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_every_kind_can_be_checked_shown_and_described(kind):
    exercise = {"kind": kind, **EXERCISES[kind]}

    kinds.check_question(exercise)

    assert isinstance(kinds.form_of(exercise, "seed"), dict)
    assert json.dumps(kinds.response_schema_of(exercise, "seed"))
    assert kinds.awaits_review(exercise) == (kind == "explain")


def test_grade_response_by_the_kind_that_is_named():
    assert kinds.grade_response({"kind": "numeric", "answer": 5}, "5", "seed").verdict == Verdict.ACCEPTED


@pytest.mark.parametrize("kind", ["code", None, ["choice"]])
def test_kind_of_refuses_what_is_not_graded_from_a_response(kind):
    with pytest.raises(DefinitionError, match="kind"):
        kinds.check_question({"kind": kind})


def test_grade_response_of_what_a_person_judges_is_refused():
    with pytest.raises(GraderError, match="a person judges"):
        kinds.grade_response(EXPLAIN, "Because.", "seed")


@pytest.mark.parametrize(
    ("exercise", "right", "wrong"), [(EXPLAIN, "Because.", ""), ({"kind": "numeric", "answer": 5}, "6", "six")]
)
def test_check_response_says_whether_it_can_be_judged(exercise, right, wrong):
    kinds.check_response(exercise, right, "seed")

    with pytest.raises(ResponseError):
        kinds.check_response(exercise, wrong, "seed")


def test_prompt_of_an_exercise_without_parameters_is_as_written():
    assert kinds.prompt_of({"prompt": "Why {{ x }}?"}, "seed") == "Why {{ x }}?"
    assert kinds.prompt_of({}, "seed") == ""


@pytest.mark.parametrize("kind", [kind for kind in kinds.KINDS if kind != "explain"])
def test_right_response_is_accepted(kind):
    exercise = {"kind": kind, **EXERCISES[kind]}

    response = json.loads(json.dumps(kinds.right_response_of(exercise, "seed")))

    assert kinds.grade_response(exercise, response, "seed").verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    "exercise",
    [
        {"kind": "choice", "multiple": True, "options": [{"text": text, "correct": text != "c"} for text in "abc"]},
        {"kind": "numeric", "answer": "1/3", "rtol": 0},
        {"kind": "numeric", "answer": "1e-200"},
        {"kind": "numeric", "answer": "1e300"},
        {"kind": "ordering", "indent": True, "lines": ["a", "  b", "a"], "distractors": ["c"]},
        {
            "kind": "blanks",
            "template": "{{a}} {{b}}",
            "blanks": {"a": {"answer": 1}, "b": {"accept": [{"exact": "b"}]}},
        },
    ],
)
def test_right_response_of_a_longer_key_is_accepted(exercise):
    response = kinds.right_response_of(exercise, "seed")

    assert kinds.grade_response(exercise, response, "seed").verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    "exercise",
    [
        EXPLAIN,
        {"kind": "text", "accept": [{"pattern": "a+"}]},
        {"kind": "blanks", "template": "{{a}}", "blanks": {"a": {"accept": [{"pattern": "a+"}]}}},
    ],
)
def test_right_response_is_not_made_up_where_the_key_does_not_say_one(exercise):
    kinds.check_question(exercise)

    assert kinds.right_response_of(exercise, "seed") is None


@pytest.mark.parametrize(
    ("exercise", "message"),
    [
        ({"kind": "text", "accept": [{"exact": "a" * 1001}]}, "accept: cannot be handed in: expected at most 1000"),
        ({"kind": "numeric", "answer": "1/7^120", "rtol": 0}, "answer: is not accepted when it is handed in"),
    ],
)
def test_check_question_tries_the_key_itself(exercise, message):
    with pytest.raises(DefinitionError, match=message):
        kinds.check_question(exercise)
