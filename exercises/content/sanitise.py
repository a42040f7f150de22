"""The allow-list that all HTML made from an author's text goes through last."""

from __future__ import annotations

import nh3
from pygments.token import STANDARD_TYPES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MATHS_TAGS = _words("""
    math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover
    mtable mtr mtd mlabeledtr mpadded mphantom mstyle menclose mmultiscripts mprescripts none merror
""")
MATHS_ATTRIBUTES = _words("""
    mathvariant stretchy fence form separator largeop movablelimits lspace rspace minsize maxsize symmetric accent
    accentunder linethickness displaystyle scriptlevel columnalign rowspacing columnspacing columnlines rowlines width
    height depth notation side bevelled numalign denomalign
""")

_TAGS = MATHS_TAGS | _words("""
    p em strong s code pre ul ol li blockquote h1 h2 h3 h4 h5 h6 hr br table thead tbody tr th td a img div span aside
""")
_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title", "aria-label"},
    "img": {"src", "alt", "title", "loading"},
    "ol": {"start"},
    "div": {"data-snippet", "data-exercise"},
    "math": {"display", "alttext"},
    "annotation": {"encoding"},
    **{f"h{level}": {"id"} for level in range(1, 7)},
}
_CLASSES: dict[str, set[str]] = {
    "a": {"heading-anchor"},
    "aside": {"note", "key-points"},
    "code": {"language-python", "language-output", "language-text"},
    "div": {"snippet", "snippet-actions", "embedded-exercise", "table", "math-block"},
    "p": {"box-title"},
    "pre": {"snippet-source", "output", "code"},
    "span": {"checked-number", "unbroken", *(name for name in STANDARD_TYPES.values() if name)},
    "td": {"left", "center", "right"},
    "th": {"left", "center", "right"},
}

_CLEANER = nh3.Cleaner(
    tags=set(_TAGS),
    attributes={**_ATTRIBUTES, **{tag: set(MATHS_ATTRIBUTES) | _ATTRIBUTES.get(tag, set()) for tag in MATHS_TAGS}},
    allowed_classes=_CLASSES,
    url_schemes={"http", "https", "mailto"},
    link_rel="noopener noreferrer",
)


def clean(html: str) -> str:
    """`html` with nothing left but allowed tags, attributes, classes and addresses."""
    return _CLEANER.clean(html)
