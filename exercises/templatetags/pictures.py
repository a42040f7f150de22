"""The parts of pictures of which there are hundreds on a page, as HTML: a template takes ten times as long for them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from exercises.learn.planes import Box, Plane, Shape, Table, Text

register = template.Library()


@register.filter
def marks(plane: Plane) -> SafeString:
    """What stands in the drawing: shapes, the outline, the words at its edges and in its cells."""
    outline = (_outline(plane.outline),) if plane.outline else ()
    pieces = (*map(_path, plane.shapes), *outline, *_words("tick", plane.ticks), *_words("in-cell", plane.texts))
    return mark_safe("".join(pieces))  # noqa: S308  (each text was escaped)


@register.filter
def rows(table: Table) -> SafeString:
    """The head and the body of the table."""
    columns = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    body = "".join(f"<tr>{_row_head(head)}{_cells(cells)}</tr>" for head, cells in table.rows)
    return mark_safe(f"<thead><tr><td></td>{columns}</tr></thead><tbody>{body}</tbody>")  # noqa: S308  (as above)


def _row_head(head: str) -> str:
    return f'<th scope="row">{escape(head)}</th>' if head else "<td></td>"


def _cells(cells: Iterable[str]) -> str:
    return "".join(f"<td>{escape(cell)}</td>" for cell in cells)


def _path(shape: Shape) -> str:
    return f'<path class="{escape(shape.look)}" d="{escape(shape.path)}"/>'


def _outline(box: Box) -> str:
    place = f'x="{box.x:.2f}" y="{box.y:.2f}" width="{box.width:.2f}" height="{box.height:.2f}"'
    return f'<rect class="worst-halo" {place}/><rect class="worst" {place}/>'


def _words(kind: str, words: Iterable[Text]) -> Iterable[str]:
    return (f'<text class="{kind} {escape(word.look)}" {_place(word)}>{escape(word.text)}</text>' for word in words)


def _place(word: Text) -> str:
    return f'x="{_length(word.x)}" y="{_length(word.y)}"'


def _length(pixels: float) -> str:
    """With one decimal, unless that is 0."""
    return f"{pixels:.1f}".removesuffix(".0")
