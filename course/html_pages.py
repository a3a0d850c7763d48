"""Writes the course as web pages: one for each lab, with its figures and without solutions, and an index.

    python course/html_pages.py                    # all labs, into build/html/; about a quarter of a minute for each
    python course/html_pages.py 00_start_here      # this one, and the index

A page shows the text of the learners' copy (release/) and the outputs of the instructor's notebook (source/), which is
run for it. Cells that hold an answer or a test show no output. The pages are complete by themselves: they load nothing
from the net, formulas are MathML, demos move without a kernel. The index is course/README.md.

It does not grade, and does not check links: tests/labs/test_html_pages.py does.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import nbformat
from latex2mathml.converter import convert
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "build" / "html"
WIDGET = "application/vnd.jupyter.widget-view+json"

TEMPLATE = """
{%- extends 'index.html.j2' -%}
{%- block html_head_js -%}{%- endblock -%}
{%- block html_head_js_mathjax -%}{%- endblock -%}
{%- block html_head_js_mermaidjs -%}{%- endblock -%}
{%- block jupyter_widgets -%}{%- endblock -%}
{%- block html_head_css -%}
<style>
main, nav.pages { max-width: 62rem; margin: 0 auto; padding: 0 .75rem; }
nav.pages { display: flex; justify-content: space-between; gap: 1rem; padding: 1rem .75rem; font-family: sans-serif; }
details.code > summary { cursor: pointer; color: #555; padding: .2rem 0; font-family: sans-serif; font-size: .85rem; }
math[display=block] { margin: .8rem 0; }
nav.pages a { color: #0b5c94; text-decoration: underline; }
.jp-RenderedHTMLCommon, .jp-InputArea-editor { overflow-x: auto; }
img { max-width: 100%; height: auto; }
</style>
{%- endblock -%}
{%- block body_header -%}{{ super() }}{{ resources.pages }}{%- endblock -%}
{%- block body_footer -%}{{ resources.pages }}{{ super() }}{%- endblock -%}
{%- block input_group -%}
{%- if cell.metadata.get('jupyter', {}).get('source_hidden') -%}
<details class="code"><summary>The code of this cell</summary>{{ super() }}</details>
{%- else -%}{{ super() }}{%- endif -%}
{%- endblock -%}
"""


class Renderer(IPythonRenderer):
    """Markdown with formulas as MathML, and headings that are reached as on GitHub."""

    def block_math(self, body: str) -> str:
        return convert(body, display="block")

    def inline_math(self, body: str) -> str:
        return convert(body)

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        plain = html.unescape(re.sub(r"<[^>]+>", "", text)).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        return f'<h{level} id="{html.escape(anchor)}">{text}</h{level}>\n'


class Exporter(HTMLExporter):
    """nbconvert's page in the looks of JupyterLab, without what it would load from the net."""

    raw_template = TEMPLATE
    exclude_input_prompt = exclude_output_prompt = True

    def markdown2html(self, source: str) -> str:
        return MarkdownWithMath(renderer=Renderer(escape=False, exclude_anchor_links=True)).render(source)


def learned(cell: NotebookNode) -> bool:
    """Whether it is the learner's own: an answer, or a test of one."""
    about = cell.metadata.get("nbgrader", {})
    return bool(about.get("solution") or about.get("grade"))


def run(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """The same notebook with its outputs, on the simulated device, so that a page is the same everywhere."""
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    environment.setdefault("SYNCPOINT_DEVICE", "sim")
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}})
    return client.execute(env=environment)


def secrets(released: NotebookNode, source: NotebookNode) -> set[str]:
    """Lines of solutions and hidden tests. A report that names the line which waited may hold one."""
    known = {line.strip() for cell in released.cells for line in cell.source.splitlines()}
    own = {line.strip() for cell in source.cells if learned(cell) for line in cell.source.splitlines()}
    return {line for line in own - known if len(line) >= 12}


def readable(outputs: list[NotebookNode], secret: set[str]) -> list[NotebookNode]:
    """What can be seen without a kernel, and may. A picture is described by the caption below it."""
    shown = []
    for place, output in enumerate(outputs):
        data = output.get("data", {})
        if output.get("name") == "stderr" or (WIDGET in data and "text/html" not in data):
            continue
        text = html.unescape("\n".join([output.get("text", ""), *map(str, data.values())]))
        if any(line in text for line in secret):
            output = nbformat.v4.new_output("stream", text="(Here a line of a solution would show. Run the cell.)\n")
            data = {}
        data.pop(WIDGET, None)
        if "image/png" in data and "text/html" not in data:
            below = [o.data["text/markdown"] for o in outputs[place + 1 :] if "text/markdown" in o.get("data", {})]
            caption = below[0].strip("* \n") if below else "A figure. The text around it says what it shows."
            picture = data["image/png"].replace("\n", "")
            data["text/html"] = f'<img alt="{html.escape(caption)}" src="data:image/png;base64,{picture}">'
        shown.append(output)
    return shown


def merged(released: NotebookNode, executed: NotebookNode) -> NotebookNode:
    """The learners' text with the outputs of the instructor's notebook, cell by cell."""
    if [cell.cell_type for cell in released.cells] != [cell.cell_type for cell in executed.cells]:
        raise ValueError("release/ and source/ differ in their cells; remedy: autograder release")
    secret = secrets(released, executed)
    for shown, ran in zip(released.cells, executed.cells, strict=True):
        if shown.cell_type == "code":
            shown.outputs = [] if learned(shown) else readable(ran.outputs, secret)
        else:  # a picture on the net, such as Colab's badge, becomes its text
            shown.source = re.sub(r"!\[([^\]]*)\]\(https?:[^)]*\)", r"\1", shown.source)
    return released


def page(notebook: NotebookNode, title: str, pages: str) -> str:
    """A whole HTML page; ``pages`` is the bar with the ways to the others."""
    notebook.metadata["title"] = title
    text, _ = Exporter().from_notebook_node(notebook, resources={"pages": pages})
    return text


def bar(name: str, names: list[str]) -> str:
    """The lab before, the course, the lab after."""
    here = names.index(name)
    before, after = names[here - 1] if here else "", names[here + 1] if here + 1 < len(names) else ""
    links = [f'<a href="{lab}.html">{words}</a>' if lab else "<span></span>"
             for lab, words in ((before, f"Lab {before[:2]}"), ("index", "The course"), (after, f"Lab {after[:2]}"))]
    return f'<nav class="pages" aria-label="Labs">{"".join(links)}</nav>'


def index() -> str:
    """course/README.md as a page. Its links to labs lead to their pages, those to other files to the repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def target(link: re.Match[str]) -> str:
        lab = re.fullmatch(r"\.\./release/(\w+)/\w+\.ipynb", link[1])
        if lab:
            return f"]({lab[1]}.html)"
        file = (ROOT / "course" / link[1]).resolve().relative_to(ROOT).as_posix()
        return f"]({project['urls']['Repository']}/blob/main/{file})"

    text = re.sub(r"\]\((?![a-z]+:|#)([^)\s]+)\)", target, (ROOT / "course" / "README.md").read_text(encoding="utf-8"))
    return page(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]), "Syncpoint: the course", "")


def build(name: str, names: list[str]) -> str:
    """One lab's page."""
    source, release = (nbformat.read(ROOT / kind / name / f"{name}.ipynb", 4) for kind in ("source", "release"))
    return page(merged(release, run(source, ROOT / "source" / name)), name.replace("_", " "), bar(name, names))


def main(arguments: list[str]) -> None:
    names = sorted(path.stem for path in (ROOT / "release").glob("*/*.ipynb"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labs", nargs="*", metavar="LAB", help="default: all")
    chosen = parser.parse_args(arguments).labs or names
    if unknown := sorted(set(chosen) - set(names)):
        parser.error(f"release/ holds no lab {', '.join(unknown)}; there are: {', '.join(names)}")
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in chosen:
        (TARGET / f"{name}.html").write_text(build(name, names), encoding="utf-8", newline="\n")
        print(f"build/html/{name}.html", flush=True)
    (TARGET / "index.html").write_text(index(), encoding="utf-8", newline="\n")
    print("build/html/index.html")


if __name__ == "__main__":
    main(sys.argv[1:])
