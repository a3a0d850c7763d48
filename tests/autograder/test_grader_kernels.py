"""What cells do is an outcome, never an exception of the runner. Two kernels are started here."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from autograder.kernels import KernelRunner, Limits, Stopped


def notebook(*sources: str) -> NotebookNode:
    return v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])


def test_outcomes(tmp_path: Path) -> None:
    executed = notebook(
        "import os, sys\nfrom pathlib import Path",
        "print('x' * 100_000)",
        "Path('made.txt').write_text('here')",
        "os.environ['NBGRADER_EXECUTION'], os.environ['SYNCPOINT_DEVICE']",
        "input()",
        "sys.exit(0)",
        "get_ipython().showtraceback = lambda *args, **kwargs: None\n1 / 0",
        "while True: pass",
        "6 * 7",
        "os._exit(0)",
        "6 * 7",
    )
    executed.cells[8].metadata["tags"] = ["skip-execution"]
    executed.cells.insert(0, v4.new_code_cell("1 / 0", metadata={"syncpoint": {"demo": True}}))
    executed.cells[11].metadata["nbgrader"] = {"grade": True, "solution": False}
    executed.cells.append(v4.new_code_cell("below the last test"))
    runs = KernelRunner(Limits(cell_s=4, output_bytes=1000)).run(executed, tmp_path)
    assert [run.status for run in runs] == [
        *("ok", "ok", "ok", "ok", "error", "error", "error", "timeout", "ok", "died", "not run")
    ]
    assert executed.cells[0].outputs == executed.cells[-1].outputs == []
    outputs = [cell.outputs for cell in executed.cells[1:]]
    assert len(outputs[1][0].text) < 1100
    assert outputs[1][0].text.endswith("cut: the cell printed more than 1000 characters")
    assert (tmp_path / "made.txt").is_file()
    assert outputs[3][0].data["text/plain"] == "('autograde', 'sim')"
    assert outputs[6][0].ename == "ZeroDivisionError"
    assert [o.evalue for o in outputs[7]] == ["this cell ran longer than 4 s and was stopped"]
    assert outputs[8][0].data["text/plain"] == "42"
    assert outputs[9][0].evalue == "the kernel died while this cell ran"
    assert outputs[10][0].evalue == "this cell was not run: the kernel died in cell 11 of the notebook"


def test_a_run_can_be_stopped_from_outside(tmp_path: Path) -> None:
    runner = KernelRunner(Limits(cell_s=60))
    executed = notebook("from pathlib import Path\nPath('started').touch()\nwhile True: pass")
    failed: list[BaseException] = []

    def run() -> None:
        try:
            runner.run(executed, tmp_path)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while not (tmp_path / "started").exists() and thread.is_alive():
        thread.join(0.1)
    runner.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert [type(error) for error in failed] == [Stopped]


@pytest.mark.parametrize("total", [0.0])
def test_the_whole_notebook_has_a_limit(tmp_path: Path, total: float) -> None:
    executed = notebook("1")
    (run,) = KernelRunner(Limits(notebook_s=total)).run(executed, tmp_path)
    assert run.status == "not run"
    assert executed.cells[0].outputs[0].evalue == "this cell was not run: the notebook ran longer than 0 s in all"
