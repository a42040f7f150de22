"""Tables that staff take with them, written while they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse

from exercises.exports.tables import BYTE_ORDER_MARK, Cell, csv_lines, xlsx_pieces

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def csv_answer(name: str, rows: Iterable[Sequence[Cell]]) -> StreamingHttpResponse:
    """The rows as a file for spreadsheet programs; `name` has letters, digits and hyphens alone."""
    return attachment(f"{name}.csv", _marked(csv_lines(rows)), content_type="text/csv; charset=utf-8")


def xlsx_answer(name: str, rows: Iterable[Sequence[Cell]]) -> StreamingHttpResponse:
    """The rows as a workbook of one sheet."""
    return attachment(f"{name}.xlsx", xlsx_pieces(name, rows), content_type=XLSX)


def attachment(filename: str, pieces: Iterator[str] | Iterator[bytes], *, content_type: str) -> StreamingHttpResponse:
    """A file to be saved, piece by piece."""
    response = StreamingHttpResponse(pieces, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _marked(lines: Iterator[str]) -> Iterator[str]:
    yield BYTE_ORDER_MARK
    yield from lines
