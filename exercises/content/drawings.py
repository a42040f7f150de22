"""SVG pictures: shapes and words alone. Nothing in them runs, links or is fetched."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

_NAMES: Final = """
    svg g defs title desc style symbol path rect circle ellipse line polyline polygon text tspan
    linearGradient radialGradient stop marker clipPath mask pattern
"""
_ELEMENTS: Final = frozenset(_NAMES.split())
_NAMESPACE: Final = "http://www.w3.org/2000/svg"
# Another file: an address, or `url()` and `@import` of styles. A backslash could spell any of them otherwise.
_ELSEWHERE: Final = re.compile(
    r"""[a-z]\s*:\s*//|url\s*\(\s*(?!["']?#)|@import|javascript\s*:|data\s*:|\\""", re.IGNORECASE
)


def drawing_refusal(content: bytes) -> str:
    """Why an SVG picture may not be taken in, with the line; "" where it may."""
    parser = expat.ParserCreate()
    reading = _Reading(parser=parser)
    parser.StartDoctypeDeclHandler = reading.doctype
    parser.ProcessingInstructionHandler = reading.instruction
    parser.StartElementHandler = reading.element
    parser.EndElementHandler = reading.end
    parser.CharacterDataHandler = reading.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        return reading.refusal or f"line {error.lineno}: expected an SVG picture, found other content"
    return reading.refusal


@dataclass(slots=True)
class _Reading:
    """One picture while it is read; only the first refusal is kept."""

    parser: expat.XMLParserType
    refusal: str = ""
    depth: int = 0
    style: list[str] = field(default_factory=list)

    def doctype(self, name: str, *_identifiers: object) -> None:
        self._refuse("a document type")

    def instruction(self, target: str, _data: str) -> None:
        self._refuse(f"<?{target}")

    def element(self, name: str, attributes: dict[str, str]) -> None:
        if name not in _ELEMENTS or (self.depth == 0) != (name == "svg"):
            self._refuse(f"<{name}>")
        self.depth += 1
        for attribute, value in attributes.items():
            if attribute == "xmlns" and value == _NAMESPACE:
                continue
            if attribute.lower().startswith(("on", "xmlns", "xlink")) or attribute in {"href", "src"}:
                self._refuse(f"`{attribute}`")
            elif found := _ELSEWHERE.search(value):
                self._refuse(f"`{found.group()}` in `{attribute}`")

    def end(self, name: str) -> None:
        self.depth -= 1
        if name == "style":
            # Only as a whole, since a text may come in pieces.
            if found := _ELSEWHERE.search("".join(self.style)):
                self._refuse(f"`{found.group()}` in a style")
            self.style.clear()

    def text(self, data: str) -> None:
        self.style.append(data)

    def _refuse(self, what: str) -> None:
        self.refusal = self.refusal or (
            f"line {self.parser.CurrentLineNumber}: expected shapes and words alone in a picture, found {what}"
        )
