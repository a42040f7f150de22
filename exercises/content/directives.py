"""Our additions to Markdown, as rules of the parser: `:::` boxes and embeddings, and `{check: …}` numbers.

A rule never fails: what is wrong becomes a token `content_problem` with the message in `content`.
"""

from __future__ import annotations

import re

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

LONGEST_NUMBER = 60
LONGEST_CHECK = 500
BOXES = {"key-points": "Key points", "note": "Note"}
_OPENING = re.compile(r":::+[ \t]*(?P<name>[^\s]*)[ \t]*(?P<rest>.*?)[ \t]*")
_CLOSING = re.compile(r":::+[ \t]*")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NUMBER_BEFORE = re.compile(r"(?P<number>[-−+]?\d[\d,]*(\.\d+)?([eE][-+]?\d+)?)[ \t]*$")
_CHECK = "{check:"


def colon_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """`::: exercise <slug>` on a line of its own, or a box up to the next line `:::`."""
    opening = _OPENING.fullmatch(_line(state, start_line))
    if opening is None:
        return False
    if silent:
        return True
    if opening["name"] == "exercise":
        _embed(state, start_line, end_line, opening["rest"])
    elif opening["name"] in BOXES and not opening["rest"]:
        _box(state, start_line, end_line, opening["name"])
    else:
        _problem(state, start_line, _unknown(opening["name"], opening["rest"]))
        state.line = start_line + 1
    return True


def check_number(state: StateInline, silent: bool) -> bool:
    """`0.7183{check: weights[2, 3]}`: the number stays, the expression goes into the token's meta."""
    if not state.src.startswith(_CHECK, state.pos):
        return False
    end = _closing_brace(state.src, state.pos)
    if silent:
        state.pos = end or len(state.src)
        return True
    expression = state.src[state.pos + len(_CHECK) : (end or len(state.src) + 1) - 1].strip()
    tail = state.pending[-LONGEST_NUMBER:]
    before = _NUMBER_BEFORE.search(tail)
    if end is None:
        problem = "expected a closing } after {check: …"
    elif not expression:
        problem = "expected an expression in {check: …}, found nothing"
    elif before is None:
        problem = "expected a number right before {check: …}, as in 0.5{check: expression}"
    else:
        problem = ""
    if problem or before is None:
        state.push("content_problem", "", 0).content = problem
    else:
        state.pending = state.pending[: len(state.pending) - len(tail) + before.start()]
        token = state.push("checked_number", "", 0)
        token.content = before["number"]
        token.meta = {"expression": expression}
    state.pos = end or len(state.src)
    return True


def _embed(state: StateBlock, start_line: int, end_line: int, slug: str) -> None:
    if _SLUG.fullmatch(slug):
        token = state.push("embedded_exercise", "", 0)
        token.content = slug
        token.map = [start_line, start_line + 1]
    else:
        found = f'found "{slug}"' if slug else "found nothing"
        _problem(state, start_line, f"expected the slug of an exercise after `::: exercise`, {found}")
    # A closing line is not needed; outside of boxes one that follows is taken as meant.
    closed = state.level == 0 and start_line + 1 < end_line and _CLOSING.fullmatch(_line(state, start_line + 1))
    state.line = start_line + (2 if closed else 1)


def _box(state: StateBlock, start_line: int, end_line: int, name: str) -> None:
    closing = _closing_line(state, start_line, end_line)
    if closing is None:
        _problem(state, start_line, f"expected a line `:::` that closes the box `::: {name}`")
        state.line = start_line + 1
        return
    opened = state.push("box_open", "aside", 1)
    opened.info = name
    opened.map = [start_line, closing]
    parent, last = state.parentType, state.lineMax
    state.parentType, state.lineMax = "container", closing
    state.md.block.tokenize(state, start_line + 1, closing)
    state.parentType, state.lineMax = parent, last
    state.push("box_close", "aside", -1)
    state.line = closing + 1


def _closing_line(state: StateBlock, start_line: int, end_line: int) -> int | None:
    # Where one box is not closed those after it are not either: looked for once, or many would take time squared.
    if start_line >= state.env.get(f"unclosed {end_line}", end_line):
        return None
    for line in range(start_line + 1, end_line):
        if _CLOSING.fullmatch(_line(state, line)):
            return line
    state.env[f"unclosed {end_line}"] = start_line
    return None


def _problem(state: StateBlock, line: int, message: str) -> None:
    token = state.push("content_problem", "", 0)
    token.content = message
    token.map = [line, line + 1]


def _unknown(name: str, rest: str) -> str:
    if not name:
        return "a line `:::` closes no box"
    if name in BOXES:
        return f'expected nothing after `::: {name}`, found "{rest}"'
    return f'expected `::: key-points`, `::: note` or `::: exercise <slug>`, found "::: {name}"'


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _closing_brace(text: str, start: int) -> int | None:
    """The position behind the brace that closes the one at `start`, if it is near."""
    depth = 0
    for position in range(start, min(len(text), start + LONGEST_CHECK)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position + 1
    return None
