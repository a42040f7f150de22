"""What students write, for a page. It is not parsed as Markdown: that is done to authors' texts only."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from exercises.learn.feedback import with_code

FENCE = "```"


def student_text(text: str) -> SafeString:
    """Paragraphs, `code`, and blocks of code between lines of three backticks; all else as it was typed."""
    return mark_safe("".join(_blocks(text.replace("\r\n", "\n").split("\n"))))  # noqa: S308  (each piece is escaped)


def _blocks(lines: list[str]) -> Iterator[str]:
    paragraph: list[str] = []
    code: list[str] | None = None
    for line in [*lines, ""]:
        if line.startswith(FENCE):
            yield from _code(code) if code is not None else _paragraph(paragraph)
            paragraph, code = [], None if code is not None else []
        elif code is not None:
            code.append(line)
        elif line.strip():
            paragraph.append(line)
        else:
            yield from _paragraph(paragraph)
            paragraph = []
    if code:
        yield from _code(code[:-1])


def _paragraph(lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"<p>{'<br>'.join(with_code(line) for line in lines)}</p>"


def _code(lines: list[str]) -> Iterator[str]:
    inside = "\n".join(lines)
    yield f'<pre class="code" tabindex="0"><code>{escape(inside)}</code></pre>'
