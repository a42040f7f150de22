import math
from fractions import Fraction

import pytest

from graders.formats import cleaned, count, float_text, number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.123456, "0.1235"),
        (1234567.0, "1.235e+06"),
        (1234567, "1234567"),
        (True, "True"),
        (math.nan, "NaN"),
        (-math.inf, "-inf"),
        (1.5 - 2j, "1.5-2j"),
        ("x\n", "“x\n”"),
        (-(10**30), "about -10^30"),
    ],
)
def test_number_has_at_most_four_digits_unless_it_is_whole(value, text):
    assert number(value) == text


def test_float_text_of_fractions():
    assert float_text(Fraction(1, 8)) == "0.125"
    assert float_text(Fraction(10**400)) == "about 10^400"


def test_cleaned_marks_what_was_cut():
    assert cleaned("abcdef", 4) == "abc…"
    assert cleaned("a\tb\nc", 9) == "a\tb\nc"


def test_count_has_an_s_unless_it_is_one():
    assert [count(amount, "gap") for amount in (0, 1, 2)] == ["0 gaps", "1 gap", "2 gaps"]
