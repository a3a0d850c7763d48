"""Which sandbox is chosen, its command line, and that the others hold as well: containers, no nested namespaces,
an ordinary user. And that without any there is no grading.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attack_host import Host, missing_sandbox
from small_notebooks import notebook, shown
from test_attacks import NOBODY_HERE, TIGHT, Attack, eventually

from autograder import cli, sandbox
from autograder.course import UsageError
from autograder.inside import syscalls
from autograder.jail import JailRunner
from autograder.kernels import Limits
from autograder.sandbox import Bubblewrap, Container, find

ROOT = Path(__file__).parents[2]
needs_sandbox = pytest.mark.skipif(bool(missing_sandbox()), reason=missing_sandbox())
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="run as root; the rest of this file then runs as a user's own")
pytestmark = pytest.mark.xdist_group("attacks")
Install = Callable[[str, str], Path]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A PATH with nothing in it but what the test installs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    find.cache_clear()

    def install(name: str, source: str) -> Path:
        path = folder / name
        path.write_text(f"#!{sys.executable}\n{source}", encoding="utf-8")
        path.chmod(0o755)
        return path

    yield install
    find.cache_clear()


def test_without_a_sandbox_grading_is_refused(programs: Install, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError) as refused:
        find()
    for remedy in ("bubblewrap is not installed", "apt-get install bubblewrap", "Docker or Podman", "--trust-sub"):
        assert remedy in str(refused.value)
    lab = ROOT / "release" / "01_tensors_and_devices" / "01_tensors_and_devices.ipynb"
    assert cli.main(["check", str(lab), "--course", str(ROOT)]) == 2
    assert "--trust-submissions" in capsys.readouterr().err


def test_what_does_not_work_is_named(programs: Install) -> None:
    programs("bwrap", "import sys; sys.exit('No permissions to create new namespace')")
    programs("docker", "import sys; sys.exit('No such image: syncpoint-grader')")
    with pytest.raises(UsageError, match=r"No permissions to create.*; docker: No such image: syncpoint-grader"):
        find()


def test_bubblewrap_shows_nothing_that_is_not_needed() -> None:
    command = Bubblewrap("bubblewrap", engine="bwrap").command({})
    shown_ = {command[i + 1] for i, word in enumerate(command) if word.startswith(("--ro-bind", "--bind"))}
    assert not {"/", "/etc", "/home", "/root", str(ROOT), sys.prefix, sys.base_prefix} & shown_ - {"/usr"}
    assert not [word for word in command if word in ("--bind", "--dev-bind", "--share-net")]
    assert "--remount-ro / " in " ".join(command)
    assert {"--unshare-net", "--unshare-pid", "--new-session", "--die-with-parent", "--clearenv"} <= set(command)


def test_secrets_beside_a_python_are_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that was installed into a home."""
    for name in ("bin", "lib", "Documents"):
        (tmp_path / name).mkdir()
    (tmp_path / "pip.conf").write_text("password", encoding="utf-8")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    sandbox.visible.cache_clear()
    found = sandbox.visible()
    sandbox.visible.cache_clear()
    assert {path for path in found if path.startswith(str(tmp_path))} == {f"{tmp_path}/bin", f"{tmp_path}/lib"}


def test_the_filter_knows_its_machines() -> None:
    assert len(syscalls.program("x86_64")) == len(syscalls.program("aarch64")) > 500
    assert syscalls.program("riscv64") == b""


#: A container engine whose daemon is played by bubblewrap: killing the client does not end the container.
_ENGINE = """
import json, os, subprocess, sys, threading
if sys.argv[1:3] == ["image", "inspect"]:
    sys.exit(0)
json.dump(sys.argv[1:], open({record!r}, "w"))
at = sys.argv.index("syncpoint-grader")
program = [{python!r}, *sys.argv[at + 2:]]
env = dict(pair.split("=", 1) for flag, pair in zip(sys.argv, sys.argv[1:]) if flag == "--env")
box = [{bwrap!r}, "--unshare-all", "--unshare-user", "--uid", "64321", "--gid", "64321", "--cap-drop", "ALL",
       "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/dev/shm", "--tmpfs", "/tmp",
       "--tmpfs", "/home", "--dir", "/home/learner", "--chdir", "/home/learner", "--new-session"]
env["PYTHONPATH"] = {path!r}
inside = subprocess.Popen(box + program, stdin=subprocess.PIPE, env=env, start_new_session=True)
threading.Thread(target=lambda: os._exit(inside.wait() & 255), daemon=True).start()
while data := os.read(0, 1 << 16):
    inside.stdin.write(data)
    inside.stdin.flush()
"""


@pytest.fixture
def engine(programs: Install, tmp_path: Path) -> Path:
    """A file with the arguments of the last `docker run`."""
    bwrap = shutil.which("bwrap", path=os.defpath + ":/usr/bin:/usr/local/bin")
    if bwrap is None:
        pytest.skip("bubblewrap plays the container engine here")
    record = tmp_path / "arguments.json"
    path = f"{ROOT}:{ROOT / 'course'}"
    programs("docker", _ENGINE.format(record=str(record), python=sys.executable, bwrap=bwrap, path=path))
    return record


def test_a_container_engine_is_asked_for_as_little(engine: Path) -> None:
    box = find()
    assert isinstance(box, Container)
    runner = JailRunner(TIGHT, box)
    runner.run(notebook("# test\nassert True"), NOBODY_HERE)
    runner.close()
    asked = json.loads(engine.read_text(encoding="utf-8"))
    pairs = set(zip(asked, asked[1:], strict=False))
    assert asked[:3] == ["run", "--rm", "--interactive"]
    assert "--read-only" in asked
    assert {("--network", "none"), ("--cap-drop", "ALL"), ("--security-opt", "no-new-privileges"), ("--ipc", "none"),
            ("--user", "64321:64321"), ("--pids-limit", "24")} <= pairs  # fmt: skip
    assert {"--memory", "--memory-swap", "--cpus"} <= set(asked)
    assert not {"--volume", "-v", "--mount", "--privileged", "--device", "--cap-add", "--publish", "-p"} & set(asked)
    assert not [word for word in asked if str(ROOT / "source") in word or "gradebook" in word]


def test_over_standard_streams_everything_is_graded(engine: Path) -> None:
    runner = JailRunner(TIGHT, find())
    executed = notebook(
        "x = 'a' * 300_000",
        "import os\nos._exit(3)",
        "while True: pass",
        "print(len(x)); import sys; print('error', file=sys.stderr)",
        f"# test\nassert x == '{'a' * 300_000}'",
        "# test\nassert x == 'b'",
    )
    runs = runner.run(executed, NOBODY_HERE)
    runner.close()
    assert [run.status for run in runs] == ["ok", "died", "timeout", "ok", "ok", "error"]
    assert "300000" in shown(executed.cells[3])


def test_a_container_ends_when_nobody_listens(engine: Path) -> None:
    """The client is killed while a cell runs that never ends. The engine would let the container go on."""
    runner = JailRunner(TIGHT, find())
    runner.run(notebook("while True: pass", "# test\nassert True"), NOBODY_HERE)
    runner.close()
    assert eventually(lambda: running("autograder.inside.zygote", '"stdio": true')) == []


def test_the_image_holds_no_more_than_what_runs_inside() -> None:
    text = (ROOT / "autograder" / "templates" / "Dockerfile").read_text(encoding="utf-8")
    copied = [line.split()[1] for line in text.splitlines() if line.startswith(("COPY", "ADD"))]
    assert copied == ["course/syncpoint", "autograder/inside"]
    assert all((ROOT / source / "__init__.py").exists() for source in copied)
    assert sandbox.IMAGE in text
    assert sandbox.IMAGE in (ROOT / "autograder" / "SECURITY.md").read_text(encoding="utf-8")


def running(*words: str) -> list[str]:
    """Command lines of processes that hold all these words."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_text(encoding="utf-8", errors="replace").replace("\0", " ")
        except OSError:
            continue
        if all(word in line for word in words):
            found.append(line)
    return found


_GRADER = """
import sys
sys.path.insert(0, {folder!r})
from small_notebooks import notebook
from test_attacks import NOBODY_HERE, TIGHT
from autograder.jail import JailRunner
from autograder.kernels import Limits
runner = JailRunner(Limits(memory_bytes={mark}))
runner.run(notebook("x = 1", "# test\\nassert x"), NOBODY_HERE)
print("ready", flush=True)
runner.run(notebook("import os\\nos.fork()\\nwhile True: pass", "# test\\nassert True"), NOBODY_HERE)
"""


@needs_sandbox
def test_a_killed_grader_leaves_no_sandbox_behind() -> None:
    mark = (300 << 20) + secrets.randbelow(1 << 20)  # it stands in the sandbox's command line
    program = _GRADER.format(folder=str(Path(__file__).parent), mark=mark)
    path = os.pathsep.join([str(ROOT), str(ROOT / "course")])
    command, environment = [sys.executable, "-c", program], {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == b"ready\n"
        assert running(str(mark))
        grader.kill()
    assert eventually(lambda: running(str(mark))) == []


class NoNesting(Bubblewrap):
    """As where the kernel, or a policy, refuses new namespaces inside the sandbox (Ubuntu 24.04, many containers)."""

    def plan(self, plan: dict[str, object]) -> dict[str, object]:
        return {**super().plan(plan), "uid": None}

    def command(self, plan: dict[str, object]) -> list[str]:
        made = [word for word in super().command(plan) if word != "--unshare-user"]
        while "--cap-add" in made:
            del made[made.index("--cap-add") : made.index("--cap-add") + 2]
        return [made[0], "--unshare-user", "--disable-userns", "--uid", "64321", "--gid", "64321", *made[1:]]


#: One of each kind, and all that could reach what is not in a namespace of its own there.
SINGLE_USE = ["files/read_course", "files/climb", "files/proc_root", "files/write_outside", "processes/trace",
              "processes/kill_by_number", "processes/kill_everything", "processes/daemon", "network/tcp",
              "escape/namespaces", "memory/children", "memory/files"]  # fmt: skip


@needs_sandbox
@pytest.mark.parametrize("name", SINGLE_USE)
def test_without_nested_namespaces_each_submission_has_a_sandbox(name: str, tmp_path: Path) -> None:
    box = NoNesting("bubblewrap", reusable=True, engine=shutil.which("bwrap") or "")
    attack = Attack.read(name)
    limits = Limits(**{**vars(TIGHT), "cell_s": 1 if "ends" in attack.about else 20})
    with Host(tmp_path) as host:
        allowed = set(map(int, filter(str.isdigit, os.listdir("/proc"))))
        runner = JailRunner(limits, box)
        executed = notebook(host.prelude(), attack.source, "# test\nassert True")
        runs = runner.run(executed, NOBODY_HERE)
        runner.close()
        assert runs[0].status == "ok", shown(executed.cells[0])
        assert "ESCAPED" not in shown(executed.cells[1])
        assert host.secret not in str(executed)
        assert eventually(lambda: host.look(allowed)) == []


def _for_everybody(paths: list[Path], aside: Path) -> list[str]:
    """Shell lines that make these paths readable for other users, in a mount namespace of our own only."""
    lines = []
    for number, path in enumerate(paths):
        shut = [above for above in reversed(path.parents) if not above.stat().st_mode & 1]
        if shut:
            kept = aside / str(number)
            lines += [f"mkdir -p {kept}", f"mount --bind {path} {kept}", f"mount -t tmpfs -o mode=755 none {shut[0]}"]
            lines += [f"mkdir -p {path}", f"mount --bind {kept} {path}"]
    return lines


@needs_sandbox
@needs_root
def test_an_ordinary_user_is_as_safe(tmp_path: Path) -> None:
    """The attacks again, started by a user without rights, where bubblewrap makes a user namespace of its own."""
    user = "54321"
    theirs = Path(tempfile.mkdtemp(prefix="syncpoint-user-"))  # pytest's own folders are for root only
    os.chown(theirs, int(user), int(user))
    lines = _for_everybody([Path(sys.base_prefix), Path(sys.prefix), ROOT], tmp_path)
    chosen = "read_ or write_ or proc_ or change_course or kill or trace or daemon or become or tcp or unix or abstract"
    chosen = f"not outside and ({chosen} or environment or namespaces or mounts or settings or children or next_sub)"
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={theirs}/t", "-k", chosen]
    tests += ["-o", "addopts=", "-rs", str(Path(__file__).with_name("test_attacks.py"))]
    command = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *tests]
    lines += ["exec " + " ".join(f"'{word}'" for word in command)]
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-ec", "\n".join(lines)],
        env={**os.environ, "HOME": str(theirs), "SYNCPOINT_REQUIRE_SANDBOX": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    shutil.rmtree(theirs)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
