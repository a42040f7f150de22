"""A class list as CSV, as registrars and spreadsheet programs write it: bytes in, rows with their lines out.

No database: what the rows would change is asked of `exercises.queries.roster_plan`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from exercises.errors import InvalidFieldError

LARGEST_BYTES = 1024 * 1024
MOST_ROWS = 10_000
LONGEST_CELL = 1000
SEPARATORS = (",", ";", "\t")
FIELD = "file"

# What columns are called, without anything but letters and digits, in small letters.
HEADINGS = {
    "username": ("username", "user", "login", "loginid", "accountname", "account"),
    "email": ("email", "emailaddress", "mail", "mailaddress"),
    "first_name": ("firstname", "givenname", "forename", "vorname"),
    "last_name": ("lastname", "surname", "familyname", "nachname"),
    "name": ("name", "fullname", "student", "studentname"),
    "external_id": ("externalid", "studentid", "id", "idnumber", "sisuserid", "matriculationnumber", "matrikelnummer"),
    "section": ("section", "group", "tutorial", "gruppe"),
    "role": ("role",),
}
FIELD_OF = {heading: name for name, headings in HEADINGS.items() for heading in headings}
NOT_OF_HEADING = re.compile(r"[^a-z0-9]+")
BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterRow:
    """A line of the list; what it does not say is empty. `line` is where it begins, from 1."""

    line: int
    username: str = ""
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    external_id: str = ""
    section: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterList:
    """`text` is what was read; `notes` say what a person should know about how."""

    text: str
    rows: tuple[RosterRow, ...]
    notes: tuple[str, ...] = ()


def decoded(content: bytes) -> tuple[str, list[str]]:
    """The text of the file, and what is to be said of how it was read.

    Raises: InvalidFieldError for what is no text, or too much of it.
    """
    if len(content) > LARGEST_BYTES:
        raise InvalidFieldError(FIELD, f"The file has more than {LARGEST_BYTES // 1024} KiB.")
    if content.startswith(b"PK\x03\x04") or content.startswith(b"\xd0\xcf\x11\xe0"):
        raise InvalidFieldError(FIELD, "This is a spreadsheet. Save it as CSV (UTF-8) and send that.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _as_text(content, "utf-16"), []
    try:
        return _as_text(content, "utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        note = (
            f"Line {line} is not UTF-8, so the file was read as Windows-1252. Look at names with accents; if they are "
            "wrong, save the file as CSV UTF-8."
        )
    try:
        return _as_text(content, "cp1252"), [note]
    except UnicodeDecodeError:
        raise InvalidFieldError(FIELD, f"Line {line} is neither UTF-8 nor Windows-1252.") from None


def read_roster(text: str, *, notes: Sequence[str] = ()) -> RosterList:
    """The rows of a list with a line of headings, in any order and spelling, cut at commas, semicolons or tabs.

    Raises: InvalidFieldError where it is no such list; the message names the line.
    """
    if "\x00" in text:
        raise InvalidFieldError(FIELD, "The file is no text: it holds a zero byte.")
    lines = _lines(text)
    try:
        _line, headings = next(lines)
    except StopIteration:
        raise InvalidFieldError(FIELD, "The file is empty.") from None
    columns, unknown = _columns(headings)
    rows = tuple(_row(line, columns, cells) for line, cells in lines)
    if not rows:
        raise InvalidFieldError(FIELD, "The file has headings, and no line below them.")
    told = list(notes)
    if unknown:
        told.append(f"Columns that say nothing here were left out: {', '.join(unknown)}.")
    return RosterList(text=text, rows=rows, notes=tuple(told))


def _as_text(content: bytes, encoding: str) -> str:
    return content.decode(encoding)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that says something: where it begins, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    count, begins = 0, 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                count += 1
                yield begins, [BLANKS.sub(" ", cell[: LONGEST_CELL + 1]).strip() for cell in cells]
            if count > MOST_ROWS:
                raise InvalidFieldError(FIELD, f"The file has more than {MOST_ROWS} lines.")
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InvalidFieldError(FIELD, f"Line {begins}: a quoted cell does not end as it should ({error}).") from error


def _separator(text: str) -> str:
    """What the line of headings has most of."""
    heading = next((line for line in text.splitlines() if line.strip()), "")
    return max(SEPARATORS, key=heading.count)


def _columns(headings: Sequence[str]) -> tuple[dict[int, str], list[str]]:
    """Which field is in which column, and the headings that are none."""
    found = {place: FIELD_OF.get(NOT_OF_HEADING.sub("", heading.lower())) for place, heading in enumerate(headings)}
    columns = {place: name for place, name in found.items() if name is not None}
    for name in HEADINGS:
        if twice := [headings[place] for place, other in columns.items() if other == name][1:]:
            raise InvalidFieldError(FIELD, f"Two columns are both the {name.replace('_', ' ')}: also {twice[0]!r}.")
    if not {"username", "email"} & set(columns.values()):
        seen = ", ".join(heading[:40] for heading in headings[:10])
        raise InvalidFieldError(
            FIELD, f"The first line must name the columns, a username or an email among them. It says: {seen}."
        )
    return columns, [headings[place] for place, name in found.items() if name is None and headings[place]]


def _row(line: int, columns: dict[int, str], cells: Sequence[str]) -> RosterRow:
    said = {name: cells[place] for place, name in columns.items() if place < len(cells)}
    first, last = _parts(said.pop("name", ""))
    said["first_name"] = said.get("first_name") or first
    said["last_name"] = said.get("last_name") or last
    known = {field.name for field in fields(RosterRow)}
    return RosterRow(line=line, **{name: value for name, value in said.items() if name in known})


def _parts(name: str) -> tuple[str, str]:
    """First and last name of “Lind, Ada” or “Ada Lind”."""
    if "," in name:
        last, _comma, first = name.partition(",")
        return first.strip(), last.strip()
    first, _blank, last = name.rpartition(" ")
    return first, last
