from decimal import Decimal

import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions import choice

OPTIONS = [
    {"text": "It keeps the softmax soft", "correct": True, "feedback": "Yes."},
    {"text": "It saves memory", "feedback": "The size does not change."},
    {"text": "It makes rows sum to one", "correct": False},
]


def make_question(options=OPTIONS, **fields):
    return choice.from_definition({"options": options, **fields})


def ids(question, seed="student"):
    return {text: name for name, text in choice.presented(question, seed)}


def several(**fields):
    options = [{"text": text, "correct": text in "abc"} for text in "abcde"]
    return make_question(options, multiple=True, **fields)


def answer(question, texts):
    return choice.grade(question, [ids(question)[text] for text in texts], "student")


def test_grade_the_correct_option():
    question = make_question()

    outcome = choice.grade(question, ids(question)["It keeps the softmax soft"], "student")

    assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.ACCEPTED, Decimal(1), Decimal(1))
    assert outcome.feedback.summary == "Yes."


def test_grade_a_wrong_option_gives_its_feedback():
    question = make_question()

    outcome = choice.grade(question, ids(question)["It saves memory"], "student")

    assert (outcome.verdict, outcome.score) == (Verdict.WRONG_ANSWER, Decimal(0))
    assert outcome.feedback.summary == "The size does not change."


def test_grade_a_wrong_option_without_feedback_says_so():
    question = make_question()

    assert choice.grade(question, [ids(question)["It makes rows sum to one"]], "student").feedback.summary


@pytest.mark.parametrize("response", [7, None, {}, [], ["x"], "no such id", [1], ["", ""], True])
def test_grade_refuses_what_is_no_option(response):
    with pytest.raises(ResponseError):
        choice.grade(make_question(), response, "student")


def test_grade_refuses_two_options_where_one_is_asked_for():
    question = make_question()

    with pytest.raises(ResponseError):
        choice.grade(question, list(ids(question).values())[:2], "student")


def test_grade_refuses_one_id_where_a_list_is_asked_for():
    with pytest.raises(ResponseError, match="list"):
        choice.grade(several(), next(iter(ids(several()).values())), "student")


def test_grade_refuses_an_id_twice():
    with pytest.raises(ResponseError, match="different"):
        answer(several(), "aa")


def test_grade_refuses_the_id_of_another_student():
    question = make_question()

    with pytest.raises(ResponseError, match="no option"):
        choice.grade(question, ids(question, "another")["It saves memory"], "student")


def test_grade_several_needs_all_of_them_and_no_other():
    assert answer(several(), "cab").verdict == Verdict.ACCEPTED
    assert answer(several(), "ab").verdict == Verdict.WRONG_ANSWER
    assert answer(several(), "abcd").verdict == Verdict.WRONG_ANSWER
    assert answer(several(), "abcd").score == 0


@pytest.mark.parametrize(
    ("texts", "score"), [("abc", "1.00"), ("ab", "0.67"), ("abcd", "0.67"), ("ad", "0.00"), ("de", "0.00")]
)
def test_grade_partial_credit_is_right_minus_wrong(texts, score):
    assert str(answer(several(partial_credit=True), texts).score) == score


def test_grade_several_says_what_kind_of_wrong():
    assert answer(several(), "ab").feedback.summary == "Something that holds is not chosen."
    assert answer(several(), "abcd").feedback.summary == "Not everything that is chosen holds."
    assert len(answer(several(), "abd").feedback.summary) > len("Something that holds is not chosen.")


def test_presented_order_and_ids_differ_per_student_and_say_nothing():
    options = [{"text": str(number), "correct": number == 0} for number in range(8)]
    question = make_question(options)
    views = [choice.presented(question, seed) for seed in ("a", "b", "c")]

    assert choice.presented(question, "a") == views[0]
    assert len({tuple(text for _, text in view) for view in views}) == 3
    assert len({name for view in views for name, _ in view}) == 24


def test_presented_keeps_the_author_order_without_shuffle():
    question = make_question(shuffle=False)

    assert [text for _, text in choice.presented(question, "a")] == [option["text"] for option in OPTIONS]


def test_form_and_schema_hold_the_ids_and_nothing_of_the_key():
    question = make_question()
    form, schema = choice.form(question, "student"), choice.response_schema(question, "student")

    assert [option["id"] for option in form["options"]] == schema["enum"]
    assert all(set(option) == {"id", "text"} for option in form["options"])
    assert form["multiple"] is False


def test_schema_of_several_is_a_list():
    assert choice.response_schema(several(), "student")["type"] == "array"


@pytest.mark.parametrize(
    ("definition", "field"),
    [
        ({}, "options"),
        ({"options": "a"}, "options"),
        ({"options": ["a", "b"]}, "options"),
        ({"options": [{"text": "a", "correct": True}]}, "options"),
        ({"options": [{"text": "a"}, {"text": "b"}]}, "options"),
        ({"options": [{"text": "a", "correct": True}, {"text": "a"}]}, "options"),
        ({"options": [{"text": "a", "correct": True}, {"text": " "}]}, "options"),
        ({"options": [{"text": "a", "correct": True}, {}]}, "options"),
        ({"options": [{"text": "a", "correct": True}, {"text": "b", "correct": True}]}, "options"),
        ({"options": [{"text": 1}, {"text": "b"}]}, "options[0].text"),
        ({"options": [{"text": "a"}, {"text": "b", "correct": "yes"}]}, "options[1].correct"),
        ({"options": OPTIONS, "multiple": 1}, "multiple"),
    ],
)
def test_from_definition_refuses_and_names_the_field(definition, field):
    with pytest.raises(DefinitionError) as refusal:
        choice.from_definition(definition)

    assert refusal.value.field == field
