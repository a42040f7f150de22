import pytest

from graders.errors import DefinitionError
from graders.outcomes import Verdict
from graders.questions import kinds

EXERCISES = {
    "choice": {"options": [{"text": "a", "correct": True}, {"text": "b"}]},
    "numeric": {"answer": 5},
}


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_every_kind_can_be_checked_shown_and_described(kind):
    exercise = {"kind": kind, **EXERCISES[kind]}

    kinds.check_question(exercise)

    assert isinstance(kinds.form_of(exercise, "seed"), dict)
    assert isinstance(kinds.response_schema_of(exercise, "seed"), dict)


def test_grade_response_by_the_kind_that_is_named():
    assert kinds.grade_response({"kind": "numeric", "answer": 5}, "5", "seed").verdict == Verdict.ACCEPTED


@pytest.mark.parametrize("kind", ["code", None, ["choice"]])
def test_kind_of_refuses_what_is_not_graded_from_a_response(kind):
    with pytest.raises(DefinitionError, match="kind"):
        kinds.check_question({"kind": kind})
