"""Is a piece of HTML well formed, and does it ask for anything outside itself?"""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = {"br", "hr", "img", "input", "meta", "wbr"}
_ADDRESSES = {"action", "data", "href", "poster", "src", "srcset"}


class Checker(HTMLParser):
    """Collects what is wrong, the addresses asked for, and the text outside scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.addresses: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self.open.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.addresses += [value or "" for name, value in attrs if name in _ADDRESSES]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()} closes nothing")

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.text.append(data)


def check(html: str) -> Checker:
    checker = Checker()
    checker.feed(html)
    checker.close()
    checker.wrong += [f"<{tag}> is never closed" for tag in checker.open]
    return checker


def stands_alone(html: str) -> None:
    """Well-formed, asks for nothing outside, and its names cannot clash with another demo's."""
    page = check(html)
    assert page.wrong == []
    assert all(address.startswith("data:") for address in page.addresses)
    for word in ("http:", "https:", "@import", "url(", "fetch(", "XMLHttpRequest", "import(", "eval("):
        assert word not in html, word
    assert not [name for name, _ in page.attributes if name == "id" or name.startswith("on")]
