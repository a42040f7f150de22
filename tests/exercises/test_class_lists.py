"""How a class list is read: columns, separators, encodings, names."""

import pytest

from exercises.errors import InvalidFieldError
from exercises.imports.roster import RosterRow, decoded, read_roster
from tests.exercises.rosters import rows_of


@pytest.mark.parametrize(
    "text",
    [
        "username,last_name,section\nada,Lind,Monday\n",
        "Username;Last Name;SECTION\r\nada;Lind;Monday\r\n",
        "section\tUSER NAME\tSurname\nMonday\tada\tLind",
        '"Section","Login","Last-Name"\n"Monday","ada","Lind"\n',
        "\n\nusername,last_name,section\n\n  ada , Lind,Monday\n\n",
    ],
)
def test_columns_are_found_in_any_order_spelling_and_separator(text):
    (row,) = rows_of(text)

    assert (row.username, row.last_name, row.section) == ("ada", "Lind", "Monday")


@pytest.mark.parametrize(
    ("encoding", "is_told"), [("utf-8", False), ("utf-8-sig", False), ("utf-16", False), ("cp1252", True)]
)
def test_encodings_are_read_and_a_guess_is_told(encoding, is_told):
    text, notes = decoded("username,last_name\nasa,Åström\n".encode(encoding))

    assert rows_of(text)[0].last_name == "Åström"
    assert bool(notes) is is_told
    assert not notes or notes[0].startswith("Line 2 is not UTF-8, so the file was read as Windows-1252.")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04 and so on", "This is a spreadsheet"),
        (b"username\n\x81\xff\n", "neither UTF-8 nor Windows-1252"),
        (b"x" * (1024 * 1024 + 1), "more than 1024 KiB"),
    ],
)
def test_what_is_no_text_is_refused(content, words):
    with pytest.raises(InvalidFieldError, match=words):
        decoded(content)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("username,section\n", "no line below"),
        ("ada,Lind\nbo,Moen\n", "must name the columns"),
        ("username,user\nada,ada\n", "Two columns are both the username"),
        ('username,section\n"ada,Monday\nbo,Monday\n', "Line 2: a quoted cell does not end"),
        ("username\na\x00da\n", "zero byte"),
        ("username\n" + "a\n" * 10_001, "more than 10000 lines"),
    ],
)
def test_what_is_no_list_is_refused_with_the_line(text, words):
    with pytest.raises(InvalidFieldError, match=words):
        read_roster(text)


def test_lines_are_counted_as_an_editor_counts_them():
    rows = rows_of('username,section\nada,"Mon\nday"\n\nbo,Monday\n')

    assert [(row.line, row.section) for row in rows] == [(2, "Mon day"), (5, "Monday")]


def test_whole_names_are_taken_apart_and_unknown_columns_told():
    listed = read_roster('username,name,shoe size\nada,"Lind, Ada",38\nbo,Bo van Moen,44\n')

    names = [(row.first_name, row.last_name) for row in listed.rows]
    assert names == [("Ada", "Lind"), ("Bo van", "Moen")]
    assert listed.notes == ("Columns that say nothing here were left out: shoe size.",)


def test_short_lines_say_nothing_in_the_cells_that_they_lack():
    assert rows_of("username,section,role\nada\n") == (RosterRow(line=2, username="ada"),)


# Planning
