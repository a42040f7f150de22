import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions import matching

PAIRS = [["query", "asks"], ["key", "offers"], ["value", "delivers"], ["weight", "offers"]]


def make_question(**fields):
    return matching.from_definition({"pairs": PAIRS, "distractors": ["forgets"], **fields})


def respond(question, pairs, seed="student"):
    left, right = matching.presented(question, seed)
    names = {text: name for name, text in left}, {text: name for name, text in right}
    return matching.grade(question, {names[0][one]: names[1][other] for one, other in pairs.items()}, seed)


@pytest.mark.parametrize(
    ("changes", "verdict", "score", "words"),
    [
        ({}, Verdict.ACCEPTED, "1.00", "right"),
        ({"query": "forgets"}, Verdict.WRONG_ANSWER, "0.75", "3 of 4 pairs are right."),
        ({"query": "offers", "key": "asks", "value": "asks"}, Verdict.WRONG_ANSWER, "0.25", "1 of 4 pairs is right."),
    ],
)
def test_grade_counts_each_pair_the_same(changes, verdict, score, words):
    outcome = respond(make_question(), {**dict(PAIRS), **changes})

    assert (outcome.verdict, str(outcome.score)) == (verdict, score)
    assert words in outcome.feedback.summary


@pytest.mark.parametrize("kind", ["none", "list", "missing", "additional", "unknown", "no text"])
def test_grade_refuses_what_are_no_pairs(kind):
    question = make_question()
    left, right = matching.presented(question, "s")
    whole = {name: right[0][0] for name, _ in left}
    first = left[0][0]
    responses = {
        "none": None,
        "list": [],
        "missing": {name: other for name, other in whole.items() if name != first},
        "additional": {**whole, "x": right[0][0]},
        "unknown": {**whole, first: first},
        "no text": {**whole, first: ["x"]},
    }

    with pytest.raises(ResponseError):
        matching.grade(question, responses[kind], "s")


def test_presented_has_each_right_text_once_and_an_order_per_student():
    question = make_question()
    views = {str(matching.form(question, seed)) for seed in "abc"}

    assert sorted(text for _, text in matching.presented(question, "a")[1]) == ["asks", "delivers", "forgets", "offers"]
    assert len(views) == 3


def test_schema_requires_each_left_id():
    assert len(matching.response_schema(make_question(), "s")["required"]) == 4


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"pairs": None}, "pairs"),
        ({"pairs": "ab"}, "pairs"),
        ({"pairs": [["a", "b"]]}, "pairs"),
        ({"pairs": [["a", "b"], ["a", "c"]]}, "pairs[1]"),
        ({"pairs": [["a", "b"], ["c"]]}, "pairs[1]"),
        ({"pairs": [["a", "b"], ["c", ""]]}, "pairs[1]"),
        ({"pairs": [["a", "b"], ["c", 5]]}, "pairs[1]"),
        ({"distractors": ["asks"]}, "distractors"),
        ({"distractors": "x"}, "distractors"),
    ],
)
def test_from_definition_refuses_and_names_the_field(fields, field):
    with pytest.raises(DefinitionError) as refusal:
        make_question(**fields)

    assert refusal.value.field == field
