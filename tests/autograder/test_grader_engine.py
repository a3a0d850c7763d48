"""A cluster grades as this machine does, and loses nothing when a worker is killed; PostgreSQL holds the same marks."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_lab
from tiny_lab import LAB

from autograder import grade, gradebook, notebooks, release
from autograder.course import Course, UsageError, quiet
from autograder.kernels import Limits

pytest.importorskip("distributed", reason="distributed is not installed: pip install 'syncpoint[cluster]'")


def marks(course: Course) -> dict[str, gradebook.Marks]:
    with quiet():
        return gradebook.marks(course, LAB)


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
        yield made


@pytest.mark.filterwarnings("ignore")  # of Dask's own, when a worker is killed
def test_a_worker_killed_in_the_middle_loses_nothing(cluster: object, graded: Course, course: Course) -> None:
    from autograder.engine import DaskRunner

    shutil.copytree(graded.root / "submitted", course.root / "submitted")
    slow = course.submitted("ann", LAB) / f"{LAB}.ipynb"
    notebook = notebooks.read(slow)
    tiny_lab.cell(notebook, "double").source += "\nimport time; time.sleep(4)"
    tiny_lab.write(slow, notebook)
    runner = DaskRunner(cluster.scheduler_address, Limits(cell_s=30))  # type: ignore[attr-defined]
    assert runner.workers == 2

    def kill_the_busy_one() -> None:
        while not (busy := [w for w, tasks in runner._client.processing().items() if tasks]):
            time.sleep(0.05)
        time.sleep(2)
        pid = runner._client.run(os.getpid, workers=[busy[0]])[busy[0]]
        os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill_the_busy_one)
    killer.start()
    grade.grade(course, LAB, runner=runner, workers=runner.workers)
    killer.join()
    runner.close()
    assert marks(course) == marks(graded)


def test_no_scheduler_is_a_plain_sentence() -> None:
    from autograder import engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_CONNECT_S", 0.5)
        with pytest.raises(UsageError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9"):
            engine.DaskRunner("tcp://127.0.0.1:9")


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[str]:
    """A PostgreSQL server of this test's own; its address."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    binaries = found[-1].parent
    folder = Path("/tmp") / f"syncpoint-postgres-{os.getpid()}"  # a short path: a socket's name has 107 bytes at most
    folder.mkdir(mode=0o700)
    become: list[str] = []
    if os.getuid() == 0:  # PostgreSQL refuses to be run by root
        shutil.chown(folder, "postgres")
        become = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]

    def run(*command: str) -> None:
        done = subprocess.run(
            [*become, str(binaries / command[0]), *command[1:]], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr + done.stdout

    data = str(folder / "data")
    try:
        run("initdb", "-D", data, "-A", "trust", "-U", "grader", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        run("pg_ctl", "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
        run("createdb", "-h", str(folder), "-U", "grader", "marks")
        yield f"postgresql+psycopg://grader@/marks?host={folder}"
    finally:
        with contextlib.suppress(AssertionError):
            run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def test_a_gradebook_in_postgresql(postgres: str, graded: Course, tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'syncpoint[postgres]'")
    course = tiny_lab.make_course(tmp_path / "course")
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.CourseDirectory.db_url = {postgres!r}\n")
    release.release(course, LAB)
    shutil.copytree(graded.root / "submitted", course.root / "submitted")
    grade.grade(course, LAB, workers=2)
    assert marks(course) == marks(graded)
    assert not (course.root / "gradebook.db").exists()
    with quiet(), gradebook.book(course) as book:
        row = book.find_grade("essay", LAB, LAB, "ann")
        row.manual_score = 1.5
        book.db.commit()
    grade.grade(course, LAB, force=True)
    assert marks(course)["ann"].cells["essay"].manual == 1.5
