"""Markdown to HTML: lessons, and the prompts, hints and explanations of exercises.

CommonMark without raw HTML, with tables, `$…$` and `$$…$$` (MathML, set on the server), highlighted code (Pygments'
short classes), and an allow-list over the result. No inline styles or scripts, so it shows under a strict policy.

What pages may rely on
======================

`render_markdown(source)` is for prompts, hints, explanations, options and feedback; it gives HTML only. `render_lesson`
is for lessons and gives besides the HTML what the lesson consists of. `lesson_contents(source)` lists the headings of a
stored lesson. These strings stand in a lesson's HTML exactly as written here and may be replaced by a page:

* a runnable snippet, number N from 0 in the order of the lesson (`snippets[N]["source"]` is its exact text)::

    <div class="snippet" data-snippet="N"><pre class="snippet-source"><code class="language-python">…</code></pre>
    <div class="snippet-actions" data-snippet="N"></div>
    <pre class="output"><code class="language-output">…</code></pre>
    </div>

  `snippet-actions` is empty: the place for a page's form with its buttons. `pre.output`, what the snippet prints as
  published, is there only if the author gave it. The text content of the first `code` is the source, exactly.
* an embedded exercise: `<div class="embedded-exercise" data-exercise="SLUG"></div>`

Also in a lesson's HTML:

* headings from `<h2>` on: `<h2 id="s-ANCHOR">Text<a class="heading-anchor" href="#s-ANCHOR" aria-label="Link to this
  section">#</a></h2>`; an id of ours always begins with `s-`, so it cannot take the place of one of the page
* boxes: `<aside class="key-points"><p class="box-title">Key points</p>…</aside>`, `<aside class="note">` likewise
* a number that is checked by running: `<span class="checked-number">0.7183</span>`

In all HTML: `<pre class="code"><code class="language-python">` (or `language-text`), `<div class="table"><table>` with
the classes `left`, `center`, `right` on cells, `<math display="inline" alttext="TeX">`, within a
`<span class="unbroken">` with the comma behind it if there is one, and `<div class="math-block">` around formulas on
lines of their own. Pictures have the address `assets_url` + their path within `assets/`; the default
`../../assets/` is right for the pages of lessons and of exercises (`/courses/<course>/lessons/<lesson>/` and
`/courses/<course>/exercises/<exercise>/`). Links have `rel="noopener noreferrer"`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from exercises.content.directives import check_number, colon_block
from exercises.content.files import plain
from exercises.content.reading import Reading, read_tokens
from exercises.content.rendering import RULES
from exercises.content.sanitise import clean

ASSETS_URL = "../../assets/"
KEPT_AT_MOST = 1024
# Characters. The HTML of formulas is forty times as long as what was written: all that is kept fits into 200 MB or so.
LONGEST_KEPT = 4000
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?P<yaml>.*?)(?<=\n)---[ \t]*(\n|$)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A lesson's HTML and what it consists of.

    snippets: `{"source", "fresh", "output", "line"}` in order; `output` is the claimed output or None.
    checks: `{"expression", "shown", "after", "line"}`: the number shown, and how many snippets stand before it. The
    expression is for the names that the last of these leaves, run after its own predecessors.
    embedded: (slug, line) of exercises. assets: (path within `assets/`, line). contents: (level, text, anchor).
    findings: (line, message) of what the author has to mend; lines from 1 within the given source.
    """

    html: str
    search_text: str
    snippets: tuple[dict[str, object], ...] = ()
    checks: tuple[dict[str, object], ...] = ()
    embedded: tuple[tuple[str, int], ...] = ()
    assets: tuple[tuple[str, int], ...] = ()
    contents: tuple[tuple[int, str, str], ...] = ()
    findings: tuple[tuple[int, str], ...] = ()


def render_markdown(source: str, *, assets_url: str = ASSETS_URL) -> str:
    """The HTML of a prompt, a hint, an explanation, an option or feedback. What is wrong in it is left out.

    Pages of everybody hold the same ones, so they are kept, unless they are long.
    """
    return (_kept_html if len(source) <= LONGEST_KEPT else _html)(source, assets_url)


def _html(source: str, assets_url: str) -> str:
    return render_fragment(source, assets_url=assets_url).html


_kept_html = lru_cache(maxsize=KEPT_AT_MOST)(_html)


def render_fragment(source: str, *, assets_url: str = ASSETS_URL) -> Rendered:
    """As `render_markdown`, with the findings: a fragment may hold neither snippets nor exercises."""
    return _render(source, Reading(is_lesson=False, assets_url=assets_url))


def render_lesson(body: str, *, assets_url: str = ASSETS_URL) -> Rendered:
    """A lesson's HTML and parts; `body` is the lesson's file without its front matter."""
    return _render(body, Reading(is_lesson=True, assets_url=assets_url))


def lesson_contents(source: str) -> list[tuple[int, str, str]]:
    """Level, text and anchor (with its `s-`) of each heading of a lesson's file, in order."""
    body = split_front_matter(plain(source))[1]
    return list(render_lesson(body).contents)


def lesson_tokens(body: str) -> tuple[list[Token], dict[str, str]]:
    """What a lesson consists of, in order, as the parser's tokens; and the addresses that its references stand for.

    The token of a runnable fence has `snippet` and `output` in its meta. `body` is the file without its front matter.
    """
    env: dict[str, Any] = {}
    tokens = read_tokens(_parser().parse(body, env), Reading(is_lesson=True, assets_url=ASSETS_URL))
    return tokens, {name: found["href"] for name, found in env.get("references", {}).items()}


def split_front_matter(text: str) -> tuple[str | None, str, int]:
    """The YAML between the `---` lines (None if there is none), the rest, and the number of lines before the rest."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return None, text, 0
    return found["yaml"], text[found.end() :], text.count("\n", 0, found.end())


def _render(source: str, reading: Reading) -> Rendered:
    parser = _parser()
    tokens: Sequence[Token] = read_tokens(parser.parse(source), reading)
    html = clean(parser.renderer.render(tokens, parser.options, {}))
    return Rendered(
        html=html,
        search_text=" ".join("".join(reading.words).split()),
        snippets=tuple(reading.snippets),
        checks=tuple(reading.checks),
        embedded=tuple(reading.embedded),
        assets=tuple(reading.assets),
        contents=tuple(reading.contents),
        findings=tuple(reading.findings),
    )


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 40}).enable("table")
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
    parser.block.ruler.before(
        "fence", "colon_block", colon_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    parser.inline.ruler.before("escape", "check_number", check_number)
    for name, rule in RULES.items():
        parser.add_render_rule(name, rule)
    return parser
