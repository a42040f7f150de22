from decimal import Decimal
from fractions import Fraction

import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions import numeric


def make_question(**fields):
    return numeric.from_definition({"answer": 5, **fields})


@pytest.mark.parametrize("response", ["5", 5, 5.0, "10/2", "5,0", "500 %"])
def test_grade_the_answer_in_any_spelling(response):
    outcome = numeric.grade(make_question(), response)

    assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.ACCEPTED, Decimal(1), Decimal(1))


@pytest.mark.parametrize("response", ["6", 5.001, "-5", 0])
def test_grade_another_number_is_wrong(response):
    outcome = numeric.grade(make_question(), response)

    assert (outcome.verdict, outcome.score) == (Verdict.WRONG_ANSWER, Decimal(0))
    assert "not the number asked for" in outcome.feedback.summary


def test_grade_wrong_number_of_a_listed_kind_gives_its_text():
    question = make_question(feedback=[{"answer": "1/2", "text": "Divided."}, {"answer": 25, "text": "Squared."}])

    assert numeric.grade(question, "25").feedback.hint == "Squared."
    assert numeric.grade(question, "0,5").feedback.hint == "Divided."
    assert numeric.grade(question, "7").feedback.hint not in ("Squared.", "Divided.")


def test_grade_what_is_no_number_is_refused():
    with pytest.raises(ResponseError):
        numeric.grade(make_question(), "five")


@pytest.mark.parametrize(
    ("fields", "right", "wrong"),
    [
        ({"answer": 100, "rtol": 0.01}, "101", "101.0001"),
        ({"answer": 100, "atol": 0.5}, "100.5", "100.50001"),
        ({"answer": 100, "atol": 0}, "100", "100.00001"),
        ({"answer": 100, "rtol": "1e-2", "atol": 1}, "102", "102.001"),
        ({"answer": -100, "rtol": 0.01}, "-99", "-98.9"),
        ({"answer": "1/3"}, "0.3333333", "0.3333"),
    ],
)
def test_grade_within_tolerance_is_right_and_a_near_miss_wrong(fields, right, wrong):
    question = make_question(**fields)

    assert numeric.grade(question, right).verdict == Verdict.ACCEPTED
    assert numeric.grade(question, wrong).verdict == Verdict.WRONG_ANSWER


def test_from_definition_reads_texts_as_students_write_them():
    assert make_question(answer="1/8").answer == Fraction(1, 8)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"answer": None}, "answer"),
        ({"answer": "five"}, "answer"),
        ({"rtol": -1}, "rtol"),
        ({"atol": "x"}, "atol"),
        ({"feedback": [{"answer": 5, "text": "…"}]}, "feedback[0].answer"),
        ({"feedback": [{"text": "…"}]}, "feedback[0].answer"),
        ({"feedback": [{"answer": 1, "text": 2}]}, "feedback[0].text"),
        ({"feedback": {"answer": 1}}, "feedback"),
    ],
)
def test_from_definition_refuses_and_names_the_field(fields, field):
    with pytest.raises(DefinitionError) as refusal:
        make_question(**fields)

    assert refusal.value.field == field


def test_schema_takes_numbers_and_short_texts():
    kinds = [part["type"] for part in numeric.response_schema(make_question(), "student")["anyOf"]]

    assert kinds == ["number", "string"]
    assert numeric.form(make_question(), "student") == {}


@pytest.mark.parametrize("answer", ["1/3", "10^400", "10^400/3", "3/10^399", "2^-1200", "10^60/7^60", "-10^400/3"])
def test_right_response_is_taken_whatever_its_size(answer):
    question = numeric.from_definition({"answer": answer})

    assert numeric.grade(question, numeric.right_response(question)).verdict == Verdict.ACCEPTED
