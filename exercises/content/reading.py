"""One walk over a document's tokens: collects its parts, prepares what is rendered, and finds what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from markdown_it.token import Token

from exercises.content.maths import MathsError, mathml

LANGUAGES = ("python", "text", "bash", "json", "yaml", "toml", "")
_BREAKS = frozenset({"softbreak", "hardbreak"})
_SAID = frozenset({"text", "code_inline", "math_inline", "math_inline_double", "checked_number", "image"})
_RUN = re.compile(r"python[ \t]+run(?P<fresh>[ \t]+\{fresh\})?")
_ASSET = re.compile(r"(\.\./)?assets/(?P<path>[A-Za-z0-9._/-]+)")
_ALLOWED_LINK = re.compile(r"(https?://|mailto:|#|/?[A-Za-z0-9._-][A-Za-z0-9._/-]*($|#))", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Reading:
    """What the walk has seen so far. `line` is the current one, from 1."""

    is_lesson: bool
    assets_url: str
    line: int = 1
    snippets: list[dict[str, object]] = field(default_factory=list)
    checks: list[dict[str, object]] = field(default_factory=list)
    embedded: list[tuple[str, int]] = field(default_factory=list)
    assets: list[tuple[str, int]] = field(default_factory=list)
    contents: list[tuple[int, str, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    findings: list[tuple[int, str]] = field(default_factory=list)

    def find(self, message: str) -> None:
        self.findings.append((self.line, message))


def read_tokens(tokens: list[Token], reading: Reading) -> list[Token]:
    """The tokens to render, without those that became part of another; `reading` is filled."""
    kept: list[Token] = []
    for position, token in enumerate(tokens):
        if token.map:
            reading.line = token.map[0] + 1
        if token.type == "fence":
            _read_fence(token, kept, reading)
            continue
        if token.type == "heading_open":
            _read_heading(token, tokens[position + 1], reading)
        elif token.type == "inline":
            _read_inline(token.children or [], reading)
        elif token.type in _BLOCKS:
            _BLOCKS[token.type](token, reading)
        kept.append(token)
    return kept


def _read_fence(token: Token, kept: list[Token], reading: Reading) -> None:
    info = token.info.strip()
    reading.words.append(f"\n{token.content}\n")
    if info == "output":
        _read_output(token, kept, reading)
        return
    if run := _RUN.fullmatch(info):
        _read_snippet(token, bool(run["fresh"]), reading)
    elif info not in LANGUAGES:
        reading.find(_unknown_fence(info))
    kept.append(token)


def _read_snippet(token: Token, fresh: bool, reading: Reading) -> None:
    if not reading.is_lesson:
        reading.find("a `python run` fence stands in lessons only; write ```python")
    if not token.content.strip():
        reading.find("expected code in the `python run` fence, found nothing")
    token.meta = {"snippet": len(reading.snippets), "output": None}
    reading.snippets.append({"source": token.content, "fresh": fresh, "output": None, "line": reading.line})


def _read_output(token: Token, kept: list[Token], reading: Reading) -> None:
    before = kept[-1] if kept else None
    if before is None or "snippet" not in before.meta or before.meta["output"] is not None:
        reading.find("an `output` fence stands right after a `python run` fence")
        return
    before.meta["output"] = token.content
    reading.snippets[-1]["output"] = token.content


def _unknown_fence(info: str) -> str:
    if "run" in info.split() or "fresh" in info:
        return f'expected ```python run``` or ```python run {{fresh}}```, found "{info}"'
    known = ", ".join(language for language in LANGUAGES if language)
    return f'expected a fence of {known}, `python run` or output, found "{info}"'


def _read_heading(token: Token, inline: Token, reading: Reading) -> None:
    if not reading.is_lesson:
        return
    level = int(token.tag[1])
    if level == 1:
        reading.find("the lesson's title stands in its front matter; begin headings with ##")
    text = "".join(child.content for child in inline.children or [] if child.type != "content_problem")
    anchor = _anchor(text, {known for _, _, known in reading.contents})
    token.attrSet("id", anchor)
    reading.contents.append((level, text, anchor))


def _anchor(text: str, taken: set[str]) -> str:
    plain = "s-" + ("-".join(re.findall(r"[a-z0-9]+", text.lower())) or "section")
    anchor, number = plain, 2
    while anchor in taken:
        anchor, number = f"{plain}-{number}", number + 1
    return anchor


def _read_inline(children: Iterable[Token], reading: Reading) -> None:
    first = reading.line
    for child in children:
        if child.type in _INLINES:
            _INLINES[child.type](child, reading)
        reading.words.append(" " if child.type in _BREAKS else child.content if child.type in _SAID else "")
        reading.line += child.content.count("\n") + (child.type in _BREAKS)
    reading.words.append("\n")
    reading.line = first


def _read_formula(token: Token, reading: Reading) -> None:
    display = token.type != "math_inline"
    try:
        token.meta = {"mathml": mathml(token.content, display=display)}
    except MathsError as error:
        token.meta = {"mathml": ""}
        reading.find(str(error))


def _read_formula_block(token: Token, reading: Reading) -> None:
    reading.words.append(f"\n{token.content}\n")
    _read_formula(token, reading)


def _read_picture(token: Token, reading: Reading) -> None:
    address = str(token.attrs.get("src", ""))
    found = _ASSET.fullmatch(address)
    if not token.content.strip():
        reading.find(f"expected a description of the picture in the brackets: ![description]({address})")
    if found is None or ".." in found["path"]:
        reading.find(f'expected a picture in assets/, found "{address}"')
        token.attrSet("src", "")
        return
    reading.assets.append((found["path"], reading.line))
    token.attrSet("src", reading.assets_url + found["path"])


def _read_link(token: Token, reading: Reading) -> None:
    address = str(token.attrs.get("href", ""))
    if not _ALLOWED_LINK.match(address):
        token.attrs.pop("href", None)
        reading.find(f'expected an address that begins with http, https or mailto, found "{address}"')


def _read_check(token: Token, reading: Reading) -> None:
    if not reading.is_lesson:
        reading.find("a {check: …} stands in lessons only")
        return
    expression = token.meta["expression"]
    if not reading.snippets:
        reading.find("a {check: …} needs a `python run` fence before it")
    reading.checks.append(
        {"expression": expression, "shown": token.content, "after": len(reading.snippets), "line": reading.line}
    )


def _read_embedding(token: Token, reading: Reading) -> None:
    slug = token.content
    if not reading.is_lesson:
        reading.find("`::: exercise` stands in lessons only")
    elif slug in {known for known, _ in reading.embedded}:
        reading.find(f"the exercise `{slug}` is embedded twice in this lesson")
    else:
        reading.embedded.append((slug, reading.line))


def _read_problem(token: Token, reading: Reading) -> None:
    reading.find(token.content)


_BLOCKS: dict[str, Callable[[Token, Reading], None]] = {
    "math_block": _read_formula_block,
    "embedded_exercise": _read_embedding,
    "content_problem": _read_problem,
}
_INLINES: dict[str, Callable[[Token, Reading], None]] = {
    "math_inline": _read_formula,
    "math_inline_double": _read_formula,
    "image": _read_picture,
    "link_open": _read_link,
    "checked_number": _read_check,
    "content_problem": _read_problem,
}
