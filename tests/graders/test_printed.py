import pytest

from graders.outcomes import Stage
from graders.printed import compare_printed


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ("Score: 5.0\n", "Score: 5.0"),
        ("tensor([0.7310, 0.2689])", "tensor([0.7311, 0.2689])"),
        ("a   b\n\n", "a b"),
        ("[[1.,  2.],\n [3., 4.]]", "[[1., 2.],\n  [3., 4.]]"),
        ("", ""),
        ("1e-3 2.0", "0.001 2.00"),
    ],
)
def test_compare_printed_agrees(actual, expected):
    assert compare_printed(actual, expected) is None


@pytest.mark.parametrize(
    ("actual", "expected", "line"),
    [
        ("Score: 6.0", "Score: 5.0", 1),
        ("5", "6", 1),
        ("1000001", "1000000", 1),
        ("same\nother", "same\nline", 2),
        ("one", "one\ntwo", 2),
        ("one\ntwo", "one", 2),
        ("1.0 2.0", "1.0", 1),
        ("nan", "1.0", 1),
        ("1e999", "1.0", 1),
    ],
)
def test_compare_printed_names_the_first_line_that_differs(actual, expected, line):
    mismatch = compare_printed(actual, expected)

    assert mismatch.stage == Stage.VALUES
    assert mismatch.path == f"line {line}"


def test_compare_printed_takes_other_tolerances():
    assert compare_printed("1.04", "1.0", rtol=0.05, atol=0.0) is None
    assert compare_printed("1.04", "1.0", rtol=0.03, atol=0.0) is not None
