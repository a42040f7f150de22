"""Rows as CSV and as a spreadsheet, written while they are read; no cell of them is ever a formula."""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell

Cell = str | int | float | Decimal | datetime | None

# What spreadsheet programs take for the beginning of a formula, also where a row of CSV is cut at another separator.
FORMULA = re.compile(r"^[=+\-@\t\r\n]")
# What XML cannot hold.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
PIECE_BYTES = 64 * 1024
BYTE_ORDER_MARK = "\ufeff"
"""In front of CSV for people: without it spreadsheet programs take UTF-8 for something else."""


class _Line:
    """What a csv writer writes to: gives back the line instead of keeping it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Each row as a line of CSV (RFC 4180). A text that would be a formula has an apostrophe before it.

    All texts are in quotes: programs that cut lines at semicolons find no beginning of a cell within one either.
    """
    writer = csv.writer(_Line(), quoting=csv.QUOTE_NONNUMERIC)
    for row in rows:
        yield writer.writerow([_written(cell) for cell in row])


def xlsx_pieces(title: str, rows: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    """A workbook of one sheet, piece by piece. The first row stays in view.

    Texts are marked as such, so that they stay texts when somebody edits them. Memory does not grow with the rows: the
    workbook is made on the disk.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title[:31])
    sheet.freeze_panes = "A2"
    for row in rows:
        sheet.append([_typed(sheet, cell) for cell in row])
    with tempfile.TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE_BYTES):
            yield piece


def _written(cell: Cell) -> Cell:
    if isinstance(cell, str):
        text = cell.replace("\x00", "")
        return f"'{text}" if FORMULA.match(text) else text
    return cell.isoformat() if isinstance(cell, datetime) else cell


def _typed(sheet: Any, cell: Cell) -> object:
    if not isinstance(cell, str | datetime):
        return cell
    typed = WriteOnlyCell(sheet, value="")
    typed.value = UNWRITABLE.sub("", cell if isinstance(cell, str) else cell.isoformat())
    typed.data_type = "s"
    typed.quotePrefix = isinstance(cell, str) and bool(FORMULA.match(cell))
    return typed
