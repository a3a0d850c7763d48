"""The demos of the browser tests, and the notebooks with them: one to be run, and one saved with its outputs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import syncpoint as sp

#: A cell for each demo. The name is that of the demo's script, so `.sp-NAME` is its element.
CODE = {
    "race": "sp.race()",
    "quiz": """sp.quiz("What does `y = x + 1` do on a GPU?", [
    ("Queues the work and returns.", True, "The host goes on at once; `y` is ready later."),
    ("Waits until `y` is ready.", False, "Nothing here needs the value of `y` yet."),
    ("Nothing until `x < y` is read.", False, "PyTorch is eager: the work is queued now."),
])""",
    "queue": "sp.queue()",
    "depth": "sp.depth()",
    "layout": "sp.layout()",
    "overlap": "sp.overlap()",
    "hazard": "sp.hazard()",
    "bubble": "sp.bubble()",
}
IMPORT = "import syncpoint as sp"
PREDICT = 'sp.predict("How often does the host wait?", 94, unit="waits").reveal(938)'
FUNCTIONS = """import torch

sp.sim.use("T4")
a = torch.ones(1000, 1000)

def on_cpu():
    x = a
    for _ in range(8):
        x = x * 1.01
    return x

def on_gpu():
    x = a.to("sim")
    for _ in range(8):
        x = x * 1.01
    return x.cpu()

sp.race(on_cpu, on_gpu)"""
_KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}


def to_run() -> nbformat.NotebookNode:
    """All demos, none run yet."""
    cells = [new_markdown_cell("# Demos"), *(new_code_cell(s) for s in (IMPORT, *CODE.values(), PREDICT, FUNCTIONS))]
    return new_notebook(cells=cells, metadata=_KERNEL)


@cache
def shown(name: str) -> dict[str, str]:
    """The output of a demo's cell."""
    return eval(CODE[name], {"sp": sp})._repr_mimebundle_()


def html(name: str) -> str:
    return shown(name)["text/html"]


def saved() -> nbformat.NotebookNode:
    """All demos with their outputs, as a kernel that is gone has left them."""
    cells = []
    for name, source in CODE.items():
        output = new_output("execute_result", shown(name), execution_count=1)
        cells.append(new_code_cell(source, outputs=[output], execution_count=1))
    return new_notebook(cells=cells, metadata=_KERNEL)


def write(notebook: nbformat.NotebookNode, path: Path) -> None:
    nbformat.write(notebook, path)


def trust(notebook: nbformat.NotebookNode, data: Path) -> None:
    """Sign a notebook as the server with this data folder does."""
    from nbformat.sign import NotebookNotary

    data.mkdir(exist_ok=True)
    notary = NotebookNotary(data_dir=str(data))
    try:
        notary.sign(notebook)
    finally:
        notary.store.close()
