from contextlib import contextmanager
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from tests.browser.contexts import Context

# Only what is found wrong is told in full, and only it is handed over.
VIOLATIONS = "() => axe.run({ resultTypes: ['violations'] }).then((results) => results.violations)"


class Visitor:
    """A browser of one person. `complaints` collects errors on the console, which include violations of the content
    policy, and requests to other hosts."""

    def __init__(self, browser, url, *, cookie=None, width=1280, height=900, dark=False, javascript=True, phone=False):
        self.url = url
        self.complaints = []
        self.allowed = []
        self._context = Context(browser, url, javascript=javascript, phone=phone)
        if cookie:
            self._context.add_cookies([{**cookie, "url": url}])
        self.page = self._context.new_page()
        self.look(width=width, height=height, dark=dark)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        self.page.on("request", self._asked)

    def expect_error(self, words):
        """An error that the test brings about itself, such as the status 429."""
        self.allowed.append(words)

    def look(self, *, width=1280, height=900, dark=False):
        """Turns the page to another look, be it one that is open or one that is yet to come."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme="dark" if dark else "light")

    def violations(self):
        """What axe finds, one line for each place."""
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        found = self.page.evaluate(VIOLATIONS)
        return [f"{item['id']}: {node['html'][:160]} {node['target']}" for item in found for node in item["nodes"]]

    def is_wider_than_window(self):
        return self.page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")

    def session(self):
        """The cookie of who is signed in, as it is by now; None where nobody is."""
        kept = [item for item in self._context.cookies() if item["name"].startswith("sessionid")]
        return {"name": kept[0]["name"], "value": kept[0]["value"]} if kept else None

    def close(self):
        self._context.close()

    def _heard(self, message):
        if message.type == "error" and not any(words in message.text for words in self.allowed):
            self.complaints.append(f"console: {message.text} {message.location}")

    def _asked(self, request):
        parts = urlsplit(request.url)
        if parts.scheme != "data" and not request.url.startswith(self.url):
            self.complaints.append(f"other host: {request.url}")


def session_of(browser, product, username):
    """The cookie that a browser keeps of somebody's having signed in to the product, by their link."""
    visitor = Visitor(browser, product.base)
    visitor.page.goto(product.sign_in_link(username))
    visitor.page.get_by_role("button", name="Sign in").click()
    expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("Hello")
    found = visitor.session()
    visitor.close()
    return found


@contextmanager
def pages_of(browser, product, cookie):
    """Opens pages of the product for whom the cookie is of: `open_page(path, **looks)`; none may have a fault.

    The cookie is kept up: a session has another id once somebody began, or left, a student's view.
    """
    visitors = []

    def open_page(path, **looks):
        visitor = Visitor(browser, product.base, cookie=cookie, **looks)
        visitors.append(visitor)
        visitor.page.goto(path)
        return visitor.page

    yield open_page
    for visitor in visitors:
        complaints = list(visitor.complaints)
        if kept := visitor.session():
            cookie.update(kept)
        visitor.close()
        assert complaints == []
