"""Tables as files: what a cell is in them, and that no cell is a formula."""

import csv
import io
from datetime import UTC, datetime
from decimal import Decimal

import openpyxl
import pytest

from exercises.exports.tables import csv_lines, xlsx_pieces

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=HYPERLINK("http://x","y")')
HARMLESS = ("Ada", "a=b", "", "3 - 1", 'quoted "name"', "two\nlines", "semi;colon", "Ådén")


def book_of(title, rows):
    return openpyxl.load_workbook(io.BytesIO(b"".join(xlsx_pieces(title, rows))))


def read_back(rows):
    return list(csv.reader(io.StringIO("".join(csv_lines(rows)), newline="")))


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_begins_like_a_formula_is_a_text_in_csv(text):
    assert read_back([[text, "x"]]) == [[f"'{text}", "x"]]


@pytest.mark.parametrize("text", HARMLESS)
def test_other_text_comes_back_from_csv_as_it_was(text):
    assert read_back([["x", text]]) == [["x", text]]


def test_numbers_stay_numbers_in_csv():
    moment = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)

    rows = read_back([[-1, Decimal("-0.50"), 2.5, None, moment]])

    assert rows == [["-1", "-0.50", "2.5", "", "2026-03-01T12:30:00+00:00"]]


def test_texts_are_quoted_for_programs_that_cut_at_semicolons():
    assert "".join(csv_lines([["a;=1+1", 2]])) == '"a;=1+1",2\r\n'


def test_text_of_a_cell_never_ends_its_line_of_csv():
    """A separator, a quote or a line break within a text stays within its cell."""
    assert read_back([['",=1+1', "b"], ["c\r\n=2", "d"]]) == [['",=1+1', "b"], ["c\r\n=2", "d"]]


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_begins_like_a_formula_is_a_text_in_a_sheet(text):
    cell = book_of("Grades", [[text]])["Grades"]["A1"]

    assert cell.data_type == "s"
    assert cell.value.lstrip() == text.lstrip()
    assert cell.quotePrefix


def test_sheet_has_numbers_as_numbers_and_texts_as_texts():
    book = book_of("Grades", [["Name", "Points"], ["Ada", Decimal("2.50")], ["12345", None]])

    rows = [[(cell.value, cell.data_type) for cell in row] for row in book["Grades"].rows]

    assert rows == [
        [("Name", "s"), ("Points", "s")],
        [("Ada", "s"), (2.5, "n")],
        [("12345", "s"), (None, "n")],
    ]


def test_what_a_sheet_cannot_hold_is_left_out():
    assert book_of("x", [["a\x00b\x0bc"]])["x"]["A1"].value == "abc"
