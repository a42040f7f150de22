"""How a page is looked at: wide, on a phone, in the dark; and what may be wrong with it then."""

import os
from pathlib import Path

LOOKS = {
    "wide": {"width": 1280},
    "phone": {"width": 360, "height": 740},
    "dark": {"width": 1280, "dark": True},
    "phone-dark": {"width": 360, "height": 740, "dark": True},
}
# Between them these two have each width and each theme; all four are for pictures and `make verify`.
LOOKED_AT = list(LOOKS) if {"SCREENSHOTS", "ALL_LOOKS"} & set(os.environ) else ["wide", "phone-dark"]


def faults_of(visitor, address, picture):
    """What is wrong with a page in one look. With SCREENSHOTS=folder its picture is kept."""
    visitor.expect_error("404")  # the page that is not there; streams of events, which another process serves
    visitor.page.goto(address, wait_until="load")
    visitor.page.evaluate("document.fonts.ready")
    _keep_picture(visitor, picture)
    return visitor.violations() + (["wider than the window"] if visitor.is_wider_than_window() else [])


def _keep_picture(visitor, name):
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        visitor.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
