import json

import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Stage, Verdict
from graders.questions import tensor

ANSWER = [[1, 0.5], ["1/3", 0]]


def make_question(answer=ANSWER, **fields):
    return tensor.from_definition({"answer": answer, **fields})


@pytest.mark.parametrize("response", [ANSWER, [["1", "1/2"], ["0,3333333", 0.0]], [[1.0, "50 %"], [1 / 3, "-0"]]])
def test_grade_the_answer_in_any_spelling(response):
    assert tensor.grade(make_question(), response).verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("response", "stage", "verdict"),
    [
        ([[1, 0.5], [0.333, 0]], Stage.VALUES, Verdict.WRONG_ANSWER),
        ([[0, 0], [0, 0]], Stage.VALUES, Verdict.WRONG_ANSWER),
        ([1, 0.5, "1/3", 0], Stage.SHAPE, Verdict.INVALID_OUTPUT),
        (5, Stage.SHAPE, Verdict.INVALID_OUTPUT),
        ([], Stage.SHAPE, Verdict.INVALID_OUTPUT),
    ],
)
def test_grade_shape_before_values(response, stage, verdict):
    outcome = tensor.grade(make_question(), response)

    assert (outcome.feedback.stage, outcome.verdict, outcome.score) == (stage, verdict, 0)


def test_grade_says_where_and_not_what():
    found = tensor.grade(make_question([[0.625, 0.5]]), [[0.75, 0.5]]).feedback

    assert found.summary == "The shape is right; 1 of 2 values is not, the first at [0, 0]."
    assert "0.625" not in json.dumps([found.summary, found.hint, found.details])
    assert tensor.grade(make_question(5), 6).feedback.summary == "The shape is right; 1 of 1 value is not."
    assert "2 of 2 values are not" in tensor.grade(make_question([1, 2]), [2, 3]).feedback.summary


def test_grade_within_declared_tolerance():
    question = make_question([100], rtol=0.01, atol=0)

    assert tensor.grade(question, [101]).verdict == Verdict.ACCEPTED
    assert tensor.grade(question, [101.1]).verdict == Verdict.WRONG_ANSWER
    assert tensor.grade(make_question([100], atol=0.5), [100.4]).verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    "response",
    [
        None,
        {},
        [[1, 2], [3]],
        [[1, 2], 3],
        [1, [2]],
        [[1, "x"], [3, 4]],
        [True],
        [float("nan")],
        ["1e400"],
        [[[[[[[1]]]]]]],
        [0] * 4097,
    ],
)
def test_grade_refuses_what_is_no_tensor(response):
    with pytest.raises(ResponseError):
        tensor.grade(make_question(), response)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"answer": None}, "answer"),
        ({"answer": [[1], [1, 2]]}, "answer"),
        ({"rtol": "x"}, "rtol"),
        ({"atol": "1e400"}, "atol"),
    ],
)
def test_from_definition_refuses_and_names_the_field(fields, field):
    with pytest.raises(DefinitionError) as refusal:
        make_question(**{"answer": ANSWER, **fields})

    assert refusal.value.field == field
