"""Reading aids for tests of Markdown pages and notebooks: headings, anchors, links.

Anchors are those of GitHub: ``## What `.to` moves`` is reached by ``#what-to-moves``. Notebook cells are taken as one
long page of their Markdown. Nothing here looks at the network.

    >>> slug("The images of MNIST")
    'the-images-of-mnist'
"""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTERNAL = re.compile(r"https://[\w.-]+(?:/[\w.~%@:+,;=&?#/()-]*)?|http://yann\.lecun\.com/exdb/mnist/")


def text_of(path: Path) -> str:
    """A Markdown file's text, or all Markdown of a notebook."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n\n".join("".join(c["source"]) for c in json.loads(text)["cells"] if c["cell_type"] == "markdown")
    return text


def prose(text: str) -> str:
    """The text without its fenced blocks and without what stands in backquotes."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))


def headings(text: str) -> list[str]:
    return re.findall(r"^#{1,6} (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def links(text: str) -> list[str]:
    """The targets of all links and pictures: [text](target) and <address>."""
    found = re.findall(r"\]\(([^)\s]+)\)|<(https?:[^>\s]+)>", prose(text))
    return [inside or pointed for inside, pointed in found]


def broken(path: Path) -> list[str]:
    """The relative links of a page that lead nowhere: to no file, or to no heading."""
    found = []
    for link in links(text_of(path)):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        if not target.exists() or (anchor and anchor not in map(slug, headings(text_of(target)))):
            found.append(link)
    return found


def external(path: Path) -> set[str]:
    """The addresses on the net that a page links to, without Colab's badges (tests/addresses.py makes those)."""
    found = {link for link in links(text_of(path)) if re.match(r"[a-z]+:", link)}
    if path.suffix == ".ipynb":  # some cells print Markdown with links
        found |= set(re.findall(r"\]\((https?:[^)\s\\]+)\)", path.read_text(encoding="utf-8")))
    return {link for link in found if not link.startswith("https://colab.research.google.com/")}
