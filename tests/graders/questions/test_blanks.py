import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions import blanks

EXERCISE = {
    "template": "Scores are divided by {{ root }}; for width 64 that is {{number}}.",
    "blanks": {
        "number": {"answer": 8, "feedback": [{"answer": 64, "text": "That is d."}]},
        "root": {"accept": [{"exact": "sqrt(d)"}], "feedback": [{"pattern": "^d$", "text": "That is d."}]},
    },
}
QUESTION = blanks.from_definition(EXERCISE)


@pytest.mark.parametrize(
    ("response", "verdict", "score"),
    [
        ({"root": "sqrt(d)", "number": "8"}, Verdict.ACCEPTED, "1.00"),
        ({"root": "sqrt(d)", "number": 8}, Verdict.ACCEPTED, "1.00"),
        ({"root": "root", "number": "16/2"}, Verdict.WRONG_ANSWER, "0.50"),
        ({"root": "root", "number": "9"}, Verdict.WRONG_ANSWER, "0.00"),
    ],
)
def test_grade_counts_each_gap_the_same(response, verdict, score):
    outcome = blanks.grade(QUESTION, response)

    assert (outcome.verdict, str(outcome.score)) == (verdict, score)


def test_grade_names_the_wrong_gaps_and_says_a_remark_once():
    found = blanks.grade(QUESTION, {"root": "d", "number": "64"}).feedback

    assert found.summary == "0 of 2 gaps are right. Look again at `root`, `number`."
    assert found.hint == "`root`, `number`: That is d."
    assert found.details == {"wrong": ["root", "number"]}


def test_grade_one_wrong_gap_needs_no_name_before_its_remark():
    found = blanks.grade(QUESTION, {"root": "sqrt(d)", "number": "64"}).feedback

    assert found.hint == "That is d."


def test_grade_wrong_gap_without_a_remark():
    found = blanks.grade(QUESTION, {"root": "sqrt(d)", "number": "7"}).feedback

    assert (found.summary, found.hint) == ("1 of 2 gaps is right. Look again at `number`.", "")


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (None, "each gap"),
        ([], "each gap"),
        ({"root": "d"}, "each gap"),
        ({"root": "d", "number": "8", "more": ""}, "each gap"),
        ({"root": "d", "number": ""}, "gap number"),
        ({"root": "d", "number": "eight"}, "gap number"),
        ({"root": 5, "number": "8"}, "gap root"),
    ],
)
def test_grade_refuses_and_names_the_gap(response, words):
    with pytest.raises(ResponseError, match=words):
        blanks.grade(QUESTION, response)


def test_form_has_the_template_in_pieces():
    assert blanks.form(QUESTION, "seed")["pieces"] == [
        {"text": "Scores are divided by "},
        {"gap": "root"},
        {"text": "; for width 64 that is "},
        {"gap": "number"},
        {"text": "."},
    ]


def test_form_of_a_template_that_is_a_gap():
    question = blanks.from_definition({"template": "{{a}}", "blanks": {"a": {"answer": 1}}})

    assert blanks.form(question, "seed")["pieces"] == [{"gap": "a"}]


def test_schema_names_each_gap():
    assert blanks.response_schema(QUESTION, "seed")["required"] == ["root", "number"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"template": "no gap"}, "template"),
        ({"template": "{{root}} {{root}}"}, "template"),
        ({"blanks": {}}, "blanks"),
        ({"blanks": []}, "blanks"),
        ({"blanks": [1]}, "blanks"),
        ({"blanks": {"root": {"answer": 1}}}, "blanks"),
        ({"template": "{{a}}", "blanks": {"a": 5}}, "blanks.a"),
        ({"template": "{{a}}", "blanks": {"a": {}}}, "blanks.a"),
        ({"template": "{{a}}", "blanks": {"a": {"answer": 1, "accept": []}}}, "blanks.a"),
        ({"template": "{{a}}", "blanks": {"a": {"answer": "x"}}}, "blanks.a.answer"),
        ({"template": "{{a}}", "blanks": {"a": {"accept": [{"pattern": "("}]}}}, "blanks.a.accept[0].pattern"),
    ],
)
def test_from_definition_refuses_and_names_the_field(fields, field):
    with pytest.raises(DefinitionError) as refusal:
        blanks.from_definition({**EXERCISE, **fields})

    assert refusal.value.field == field
