"""Whatever an author writes, nothing that runs or reaches outside comes out."""

from html.parser import HTMLParser

import pytest

from exercises.content.markdown import render_lesson, render_markdown
from exercises.content.sanitise import clean

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<object data='data:text/html,<script>alert(1)</script>'></object>",
    "<a href='javascript:alert(1)'>x</a>",
    "<body onload=alert(1)>",
    "<style>@import 'https://a.example/'</style>",
    "<link rel=stylesheet href=https://a.example/>",
    "<meta http-equiv=refresh content='0;url=https://a.example/'>",
    "<base href=https://a.example/>",
    "<form action=https://a.example/><input name=x></form>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<math href='javascript:alert(1)'><mi>x</mi></math>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<details open ontoggle=alert(1)>",
    "<p style='background:url(https://a.example/)' id=main class=admin>x</p>",
    "<input autofocus onfocus=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<!-- <img src=x onerror=alert(1)> -->",
    "<?php echo 1 ?>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox(1))",
    "[x](<javascript:alert(1)>)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "![x](javascript:alert(1))",
    "![x](https://a.example/beacon.png)",
    "![x](//a.example/beacon.png)",
    "[x](//a.example/)",
    "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "![x\" onerror=\"alert(1)](assets/a.png)",
    "![x](assets/a.png \"t\\\" onerror=\\\"alert(1)\")",
    "[x](https://a.example/ \"t' onclick='alert(1)\")",
    "## <img src=x onerror=alert(1)>",
    "## x\" onclick=\"alert(1)",
    "```python run\n</code></pre><script>alert(1)</script>\n```",
    "```python\n</code></pre><img src=x onerror=alert(1)>\n```",
    "```\"><script>alert(1)</script>\nx\n```",
    "```python run\nx\n```\n```output\n</code><script>alert(1)</script>\n```",
    "$\\text{<img src=x onerror=alert(1)>}$",
    "$\\text{</math><script>alert(1)</script>}$",
    "$\\href{javascript:alert(1)}{x}$",
    "$\\style{background:url(https://a.example/)}{x}$",
    "$\\class{admin}{x}$",
    "$\" onclick=\"alert(1)$",
    "$$\n\\text{</annotation></semantics></math><img src=x onerror=alert(1)>}\n$$",
    "$\\text{&lt;img src=x onerror=alert(1)&gt;}$",
    "::: note\n<script>alert(1)</script>\n:::",
    "::: <script>alert(1)</script>",
    "::: exercise \"><script>alert(1)</script>",
    "```python run\nx\n```\n5{check: </span><script>alert(1)</script>}",
    "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
    "<a\nhref=\"javascript:alert(1)\">x</a>",
    "<https://a.example/\"onmouseover=\"alert(1)>",
    "\0<script>alert(1)</script>",
]  # fmt: skip

TAGS = frozenset(
    {"a", "aside", "code", "div", "em", "h1", "h2", "h3", "img", "li", "p", "pre", "span", "strong", "ul"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
    | {"math", "semantics", "annotation", "mrow", "mi", "mo", "mn", "ms", "mtext", "mspace", "mstyle", "msup"}
)
ATTRIBUTES = frozenset(
    {"href", "rel", "title", "src", "alt", "loading", "class", "id", "aria-label", "data-snippet", "data-exercise"}
    | {"display", "alttext", "encoding", "stretchy", "fence", "form", "width", "mathvariant"}
)


class Inspector(HTMLParser):
    """Collects what does not belong: tags, attributes and addresses that are not expected."""

    def __init__(self):
        super().__init__()
        self.strange = []

    def handle_starttag(self, tag, attributes):
        if tag not in TAGS:
            self.strange.append(tag)
        for name, value in attributes:
            if name not in ATTRIBUTES:
                self.strange.append(f"{tag} {name}={value}")
            if name == "src" and not value.startswith("../../assets/"):
                self.strange.append(f"{tag} {name}={value}")
            if name == "href" and not value.startswith(("#", "https://", "http://", "mailto:")):
                self.strange.append(f"{tag} {name}={value}")
            if name == "id" and not value.startswith("s-"):
                self.strange.append(f"{tag} {name}={value}")

    def handle_comment(self, data):
        self.strange.append(data)

    def handle_decl(self, decl):
        self.strange.append(decl)

    def handle_pi(self, data):
        self.strange.append(data)


def strange_in(markup):
    inspector = Inspector()
    inspector.feed(markup)
    inspector.close()
    return inspector.strange


@pytest.mark.parametrize("attack", ATTACKS)
def test_in_a_lesson(attack):
    assert strange_in(render_lesson(attack).html) == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_in_a_fragment(attack):
    assert strange_in(render_markdown(attack)) == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_sanitiser_alone_holds_too(attack):
    strange = strange_in(clean(attack))

    assert [item for item in strange if not item.startswith("img src=")] == []


def test_the_inspector_sees_what_it_looks_for():
    assert sum(bool(strange_in(attack)) for attack in ATTACKS) > 35
