"""A skip says why, where all was promised a skip for a missing tool is a failure, and browser tests stay together."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = """
import pytest
def test_one():
    pytest.skip({reason!r})
"""
MODULE = """
import pytest
pytest.importorskip("a_package_that_nobody_has")
def test_one():
    pass
"""


BROWSER = """
import os, pytest
@pytest.mark.browser
@pytest.mark.parametrize("n", range(8))
def test_one(n):
    with open("workers.txt", "a") as file:
        print(os.environ["PYTEST_XDIST_WORKER"], file=file)
"""


def run(folder: Path, test: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run one test file beside a copy of our conftest.py."""
    shutil.copy(Path(__file__).with_name("conftest.py"), folder)
    (folder / "test_sample.py").write_text(test, encoding="utf-8")
    outside = {name: value for name, value in os.environ.items() if name != "SYNCPOINT_REQUIRE_ALL"}
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # half the time goes into plugins that this does not need
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", "--rootdir", str(folder), *options]
    return subprocess.run(command, cwd=folder, env=outside | alone | environment, capture_output=True, text=True)


def test_a_missing_tool_is_a_skip_with_its_reason_by_default(tmp_path: Path) -> None:
    done = run(tmp_path, SAMPLE.format(reason="chromium is not installed"))
    assert done.returncode == 0
    assert "chromium is not installed" in done.stdout


@pytest.mark.parametrize("test", [SAMPLE.format(reason="chromium is not installed"), MODULE], ids=["test", "module"])
def test_it_is_a_failure_where_all_is_required(tmp_path: Path, test: str) -> None:
    done = run(tmp_path, test, SYNCPOINT_REQUIRE_ALL="1")
    assert done.returncode not in (0, 5)
    assert "SYNCPOINT_REQUIRE_ALL=1 forbids it" in done.stdout


def test_missing_hardware_stays_a_skip(tmp_path: Path) -> None:
    done = run(tmp_path, SAMPLE.format(reason="needs a CUDA device"), SYNCPOINT_REQUIRE_ALL="1")
    assert done.returncode == 0
    assert "needs a CUDA device" in done.stdout


def test_browser_tests_share_one_process(tmp_path: Path) -> None:
    """Else each process would start a JupyterLab and a browser of its own."""
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser\n", encoding="utf-8")
    done = run(tmp_path, BROWSER, "-p", "xdist", "-n", "2", "--dist", "loadgroup")
    assert done.returncode == 0, done.stdout + done.stderr
    workers = (tmp_path / "workers.txt").read_text(encoding="utf-8").split()
    assert len(workers) == 8
    assert len(set(workers)) == 1
