"""Browser contexts that are kept from one visit to the next, with what they read and compiled of the scripts.

Each keeps an empty page open, and so the process that draws; a new context would start another one. What a visit
leaves of itself is cleared: pages, cookies, permissions, and all that scripts have stored.
"""

from collections import defaultdict

_kept = defaultdict(list)
# Playwright's list, but for the cache.
STORED = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage"


class Context:
    """One that nobody else has until `close`. Widths and themes are a page's; script and touch cannot be changed."""

    def __init__(self, browser, url, *, javascript=True, phone=False):
        self._key = (browser, url, javascript, phone)
        self._context, self._devtools = _kept[self._key].pop() if _kept[self._key] else _made(*self._key)

    def new_page(self):
        return self._context.new_page()

    def add_cookies(self, cookies):
        self._context.add_cookies(cookies)

    def cookies(self):
        return self._context.cookies()

    def close(self):
        _empty_page, *pages = self._context.pages
        for page in pages:
            page.close()
        self._context.clear_cookies()
        self._context.clear_permissions()
        _browser, url, *_ = self._key
        self._devtools.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": STORED})
        _kept[self._key].append((self._context, self._devtools))


def _made(browser, url, javascript, phone):
    context = browser.new_context(
        base_url=url,
        reduced_motion="reduce",
        java_script_enabled=javascript,
        # Touch, no mouse, and the page as wide as the window.
        is_mobile=phone,
        has_touch=phone,
    )
    return context, context.new_cdp_session(context.new_page())
