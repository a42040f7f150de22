"""How a page is looked at: wide, on a phone, in the dark; and what may be wrong with it then."""

import os
from pathlib import Path

# Fonts are there, and a frame was drawn with them as the window is now.
DRAWN = """() => document.fonts.ready.then(
  () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))"""

LOOKS = {
    "wide": {"width": 1280},
    "phone": {"width": 360, "height": 740},
    "dark": {"width": 1280, "dark": True},
    "phone-dark": {"width": 360, "height": 740, "dark": True},
}
# Between them these two have each width and each theme; all four are for pictures and `make verify`.
IS_THOROUGH = bool({"SCREENSHOTS", "ALL_LOOKS"} & set(os.environ))
LOOKED_AT = list(LOOKS) if IS_THOROUGH else ["wide", "phone-dark"]


def faults_of(visitor, address, name, looks=LOOKED_AT):
    """What is wrong with a page, by look. It is opened in the first and turned to the others; where all four are
    looked at it is opened anew in each. With SCREENSHOTS=folder its pictures are kept."""
    visitor.expect_error("404")  # the page that is not there; streams of events, which another process serves
    found = {}
    for look in looks:
        visitor.look(**LOOKS[look])
        if IS_THOROUGH or not found:
            visitor.page.goto(address, wait_until="load")
        visitor.page.evaluate(DRAWN)
        _keep_picture(visitor, f"{name}-{look}")
        found[look] = visitor.violations() + (["wider than the window"] if visitor.is_wider_than_window() else [])
    return found


def _keep_picture(visitor, name):
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        visitor.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
