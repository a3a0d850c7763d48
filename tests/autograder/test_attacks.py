"""Every program in `attacks/` tries to get out of the sandbox, or to harm the machine or the grading. None may.

Each runs as a submission, with a zygote that serves them all. Then we look at the host: files, connections, processes.
The first comment of a program says what it tries and how it would show. What follows it may say: "ends:" how its cell
ends ("ok" if nothing is said) and a part of the message, "limits:" whether it is a bomb (tight) or needs torch,
"machine:" where it works, and "on the host: works" that outside the sandbox it does succeed, which is tried, too: a
program that fails everywhere proves nothing.
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from attack_host import Host, missing_sandbox
from nbformat import NotebookNode
from small_notebooks import notebook, shown

from autograder import notebooks, zygotes
from autograder.jail import JailRunner
from autograder.kernels import CellRun, Limits

ATTACKS = Path(__file__).parent / "attacks"
ROOT = Path(__file__).parents[2]
NOBODY_HERE = Path(__file__).parent / "no_such_folder"  # a lab without files of its own
PROGRAMS = sorted(path.relative_to(ATTACKS).with_suffix("").as_posix() for path in ATTACKS.glob("*/*.py"))
ROOMY = Limits(cell_s=30, notebook_s=120, output_bytes=100_000, memory_bytes=400 << 20, file_bytes=40 << 20)
TIGHT = Limits(1, 60, output_bytes=100_000, memory_bytes=100 << 20, file_bytes=20 << 20, processes=24)
IMPORTS = {"torch": "torch"}
pytestmark = [
    pytest.mark.xdist_group("attacks"),  # bombs go off one at a time
    pytest.mark.skipif(bool(missing_sandbox()), reason=missing_sandbox()),
]


@dataclass(frozen=True)
class Attack:
    source: str
    about: dict[str, str]

    @classmethod
    def read(cls, name: str) -> Attack:
        source = (ATTACKS / f"{name}.py").read_text(encoding="utf-8")
        return cls(source, dict(re.findall(r"^# (ends|limits|machine|on the host): (.*)$", source, re.MULTILINE)))


class Range:
    """A runner and the processes that its zygote is made of, which must stay the same through all attacks."""

    def __init__(self, limits: Limits, imports: dict[str, str]) -> None:
        self.runner, self.imports = JailRunner(limits), imports
        self.runner.give_back(self.runner.take(imports))
        self.processes = self.now()
        self.honest()

    def run(self, notebook: NotebookNode) -> list[CellRun]:
        return self.runner.run(notebook, NOBODY_HERE, self.imports)

    def honest(self) -> None:
        """A submission after an attack is graded as if nothing had been."""
        looks = "sorted(os.listdir('.') + os.listdir('/tmp'))"
        executed = notebook("import os\nx = 20", looks, "# test\nassert x == 20")
        assert [run.status for run in self.run(executed)] == ["ok"] * 3
        assert shown(executed.cells[1]) == "{'text/plain': \"['home']\"}"

    def now(self) -> set[int]:
        """The zygote's processes."""
        found, new = set(), {z.process.pid for z in [*self.runner._idle, *self.runner._busy]}
        while new:
            found |= new
            new = {child for pid in new for child in children(pid)} - found
        return found


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with Host(tmp_path_factory.mktemp("host")) as made, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYNCPOINT_GRADER_SECRET", made.secret)
        yield made


class Ranges(dict[str, Range]):
    """By what an attack says of its limits; made when it is needed."""

    def __missing__(self, limits: str) -> Range:
        self[limits] = Range(TIGHT if limits == "tight" else ROOMY, IMPORTS if limits == "torch" else {})
        return self[limits]


@pytest.fixture(scope="module")
def ranges(host: Host) -> Iterator[dict[str, Range]]:
    made = Ranges()
    yield made
    for each in made.values():
        each.runner.close()


def children(pid: int) -> list[int]:
    """The processes that it started; none if it has ended."""
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()))
    except (FileNotFoundError, ProcessLookupError):
        return []


def eventually(empty: Callable[[], list[str]]) -> list[str]:
    """What is left after a while: a killed process takes a moment to vanish from /proc."""
    for _ in range(100):
        if not (left := empty()):
            break
        time.sleep(0.05)
    return left


@pytest.mark.parametrize("name", PROGRAMS)
def test_attack(name: str, host: Host, ranges: dict[str, Range]) -> None:
    attack = Attack.read(name)
    if (machine := attack.about.get("machine", os.uname().machine)) != os.uname().machine:
        pytest.skip(f"machine code for {machine}, not Windows")
    place = ranges[attack.about.get("limits", "")]
    mark = f"HIDDEN-{secrets.token_hex(8)}"
    executed = notebook(host.prelude(), attack.source, f"# test {mark}\nassert HOST")
    runs = place.run(executed)
    words = shown(executed.cells[1])
    ends, _, message = attack.about.get("ends", "ok").partition(" ")
    assert (runs[0].status, runs[1].status) == ("ok", ends), words
    assert message in words
    written = notebooks.dumps(executed)
    assert len(written.encode()) < 1_000_000
    assert host.secret not in written
    assert re.findall("^.*ESCAPED.*$", words, re.MULTILINE) == []
    assert mark not in words
    allowed = set().union(*(one.processes for one in ranges.values()))
    assert eventually(lambda: host.look(allowed)) == []
    place.honest()
    assert eventually(lambda: sorted(map(str, place.now() ^ place.processes))) == []


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "on the host" in Attack.read(name).about])
def test_outside_the_sandbox_it_works(name: str, tmp_path: Path) -> None:
    """A program that would fail anywhere proves nothing. On a host of its own; this also tests `look`."""
    with Host(tmp_path) as own:
        allowed = set(map(int, filter(str.isdigit, os.listdir("/proc"))))
        done = subprocess.run(
            [sys.executable, "-c", own.prelude() + Attack.read(name).source],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "ESCAPED" in done.stdout, done.stderr
        changes = name in ("files/change_course", "files/symlinks") or name.startswith("network/")
        assert bool(own.look(allowed)) == changes, done.stdout
        assert (own.secret in done.stdout) or not name.startswith("files/read")


@pytest.mark.parametrize("name", ["memory", "objects"])
def test_the_search_for_hidden_tests_finds_what_is_there(name: str, ranges: dict[str, Range]) -> None:
    """Or that they find nothing in `test_attack` would prove nothing."""
    mark = f"HIDDEN-{secrets.token_hex(8)}"
    search = Attack.read(f"hidden/{name}").source
    executed = notebook(f"there = '{mark}'", search, "# test\nassert True")
    ranges[""].run(executed)
    assert mark[7:] in shown(executed.cells[1])


_LEAVE = r"""
import os, socket, sys, time
for folder in (".", "/tmp", "/dev/shm", "/tmp/home", *sys.path):
    try:
        open(f"{folder}/left_behind", "w").write("the answer")
    except OSError as error:
        print(folder, error)
if os.fork() == 0:
    os.setsid()
    held = []
    places = (1, "\0left_behind"), (1, "/tmp/left_socket"), (2, ("127.0.0.1", 4567)), (10, ("::1", 4567))
    for family, address in places:
        try:
            held.append(socket.socket(family, 1))
            held[-1].bind(address)
            held[-1].listen()
        except OSError as error:
            print(error)
    time.sleep(300)
client = socket.socket(socket.AF_UNIX)
for _ in range(100):
    time.sleep(0.05)
    if client.connect_ex("\0left_behind") == 0:
        break
else:
    raise OSError("the daemon does not listen")
"""
_FIND = r"""
import os, socket, sys
for folder in (".", "/tmp", "/dev/shm", "/tmp/home", *sys.path):
    attempt(folder, open, f"{folder}/left_behind")
places = (1, "\0left_behind"), (1, "/tmp/left_socket"), (2, ("127.0.0.1", 4567)), (10, ("::1", 4567))
for family, address in places:
    attempt(address, socket.socket(family, 1).connect, address)
"""


def test_nothing_reaches_the_next_submission(host: Host, ranges: dict[str, Range]) -> None:
    first, second = notebook(_LEAVE, "# test\nassert True"), notebook(host.prelude(), _FIND, "# test\nassert True")
    assert [run.status for run in ranges[""].run(first)] == ["ok"] * 2, shown(first.cells[0])
    assert [run.status for run in ranges[""].run(second)] == ["ok"] * 3, shown(second.cells[1])
    assert "ESCAPED" not in shown(second.cells[1])


def test_a_process_that_reads_nothing_does_not_hang_the_grader(ranges: dict[str, Range]) -> None:
    """It is stopped between two cells, and the next cell is larger than what a socket holds."""
    once = f"import os, subprocess, time\nif time.time() < {time.time() + 1}:\n"  # not when it is run again
    stops = once + "    subprocess.Popen(['sh', '-c', f'sleep 0.1; kill -STOP {os.getpid()}'])"
    large = f"x = '{'y' * 3_000_000}'"
    executed = notebook(stops, *[large] * 6, "# test\nassert len(x) == 3_000_000")
    statuses = [run.status for run in ranges["tight"].run(executed)]
    assert statuses[0] == "ok"
    assert {"timeout", "died"} & set(statuses)
    ranges["tight"].honest()


def test_a_dead_zygote_is_replaced() -> None:
    """Killed between two submissions, and in the middle of one. That the thread which started it ends does nothing."""
    places: list[Range] = []
    thread = threading.Thread(target=lambda: places.append(Range(TIGHT, {})))
    thread.start()
    thread.join()
    (place,) = places
    place.honest()
    assert eventually(lambda: sorted(map(str, place.now() ^ place.processes))) == []
    (zygote,) = place.runner._idle
    zygote.process.kill()
    zygote.process.wait()
    place.honest()
    killer = threading.Timer(0.3, lambda: zygote.process.send_signal(signal.SIGKILL))
    killer.start()
    runs = place.run(notebook(*["import time\ntime.sleep(0.3)"] * 5, "# test\nassert True"))
    assert {run.status for run in runs} == {"ok"}  # once more, in a fresh one: that is no fault of the submission's
    killer.join()
    place.honest()
    place.runner.close()


def test_many_cells_cannot_fill_the_graders_memory(ranges: dict[str, Range], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stays below its limit."""
    monkeypatch.setattr(zygotes, "_MOST_SAID", 1 << 20)
    executed = notebook(*["print('x' * 90_000)"] * 100, "# test\nassert True")
    statuses = [run.status for run in ranges[""].run(executed)]
    assert statuses[:11] == ["ok"] * 11
    assert "its cells put out more than 1 MB in all" in shown(executed.cells[statuses.index("died")])
    assert len(notebooks.dumps(executed)) < 8 << 20
    ranges[""].honest()


def test_honest_programs_may_use_processes_and_shared_memory(ranges: dict[str, Range]) -> None:
    executed = notebook(
        "import multiprocessing, subprocess, tempfile, threading, torch\nfrom torch.utils.data import DataLoader",
        "sum(batch.sum() for batch in DataLoader(list(range(100)), batch_size=10, num_workers=2))",
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n    print(pool.map(abs, [-1, 2]))",
        "print(subprocess.run(['sort'], input='b\\na', text=True, capture_output=True).stdout)",
        "with tempfile.NamedTemporaryFile() as file:\n    print(file.write(b'1'))",
        "# test\nassert threading.active_count() == 1",
    )
    runs = ranges["torch"].run(executed)
    assert [run.status for run in runs] == ["ok"] * 6, "\n".join(map(shown, executed.cells))
    assert "tensor(4950)" in shown(executed.cells[1])
    assert "[1, 2]" in shown(executed.cells[2])
