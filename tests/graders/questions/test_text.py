import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions import text


def make_question(*accept, feedback=()):
    return text.from_definition({"accept": list(accept), "feedback": list(feedback)})


@pytest.mark.parametrize(
    ("accept", "right", "wrong"),
    [
        ({"exact": "softmax"}, "softmax", "Softmax"),
        ({"exact": "Softmax", "ignore_case": True}, "SOFTMAX", "soft max"),
        ({"exact": "dot  product"}, " dot product\n", "dotproduct"),
        ({"exact": "Straße", "ignore_case": True}, "STRASSE", "Strase"),
        ({"exact": "é"}, "e\u0301", "e"),
        ({"pattern": "(the )?square root( of d)?"}, "the square root", "a square root"),
        ({"pattern": "query|key"}, "key", "keys"),
        ({"pattern": "sqrt", "ignore_case": True}, "SQRT", "sqrt(d)"),
    ],
)
def test_grade_what_is_accepted_and_a_near_miss(accept, right, wrong):
    question = make_question(accept)

    assert text.grade(question, right).verdict == Verdict.ACCEPTED
    assert text.grade(question, wrong).verdict == Verdict.WRONG_ANSWER


def test_grade_any_of_several():
    question = make_question({"exact": "row"}, {"exact": "rows"})

    assert text.grade(question, "rows").verdict == Verdict.ACCEPTED


def test_grade_wrong_text_of_a_known_kind_gives_its_text():
    question = make_question({"exact": "row"}, feedback=[{"pattern": "colum", "text": "Which way?"}])

    assert text.grade(question, "Columns").feedback.hint == "Which way?"
    assert text.grade(question, "cell").feedback.hint == ""


def test_grade_takes_linear_time_on_what_makes_other_engines_hang():
    question = make_question({"pattern": "(a+)+b"})

    assert text.grade(question, "a" * 1000).verdict == Verdict.WRONG_ANSWER


@pytest.mark.parametrize("response", [None, 5, [], "", "  \n", "x" * 1001])
def test_grade_refuses_what_is_no_text(response):
    with pytest.raises(ResponseError):
        text.grade(make_question({"exact": "x"}), response)


def test_grade_text_that_is_no_unicode_is_wrong():
    assert text.grade(make_question({"exact": "x"}), "\ud800").verdict == Verdict.WRONG_ANSWER


@pytest.mark.parametrize(
    ("definition", "field"),
    [
        ({}, "accept"),
        ({"accept": "x"}, "accept"),
        ({"accept": [{}]}, "accept[0]"),
        ({"accept": [{"exact": "x", "pattern": "x"}]}, "accept[0]"),
        ({"accept": [{"exact": 5}]}, "accept[0].exact"),
        ({"accept": [{"pattern": 5}]}, "accept[0].pattern"),
        ({"accept": [{"pattern": "("}]}, "accept[0].pattern"),
        ({"accept": [{"pattern": r"(a)\1"}]}, "accept[0].pattern"),
        ({"accept": [{"pattern": "(?=a)"}]}, "accept[0].pattern"),
        ({"accept": [{"pattern": "((a{1,100}){1,100}){1,100}"}]}, "accept[0].pattern"),
        ({"accept": [{"pattern": "x" * 501}]}, "accept[0].pattern"),
        ({"accept": [{"exact": "x", "ignore_case": "yes"}]}, "accept[0].ignore_case"),
        ({"accept": [{"exact": "x"}], "feedback": [{"text": "…"}]}, "feedback[0].pattern"),
        ({"accept": [{"exact": "x"}], "feedback": [{"pattern": "x", "text": 1}]}, "feedback[0].text"),
    ],
)
def test_from_definition_refuses_and_names_the_field(definition, field):
    with pytest.raises(DefinitionError) as refusal:
        text.from_definition(definition)

    assert refusal.value.field == field
