"""HTML for notebook outputs that stays readable where no script runs.

An output holds plain HTML first (picture, words, ``<details>``) and a script after it. Where scripts run (a trusted
notebook, Colab, nbviewer, an exported page) the script turns the plain part into a live one. Where they don't (an
untrusted notebook, GitHub) the plain part stays. Nothing is loaded from outside.

What it does not do: Markdown. The only mark-up in texts is `` `code` ``.

>>> prose("is `x < y` a wait?")
'is <code>x &lt; y</code> a wait?'
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@cache
def asset(name: str) -> str:
    """The text of a script or style sheet that lies in this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def attribute(value: Any) -> str:
    """A text, or any other value as JSON, escaped for use between double quotes."""
    return html.escape(value if isinstance(value, str) else json.dumps(value), quote=True)


def prose(text: str) -> str:
    """A text as HTML, with `` `code` `` in a code font."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def live(plain: str, *names: str) -> str:
    """``plain`` with the style sheets and scripts of these names (a demo's own comes last), in a scope of their own."""
    style = "".join(map(asset, ["demo.css", *(f"{name}.css" for name in names)]))
    script = "".join(map(asset, ["enhance.js", *(f"{name}.js" for name in names)]))
    return f"<style>\n{style}</style>\n{plain}\n<script>\n(() => {{\n{script}}})();\n</script>"


def demo(name: str, data: Any, alt: str, picture: Figure, words: Iterable[str], tracked: bool = False) -> str:
    """A demo's output: picture and caption, which stay where no script runs, with what makes them live.

    ``data`` is what NAME.js reads; a ``tracked`` demo draws with tracks.js.
    """
    kinds = f"sp-demo sp-tracked sp-{name}" if tracked else f"sp-demo sp-{name}"
    plain = (
        f'<figure class="{kinds}" data-{name}="{attribute(data)}">\n'
        f'<img alt="{attribute(alt)}" src="{png(picture)}">\n'
        f"<figcaption>{'<br>'.join(map(prose, words))}</figcaption>\n</figure>"
    )
    return live(plain, *(["tracks"] if tracked else []), name)


def png(figure: Figure, dpi: int = 110) -> str:
    """A figure as a ``data:`` address."""
    import io

    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi, facecolor="white", metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def number(value: float) -> str:
    """A number for people: 28,140 and 0.4 and 1.23e-07; at most four digits behind the comma groups."""
    if isinstance(value, int) or (abs(value) < 1e15 and value == int(value)):
        return f"{int(value):,}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"
