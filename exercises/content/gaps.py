"""A Markdown text with gaps, `{{name}}`: rendered, and cut where the gaps are."""

from __future__ import annotations

import re

from exercises.content.markdown import render_markdown

# As in `graders.questions.blanks`; a test compares the two.
GAP = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}", re.ASCII)
# A word to Markdown and a name to Python, so that neither cuts it.
_STANDS_FOR = "gapzq{}qzgap"
_STANDING = re.compile(r"gapzq(\d+)qzgap")
_TAG = re.compile(r"<[^>]*>")
_FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)


def gap_names(template: str) -> list[str]:
    """The names of the gaps, in order."""
    return GAP.findall(template)


def gaps_in_text(template: str) -> set[str]:
    """The gaps that stand where one can write: in text or code, not in a formula or an address."""
    names = gap_names(template)
    words = _TAG.sub("", _FORMULA.sub("", _rendered(template)))
    return {names[int(number)] for number in _STANDING.findall(words)}


def cut_at_gaps(template: str) -> list[str]:
    """HTML and names of gaps by turns: HTML first and last."""
    names = gap_names(template)
    pieces = _STANDING.split(_rendered(template))
    pieces[1::2] = [names[int(number)] for number in pieces[1::2]]
    return pieces


def _rendered(template: str) -> str:
    pieces = GAP.split(template)
    pieces[1::2] = [_STANDS_FOR.format(number) for number in range(len(pieces) // 2)]
    return render_markdown("".join(pieces))
