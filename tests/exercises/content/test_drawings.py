"""SVG pictures of a course: shapes and words alone."""

import pytest

from exercises.content.drawings import drawing_refusal

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
  <title>A wave</title>
  <style>.a { fill: url(#g) } @media (prefers-color-scheme: dark) { .a { stroke: #fff } }</style>
  <defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>
  <g clip-path="url('#c')"><path class="a" d="M0 0q1 2 3 4"/><text x="1" y="2">1 // 2</text></g>
</svg>"""


def found_in(content):
    return (
        drawing_refusal(content.encode())
        .removeprefix("line ")
        .removeprefix("1: expected shapes and words alone in a picture, found ")
    )


def test_shapes_words_and_styles_are_taken():
    assert drawing_refusal(PICTURE.encode()) == ""


def test_line_of_what_is_refused_is_told():
    picture = PICTURE.replace("<title>A wave</title>", "<script>alert(1)</script>")

    assert drawing_refusal(picture.encode()) == ("line 2: expected shapes and words alone in a picture, found <script>")


@pytest.mark.parametrize(
    ("inside", "found"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ("<SCRIPT>alert(1)</SCRIPT>", "<SCRIPT>"),
        ("<foreignObject/>", "<foreignObject>"),
        ("<image href='a.png'/>", "<image>"),
        ("<use href='#a'/>", "<use>"),
        ("<a href='/'>x</a>", "<a>"),
        ("<animate/>", "<animate>"),
        ("<set attributeName='onload'/>", "<set>"),
        ("<g><svg/></g>", "<svg>"),
        ("<h:script xmlns:h='http://www.w3.org/1999/xhtml'/>", "<h:script>"),
        ("<path onload='alert(1)'/>", "`onload`"),
        ("<path onLoad='alert(1)'/>", "`onLoad`"),
        ("<path href='#a'/>", "`href`"),
        ("<path xlink:href='#a'/>", "`xlink:href`"),
        ("<path xmlns='http://www.w3.org/1999/xhtml'/>", "`xmlns`"),
        ("<path fill='url(//elsewhere/a)'/>", "`url(` in `fill`"),
        ("<path fill='URL( https://elsewhere/a)'/>", "`URL( ` in `fill`"),
        ("<path style='fill: url(a.svg#b)'/>", "`url(` in `style`"),
        ("<path style='fill: u&#x5c;72l(a.svg)'/>", "`\\` in `style`"),
        ("<path style='fill: j&#97;vascript:x'/>", "`javascript:` in `style`"),
        ("<style>@import 'a.css';</style>", "`@import` in a style"),
        ("<style>a { fill: u<![CDATA[rl(a.png)]]> }</style>", "`url(` in a style"),
    ],
)
def test_what_runs_links_or_is_fetched_is_refused(inside, found):
    assert found_in(f"<svg>{inside}</svg>") == found


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("<!DOCTYPE svg [<!ENTITY a 'a'>]><svg>&a;</svg>", "a document type"),
        ("<?xml-stylesheet href='a.css'?><svg/>", "<?xml-stylesheet"),
        ("<g/>", "<g>"),
        ("<svg onload='a()'", "1: expected an SVG picture, found other content"),
        ("GIF8", "1: expected an SVG picture, found other content"),
    ],
)
def test_what_is_no_picture_is_refused(content, found):
    assert found_in(content) == found


def test_entities_within_entities_are_not_unfolded():
    entities = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12))
    content = f"<!DOCTYPE svg [<!ENTITY a0 'ha'>{entities}]><svg>&a11;</svg>"

    assert found_in(content) == "a document type"
