import pytest

from exercises.errors import InvalidFieldError
from exercises.literals import literal_of, read_literal


@pytest.mark.parametrize(
    ("text", "response"),
    [
        ("[1, 0.5]", ["1", "0.5"]),
        ("[[1, 0.5], [1/3, 0]]", [["1", "0.5"], ["1/3", "0"]]),
        (" [[ 1 ,0.5] ,\n [1/3,0]] ", [["1", "0.5"], ["1/3", "0"]]),
        ("[[[1], [2]]]", [[["1"], ["2"]]]),
        ("[1, 2,]", ["1", "2"]),
        ("[]", []),
        ("[[], []]", [[], []]),
        ("[sqrt(2), 2 * 3]", ["sqrt(2)", "2 * 3"]),
        ("tensor([[1., 0.],\n        [0., 1.]])", [["1.", "0."], ["0.", "1."]]),
        ("torch.tensor([1, 2], dtype=torch.float32)", ["1", "2"]),
        ("1 2 3", ["1", "2", "3"]),
        ("1, 2; 3", ["1", "2", "3"]),
        ("1 2\n3 4\n", [["1", "2"], ["3", "4"]]),
        ("1\n2", [["1"], ["2"]]),
        ("5", "5"),
    ],
)
def test_read(text, response):
    assert read_literal(text) == response


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "found nothing"),
        (" \n ", "found nothing"),
        (",;", "found none"),
        ("[1, 2", "a bracket is not closed"),
        ("[[1], [2]", "a bracket is not closed"),
        ("1, 2]", "a comma or a closing bracket before “]”"),
        ("[1], [2]", "one pair of brackets around all"),
        ("[1],", "one pair of brackets around all"),
        ("[1,, 2]", "expected a number before “,”"),
        ("[, 2]", "expected a number before “,”"),
        ("[1 [2]]", "a comma or a closing bracket before “[”"),
        ("[1] 2", "a comma or a closing bracket before “2”"),
        ("[" * 9 + "1" + "]" * 9, "at most 8 deep"),
        ("[" * 50_000, "at most 8 deep"),
        ("1" * 50_001, "at most 50000 characters"),
    ],
)
def test_refused(text, words):
    with pytest.raises(InvalidFieldError) as caught:
        read_literal(text)

    assert words in str(caught.value)


@pytest.mark.parametrize("response", ["5", ["1", "2"], [["1", "0.5"], ["1/3", "0"]], [[["1"], ["2"]], [["3"], ["4"]]]])
def test_what_is_shown_reads_as_the_same(response):
    assert read_literal(literal_of(response)) == response


def test_numbers_of_the_api_are_shown_too():
    assert literal_of([[1, 0.5], ["1/3", 0]]) == "[[1, 0.5],\n [1/3, 0]]"
