import pytest

from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions import ordering

CODE = ["def f(x):", "  if x:", "    return 1", "  return 2"]


def make_question(lines=CODE, **fields):
    return ordering.from_definition({"lines": lines, "indent": True, **fields})


def respond(question, *lines, seed="student"):
    """Ids for texts; `(text, indent)`, or the text alone for no indentation."""
    shown = [(name, text) for name, text in ordering.presented(question, seed)]
    response = []
    for line in lines:
        text, indent = line if isinstance(line, tuple) else (line, 0)
        name = next(entry for entry in shown if entry[1] == text)
        shown.remove(name)
        response.append([name[0], indent])
    return ordering.grade(question, response, seed)


RIGHT = [("def f(x):", 0), ("if x:", 1), ("return 1", 2), ("return 2", 1)]


def test_grade_the_right_order_and_indentation():
    outcome = respond(make_question(), *RIGHT)

    assert (outcome.verdict, outcome.score, outcome.max_score) == (Verdict.ACCEPTED, 1, 1)


@pytest.mark.parametrize(
    ("lines", "summary", "hint"),
    [
        ([RIGHT[1], *RIGHT[:1], *RIGHT[2:]], "The first line is not in place.", ""),
        ([RIGHT[0], RIGHT[2], RIGHT[1], RIGHT[3]], "The first line is in place.", ""),
        (
            [*RIGHT[:3], ("return 2", 2)],
            "The first 3 lines are in place.",
            "The next line is the right one, at another indentation.",
        ),
        (RIGHT[:3], "The first 3 lines are in place.", "A line is missing."),
        ([*RIGHT, ("pass", 1)], "The first 4 lines are in place.", "A line is used that does not belong."),
    ],
)
def test_grade_says_how_far_it_is_right(lines, summary, hint):
    outcome = respond(make_question(distractors=["pass"]), *lines)

    assert (outcome.verdict, outcome.score) == (Verdict.WRONG_ANSWER, 0)
    assert (outcome.feedback.summary, outcome.feedback.hint) == (summary, hint)


def test_grade_lines_of_equal_text_stand_for_each_other():
    question = make_question(["a", "b", "a"], indent=False)
    first, second = [name for name, text in ordering.presented(question, "s") if text == "a"]
    middle = next(name for name, text in ordering.presented(question, "s") if text == "b")

    assert ordering.grade(question, [first, middle, second], "s").verdict == Verdict.ACCEPTED
    assert ordering.grade(question, [second, [middle, 0], first], "s").verdict == Verdict.ACCEPTED


@pytest.mark.parametrize(
    "response",
    [
        None,
        {},
        [],
        [5],
        ["id"],
        [["id", 0]],
        [["id"]],
        [["id", "0"]],
        [["id", True]],
        [["id", -1]],
        [["id", 17]],
        [[1, 0]],
    ],
)
def test_grade_refuses_what_is_no_order(response):
    with pytest.raises(ResponseError):
        ordering.grade(make_question(), response, "student")


def test_grade_refuses_a_line_twice():
    question = make_question()
    name = ordering.presented(question, "s")[0][0]

    with pytest.raises(ResponseError, match="twice"):
        ordering.grade(question, [[name, 0], [name, 1]], "s")


def test_grade_refuses_indentation_where_none_is_asked_for():
    question = make_question(["a", "b"], indent=False)
    name = ordering.presented(question, "s")[0][0]

    with pytest.raises(ResponseError):
        ordering.grade(question, [[name, 1]], "s")


def test_presented_lines_show_neither_order_nor_indentation():
    lines = [f"{' ' * number}line {number}" for number in range(8)]
    question = make_question(lines, distractors=["other"])
    orders = {tuple(text for _, text in ordering.presented(question, seed)) for seed in "abcd"}

    assert len(orders) == 4
    assert all(text == text.strip() for order in orders for text in order)
    assert ordering.form(question, "a")["indent"] is True


def test_schema_says_whether_ids_alone_will_do():
    assert "anyOf" not in ordering.response_schema(make_question(), "s")["items"]
    assert "anyOf" in ordering.response_schema(make_question(indent=False), "s")["items"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"lines": ["a"]}, "lines"),
        ({"lines": "ab"}, "lines"),
        ({"lines": ["a", " "]}, "lines"),
        ({"lines": ["a", 5]}, "lines"),
        ({"lines": ["a", "   b", "  c"]}, "lines[1]"),
        ({"lines": ["a", "\tb"]}, "lines[1]"),
        ({"lines": ["a", " b", " " * 17 + "c"]}, "lines[2]"),
        ({"distractors": ["return 1"]}, "distractors"),
        ({"indent": 2}, "indent"),
    ],
)
def test_from_definition_refuses_and_names_the_field(fields, field):
    with pytest.raises(DefinitionError) as refusal:
        make_question(**fields)

    assert refusal.value.field == field
