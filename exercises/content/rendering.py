"""How the tokens of a document become HTML; see markdown.py for what pages may rely on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer

from exercises.content.directives import BOXES

Rule = Callable[[RendererHTML, Sequence[Token], int, OptionsDict, EnvType], str]
# Nothing may be stripped or added: the text of the element is the snippet's source.
_LEXER = PythonLexer(stripnl=False, ensurenl=False)
_FORMATTER = HtmlFormatter(nowrap=True)
FORMULAS = frozenset({"math_inline", "math_inline_double"})
_SIGNS = re.compile(r"[,.;:!?)\]’”]+")


def python_html(source: str) -> str:
    """`source` with Pygments' classes on spans; its text is unchanged."""
    # Pygments ends its output with a newline also where the source has none.
    made: str = highlight(source, _LEXER, _FORMATTER)
    return made.removesuffix("\n") + ("\n" if source.endswith("\n") else "")


def _fence(_: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType) -> str:
    token = tokens[position]
    if "snippet" in token.meta:
        return _snippet(token)
    if token.info.strip() == "python":
        return f'<pre class="code"><code class="language-python">{python_html(token.content)}</code></pre>\n'
    return _code_block(_, tokens, position, _options, _env)


def _code_block(_: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType) -> str:
    return f'<pre class="code"><code class="language-text">{escape(tokens[position].content)}</code></pre>\n'


def _snippet(token: Token) -> str:
    number, output = token.meta["snippet"], token.meta["output"]
    source = f'<pre class="snippet-source"><code class="language-python">{python_html(token.content)}</code></pre>\n'
    actions = f'<div class="snippet-actions" data-snippet="{number}"></div>\n'
    claimed = ""
    if output is not None:
        claimed = f'<pre class="output"><code class="language-output">{escape(output)}</code></pre>\n'
    return f'<div class="snippet" data-snippet="{number}">{source}{actions}{claimed}</div>\n'


def _heading_close(
    renderer: RendererHTML, tokens: Sequence[Token], position: int, options: OptionsDict, env: EnvType
) -> str:
    # A heading is always three tokens: open, inline, close.
    anchor = tokens[position - 2].attrs.get("id")
    link = f'<a class="heading-anchor" href="#{anchor}" aria-label="Link to this section">#</a>' if anchor else ""
    return link + renderer.renderToken(tokens, position, options, env)


def _box_open(_: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType) -> str:
    name = tokens[position].info
    return f'<aside class="{name}"><p class="box-title">{BOXES[name]}</p>\n'


def _box_close(_: RendererHTML, _tokens: Sequence[Token], _position: int, _options: OptionsDict, _env: EnvType) -> str:
    return "</aside>\n"


def _embedding(_: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType) -> str:
    return f'<div class="embedded-exercise" data-exercise="{escape(tokens[position].content)}"></div>\n'


def _checked(_: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType) -> str:
    return f'<span class="checked-number">{escape(tokens[position].content)}</span>'


def _formula(_: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType) -> str:
    made = str(tokens[position].meta["mathml"])
    sign = _sign_after(tokens, position)
    # Lines break between a formula and text; no line may begin with a comma.
    return f'<span class="unbroken">{made}{escape(sign)}</span>' if sign else made


def _text(_: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType) -> str:
    return escape(tokens[position].content.removeprefix(_sign_after(tokens, position - 1)))


def _sign_after(tokens: Sequence[Token], position: int) -> str:
    """The signs of punctuation right behind the formula at `position`; "" if there is none, or no formula."""
    if position < 0 or tokens[position].type not in FORMULAS or position + 1 == len(tokens):
        return ""
    following = tokens[position + 1]
    found = _SIGNS.match(following.content) if following.type == "text" else None
    return found[0] if found else ""


def _formula_block(
    _: RendererHTML, tokens: Sequence[Token], position: int, _options: OptionsDict, _env: EnvType
) -> str:
    return f'<div class="math-block">{tokens[position].meta["mathml"]}</div>\n'


def _table_open(_: RendererHTML, _tokens: Sequence[Token], _position: int, _options: OptionsDict, _env: EnvType) -> str:
    return '<div class="table"><table>\n'


def _table_close(
    _: RendererHTML, _tokens: Sequence[Token], _position: int, _options: OptionsDict, _env: EnvType
) -> str:
    return "</table></div>\n"


def _cell_open(
    renderer: RendererHTML, tokens: Sequence[Token], position: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[position]
    # The policy for styles forbids attributes, so alignment becomes a class.
    if style := token.attrs.pop("style", None):
        token.attrSet("class", str(style).removeprefix("text-align:"))
    return renderer.renderToken(tokens, position, options, env)


def _image(renderer: RendererHTML, tokens: Sequence[Token], position: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[position]
    if not token.attrs.get("src"):
        return escape(token.content)
    token.attrSet("loading", "lazy")
    return renderer.image(tokens, position, options, env)


def _nothing(_: RendererHTML, _tokens: Sequence[Token], _position: int, _options: OptionsDict, _env: EnvType) -> str:
    return ""


RULES: dict[str, Rule] = {
    "fence": _fence,
    "code_block": _code_block,
    "heading_close": _heading_close,
    "box_open": _box_open,
    "box_close": _box_close,
    "embedded_exercise": _embedding,
    "checked_number": _checked,
    "math_inline": _formula,
    "math_inline_double": _formula,
    "math_block": _formula_block,
    "text": _text,
    "table_open": _table_open,
    "table_close": _table_close,
    "th_open": _cell_open,
    "td_open": _cell_open,
    "image": _image,
    "content_problem": _nothing,
}
