"""What pages rely on: the strings that the docstring of `exercises.content.markdown` promises."""

import html
import re

import pytest

from exercises.content.markdown import LONGEST_KEPT, lesson_contents, render_fragment, render_lesson, render_markdown

RUN = "```python run\nimport torch\n\nprint('<b>')\n```\n"


def text_of(markup):
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def test_snippet_with_its_output():
    rendered = render_lesson(RUN + "\n```output\n<b>\n```\n")

    assert rendered.html.startswith(
        '<div class="snippet" data-snippet="0"><pre class="snippet-source"><code class="language-python">'
        '<span class="kn">import</span>'
    )
    assert rendered.html.endswith(
        '</code></pre>\n<div class="snippet-actions" data-snippet="0"></div>\n'
        '<pre class="output"><code class="language-output">&lt;b&gt;\n</code></pre>\n</div>\n'
    )


def test_snippet_without_output():
    assert 'class="output"' not in render_lesson(RUN).html


@pytest.mark.parametrize(
    "source",
    ["x = 1\n", "\n\nx = 1\n\n", "  x = '<&>'\n", "'''\n\n  open\n", "é = 'ü'  # ∑\n", "\tx\n", "if x:\n\n\n  y"],
)
def test_the_text_of_a_snippet_is_its_source(source):
    rendered = render_lesson(f"````python run\n{source}\n````")

    shown = re.search(
        r'<pre class="snippet-source"><code class="language-python">(.*?)</code>', rendered.html, re.DOTALL
    )
    assert text_of(shown[1]) == rendered.snippets[0]["source"] == source + "\n"


def test_snippets_are_numbered_and_may_be_fresh():
    rendered = render_lesson(RUN + "\n```python run {fresh}\ny\n```\n")

    assert [(snippet["fresh"], snippet["line"]) for snippet in rendered.snippets] == [(False, 1), (True, 7)]
    assert '<div class="snippet" data-snippet="1">' in rendered.html


def test_embedded_exercise():
    rendered = render_lesson("a\n\n::: exercise one-score\n\nb\n")

    assert '<div class="embedded-exercise" data-exercise="one-score"></div>' in rendered.html
    assert rendered.embedded == (("one-score", 3),)
    assert "<p>b</p>" in rendered.html


def test_embedding_may_be_closed_and_may_interrupt_a_paragraph():
    rendered = render_lesson("a\n::: exercise one-score\n:::\nb\n")

    assert rendered.findings == ()
    assert rendered.html == ('<p>a</p>\n<div class="embedded-exercise" data-exercise="one-score"></div>\n<p>b</p>\n')


@pytest.mark.parametrize(("name", "title"), [("key-points", "Key points"), ("note", "Note")])
def test_box(name, title):
    rendered = render_lesson(f"::: {name}\n- one\n- two\n:::\nafter\n")

    assert rendered.html == (
        f'<aside class="{name}"><p class="box-title">{title}</p>\n'
        "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n</aside>\n<p>after</p>\n"
    )


def test_an_exercise_in_a_box_leaves_the_box_its_end():
    rendered = render_lesson("::: note\n::: exercise a\n:::\nafter\n")

    assert rendered.findings == ()
    assert rendered.html.endswith("</aside>\n<p>after</p>\n")


def test_checked_number():
    rendered = render_lesson(RUN + "\nIt is −0.25 {check: {'a': x}['a'] * _w_[2, 3]}, *so*.\n")

    assert '<p>It is <span class="checked-number">−0.25</span>, <em>so</em>.</p>' in rendered.html
    assert rendered.checks == ({"expression": "{'a': x}['a'] * _w_[2, 3]", "shown": "−0.25", "after": 1, "line": 7},)


def test_a_directive_in_code_is_code():
    rendered = render_lesson("Write `5{check: x}`.")

    assert rendered.findings == ()
    assert "<code>5{check: x}</code>" in rendered.html


def test_headings_have_anchors_of_their_own():
    rendered = render_lesson("## Why *so*, `d`?\n\n### Why so, d\n\n## ∑\n")

    assert rendered.contents == (
        (2, "Why so, d?", "s-why-so-d"),
        (3, "Why so, d", "s-why-so-d-2"),
        (2, "∑", "s-section"),
    )
    assert rendered.html.startswith(
        '<h2 id="s-why-so-d">Why <em>so</em>, <code>d</code>?'
        '<a class="heading-anchor" href="#s-why-so-d" aria-label="Link to this section" rel="noopener noreferrer">'
        "#</a></h2>"
    )


def test_contents_of_a_stored_lesson():
    assert lesson_contents("---\ntitle: a\n---\n## One\n") == [(2, "One", "s-one")]


def test_maths_in_a_line_and_on_its_own():
    rendered = render_lesson("Of $\\sqrt{d}$.\n\n$$\na < b\n$$\n")

    assert '<p>Of <span class="unbroken"><math display="inline" alttext="\\sqrt{d}"><semantics>' in rendered.html
    assert (
        '<annotation encoding="application/x-tex">\\sqrt{d}</annotation></semantics></math>.</span></p>'
        in rendered.html
    )
    assert '<div class="math-block"><math display="block" alttext="a &lt; b">' in rendered.html


def test_sign_behind_a_formula_stays_with_it_and_is_escaped_once():
    assert "</math>), <em>" not in render_markdown("$d$), *so*")
    assert "</math>),</span> <em>so</em>" in render_markdown("$d$), *so*")
    assert "</math> &lt; 2" in render_markdown("Of $d$ < 2")


def test_prices_are_no_maths():
    assert "<math" not in render_markdown("It costs 5$ or 6$, or $ 7.")


def test_code_is_highlighted_with_classes():
    assert render_markdown("```python\nx = 1\n```") == (
        '<pre class="code"><code class="language-python"><span class="n">x</span> <span class="o">=</span> '
        '<span class="mi">1</span>\n</code></pre>\n'
    )


@pytest.mark.parametrize("source", ["```\na < b\n```", "```text\na < b\n```", "    a < b\n"])
def test_other_code_is_plain(source):
    assert render_markdown(source) == '<pre class="code"><code class="language-text">a &lt; b\n</code></pre>\n'


def test_tables_scroll_and_align_without_styles():
    rendered = render_markdown("| a | b |\n|---|--:|\n| 1 | 2 |\n")

    assert rendered.startswith('<div class="table"><table>\n<thead>\n<tr>\n<th>a</th>\n<th class="right">b</th>')
    assert rendered.endswith('<td class="right">2</td>\n</tr>\n</tbody>\n</table></div>\n')


def test_addresses_of_pictures():
    assert 'src="/x/a/b.png"' in render_markdown("![c](assets/a/b.png)", assets_url="/x/")


def test_what_is_wrong_is_left_out_of_a_fragment():
    rendered = render_fragment("a $\\foo$ ![x](https://a.example/b.png) b\n\n# Big")

    assert rendered.html == "<p>a  x b</p>\n<h1>Big</h1>\n"
    assert [line for line, _ in rendered.findings] == [1, 1]


def test_search_text_holds_words_code_and_formulas():
    rendered = render_lesson("## A *b*c\n\nd\ne `f` $g$\n\n- h\n- i\n\n```python\nj\n```\n\n$$\nk\n$$\n")

    assert rendered.search_text == "A bc d e f g h i j k"


def test_indented_colons_are_code():
    assert render_lesson("    ::: note\n").html == (
        '<pre class="code"><code class="language-text">::: note\n</code></pre>\n'
    )


@pytest.mark.parametrize("expression", ["x", "x["])
def test_a_checked_number_in_a_link(expression):
    rendered = render_lesson(RUN + f"\n[of 5{{check: {expression}}}](#a)\n")

    assert '>of <span class="checked-number">5</span></a>' in rendered.html
    assert rendered.checks[0]["expression"] == expression


def test_html_of_a_text_is_kept_unless_it_is_long():
    short, long = "kept " * 10, "long " * LONGEST_KEPT

    assert render_markdown(short) is render_markdown(short)
    assert render_markdown(long) is not render_markdown(long)
