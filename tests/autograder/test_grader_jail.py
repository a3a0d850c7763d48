"""The sandboxed runner: whatever a cell does is an outcome, and costs only what depends on it."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_notebooks import notebook, shown

from autograder import sandbox
from autograder.jail import JailRunner
from autograder.kernels import Limits, Runner


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    made = JailRunner(Limits(cell_s=3, notebook_s=60, output_bytes=1000, memory_bytes=300 << 20, file_bytes=5 << 20))
    yield made
    made.close()


def test_outcomes(runner: Runner, tmp_path: Path) -> None:
    executed = notebook(
        "import os, sys, time\nfrom pathlib import Path\nkept = 1",
        "print('x' * 100_000)",
        "Path('made.txt').write_text('here')",
        "os.environ['NBGRADER_EXECUTION'], os.environ['SYNCPOINT_DEVICE']",
        "input()",
        "sys.exit(0)",
        "get_ipython().showtraceback = lambda *args, **kwargs: None\n1 / 0",
        "while True: pass",
        "kept + 41",
        "!echo from a shell",
        "%time kept",
        "from IPython.display import HTML, display\ndisplay(HTML('<b>bold</b>'))",
        "import asyncio\nawait asyncio.sleep(0)\n'awaited'",
    )
    runs = runner.run(executed, tmp_path)
    assert [run.status for run in runs] == ["ok"] * 4 + ["error"] * 3 + ["timeout"] + ["ok"] * 5
    told = [shown(cell) for cell in executed.cells]
    assert "cut: the cell put out more than 1,000 bytes" in told[1]
    assert len(told[1]) < 1100
    assert told[3] == "{'text/plain': \"('autograde', 'sim')\"}"
    assert told[4] == "input() has nobody to ask while a notebook is graded"
    assert executed.cells[6].outputs[0].ename == "ZeroDivisionError"
    assert executed.cells[6].outputs[0].traceback[0].startswith("Cell In[7], line 2")
    assert told[7] == "this cell ran longer than 3 s and was stopped"
    assert "42" in told[8]
    assert "from a shell" in told[9]
    assert "CPU times" in told[10]
    assert "<b>bold</b>" in told[11]
    assert "awaited" in told[12]
    assert not (tmp_path / "made.txt").exists()


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import os; os._exit(3)", "the process ended (exit status 3)"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "the process was killed"),
        ("import ctypes; ctypes.string_at(0)", "the process crashed (a segmentation fault"),
        (
            "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
            "this cell ran longer than 3 s and was stopped",
        ),
        ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", "ran longer than 3 s"),
    ],
)
def test_a_cell_that_dies_costs_itself(runner: Runner, tmp_path: Path, source: str, says: str) -> None:
    executed = notebook("x = 1", "# test\nassert x == 1", source, "x += 1", "# test\nassert x == 2")
    runs = runner.run(executed, tmp_path)
    assert [run.status == "ok" for run in runs] == [True, True, False, True, True]
    assert says in shown(executed.cells[2])


def test_memory_and_files_are_limited(runner: Runner, tmp_path: Path) -> None:
    executed = notebook(
        "kept = bytearray(600 << 20)",
        "from pathlib import Path\nPath('big').write_bytes(b'x' * (20 << 20))",
        "'still here'",
    )
    runs = runner.run(executed, tmp_path)
    assert executed.cells[0].outputs[0].ename == "MemoryError"
    assert runs[1].status in ("error", "died")
    assert "still here" in shown(executed.cells[2])


def test_a_notebook_that_keeps_dying_ends(runner: Runner, tmp_path: Path) -> None:
    executed = notebook(*["import os; os._exit(0)"] * 7)
    statuses = [run.status for run in runner.run(executed, tmp_path)]
    assert statuses == ["died"] * 5 + ["not run"] * 2
    assert "4 fresh ones ended too" in shown(executed.cells[-1])


def test_files_of_the_lab_are_there_and_submissions_do_not_meet(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "table.csv").write_text("1,2")
    reads = "from pathlib import Path\nPath('data/table.csv').read_text()"
    first = notebook(reads, "Path('/tmp/mine').touch()\nseen = 1")
    looks = "from pathlib import Path\n[p.name for p in Path('.').iterdir()], Path('/tmp/mine').exists()"
    second = notebook(looks, "seen")
    runner.run(first, tmp_path)
    runs = runner.run(second, tmp_path)
    assert "1,2" in shown(first.cells[0])
    assert "(['data'], False)" in shown(second.cells[0])
    assert runs[1].status == "error"


def test_a_sandbox_that_ends_is_no_fault_of_the_learner(tmp_path: Path) -> None:
    runner = JailRunner(Limits(cell_s=20))
    ended = []

    def end_the_sandbox_once() -> None:
        while not runner._busy:
            time.sleep(0.01)
        (zygote,) = runner._busy
        time.sleep(0.5)
        ended.append(zygote)
        zygote.process.kill()

    killer = threading.Thread(target=end_the_sandbox_once)
    killer.start()
    executed = notebook("import time; time.sleep(3)", "6 * 7")
    runs = runner.run(executed, tmp_path)
    killer.join()
    runner.close()
    assert len(ended) == 1
    assert [run.status for run in runs] == ["ok", "ok"]
    assert "42" in shown(executed.cells[1])


def test_what_may_be_read_may_lie_in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A course, and with it its environment, in /tmp: the submission's own /tmp must not hide them."""
    kept, other = Path(tempfile.mkdtemp(dir="/tmp")), Path(tempfile.mkdtemp(dir="/tmp"))
    for folder in (kept, other):
        folder.chmod(0o755)
        (folder / "there.txt").write_text("read me")
    seen = (*sandbox.visible(), str(kept))
    monkeypatch.setattr(sandbox, "visible", lambda: seen)
    runner = JailRunner(Limits(cell_s=10))
    reads = f"from pathlib import Path\nPath('{kept}/there.txt').read_text(), Path('{other}').exists()"
    executed = notebook(reads, f"Path('{kept}/new').touch()", "Path('/tmp/new').touch()")
    runs = runner.run(executed, tmp_path)
    runner.close()
    assert [run.status for run in runs] == ["ok", "error", "ok"]
    assert "('read me', False)" in shown(executed.cells[0])
    for folder in (kept, other):
        shutil.rmtree(folder)
