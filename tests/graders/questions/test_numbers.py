import math
from fractions import Fraction

import pytest

from graders.errors import ResponseError
from graders.questions.numbers import read_number


@pytest.mark.parametrize(
    ("response", "number"),
    [
        (5, 5),
        (-5, -5),
        (0.125, Fraction(1, 8)),
        (0.1, Fraction(1, 10)),
        ("5", 5),
        (" 5 ", 5),
        ("+5.", 5),
        (".5", Fraction(1, 2)),
        ("1/8", Fraction(1, 8)),
        ("0.125", Fraction(1, 8)),
        ("0,125", Fraction(1, 8)),
        ("-1,5", Fraction(-3, 2)),
        ("1234,567", Fraction(1234567, 1000)),
        ("2,5e-3", Fraction(1, 400)),
        ("12,5 %", Fraction(1, 8)),
        ("1e-3", Fraction(1, 1000)),
        ("1E+3", 1000),
        ("−3", -3),
        ("–3", -3),
        ("--3", 3),
        ("12.5 %", Fraction(1, 8)),
        ("50%", Fraction(1, 2)),
        ("2 * 3^2", 18),
        ("2×3", 6),
        ("1÷8", Fraction(1, 8)),
        ("2**-3", Fraction(1, 8)),
        ("2^3^2", 512),
        ("-2^2", -4),
        ("(1 + 2) * 3 - 4 / 2", 7),
        ("sqrt(64)", 8),
        ("√64", 8),
        ("1/sqrt(64)", Fraction(1, 8)),
        ("sqrt(1/4)", Fraction(1, 2)),
        ("SQRT(9)", 3),
        ("10⁻³", Fraction(1, 1000)),
        ("2 · 3²", 18),
        ("½", Fraction(1, 2)),
        ("3 ⋅ ¼", Fraction(3, 4)),
        ("—3", -3),
        ("－3", -3),
        ("0^0", 1),
    ],
)
def test_read_number_is_exact(response, number):
    assert read_number(response) == number


@pytest.mark.parametrize(
    ("response", "number"),
    [
        ("sqrt(2)", math.sqrt(2)),
        ("exp(1)", math.e),
        ("e^2", math.e**2),
        ("ln(2)", math.log(2)),
        ("log(2)", math.log(2)),
        ("2π", None),
        ("2 * π", 2 * math.pi),
        ("2^0.5", math.sqrt(2)),
    ],
)
def test_read_number_in_float64(response, number):
    if number is None:
        with pytest.raises(ResponseError, match="end of the number"):
            read_number(response)
    else:
        assert float(read_number(response)) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (None, "expected a number"),
        ("2½", "expected the end of the number"),
        ("1 000", "without anything between them"),
        ("12\u202f345\u202f678,5", "without anything between them"),
        ("1'000", "without anything between them"),
        ("1_000.5", "without anything between them"),
        (True, "expected a number"),
        ([5], "expected a number"),
        (math.nan, "finite"),
        (math.inf, "finite"),
        ("nan", "finite"),
        ("-Infinity", "finite"),
        ("∞", "finite"),
        ("0x10", "another base"),
        ("0b11", "another base"),
        ("", "found nothing"),
        ("   ", "found nothing"),
        pytest.param("9" * 1_000_000, "at most 100 characters", id="a million digits"),
        pytest.param(10**1300, "fewer digits", id="1300 digits"),
        ("1,234", "two things"),
        ("1,234,567", "two things"),
        ("1.234,5", "comma"),
        ("1,5 + 1", "comma"),
        ("1 2", "end of the number"),
        ("2e", "end of the number"),
        ("five", "found “five”"),
        ("5 $", "found “$”"),
        ("5 +", "at the end"),
        ("(5", "closing bracket"),
        ("5)", "end of the number"),
        ("1/0", "division by zero"),
        ("0^-1", "division by zero"),
        ("sqrt(-1)", "not"),
        ("log(0)", "not"),
        ("exp(9999)", "not"),
        ("(-2)^0.5", "not"),
        ("1e401", "exponent"),
        ("1e99999999", "exponent"),
        ("9^9^9^9", "smaller"),
        ("(9^999)^0.5", "not"),
        ("9^1000 * 9^1000", "fewer digits"),
        ("1e400*1e400*1e400*1e400", "fewer digits"),
        ("(" * 30 + "1" + ")" * 30, "fewer brackets"),
        ("²", "found “²”"),
    ],
)
def test_read_number_refuses_with_a_clear_message(response, words):
    with pytest.raises(ResponseError, match=words.replace("(", r"\(").replace("$", r"\$")):
        read_number(response)
