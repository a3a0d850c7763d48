"""A private Jupyter server on this machine, and the steps that every browser test takes in it.

It answers as JupyterLab and as Notebook 7. Its settings, data and runtime files live in a folder of their own, it
listens on the loopback interface only, with a token, and asks nobody for news or updates.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

_NO_NEWS = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}


@dataclass(frozen=True)
class LabServer:
    """A running server: where it answers and where its notebooks and its own files are."""

    url: str
    token: str
    root: Path
    data: Path  # JUPYTER_DATA_DIR: the secret that signs trusted notebooks is here

    def open_lab(self, page: Page, name: str) -> None:
        """Open a notebook in JupyterLab and wait until its kernel is idle."""
        page.goto(f"{self.url}/lab/tree/{name}?reset&token={self.token}")
        page.wait_for_function("window.jupyterapp !== undefined", timeout=60_000)
        page.evaluate("async () => { await window.jupyterapp.restored; }")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        page.wait_for_function(
            "() => window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
            timeout=60_000,
        )

    def open_notebook7(self, page: Page, name: str) -> None:
        """Open a notebook in Notebook 7."""
        page.goto(f"{self.url}/notebooks/{name}?token={self.token}")
        page.wait_for_function("window.jupyterapp !== undefined", timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)


def command(page: Page, name: str, **arguments: str) -> None:
    """Execute one of JupyterLab's commands. Its result stays in the page: it may be a whole notebook."""
    page.evaluate(
        "async ([name, given]) => { await window.jupyterapp.commands.execute(name, given); }", [name, arguments]
    )


def open_another(page: Page, name: str) -> None:
    """Open one more notebook in a JupyterLab that is open already."""
    command(page, "docmanager:open", path=name)
    page.wait_for_function("name => window.jupyterapp.shell.currentWidget?.title?.label === name", arg=name)


def run_all(page: Page) -> None:
    """Run every cell and wait until each has run."""
    command(page, "notebook:run-all-cells")
    page.wait_for_function(
        """() => window.jupyterapp.shell.currentWidget.content.widgets
                 .filter(cell => cell.model.type === 'code')
                 .every(cell => cell.model.executionCount !== null)""",
        timeout=120_000,
    )


def set_theme(page: Page, theme: str) -> None:
    """ "JupyterLab Dark" or "JupyterLab Light"."""
    command(page, "apputils:change-theme", theme=theme)
    page.wait_for_selector(f"body[data-jp-theme-name='{theme}']", state="attached")
    page.wait_for_selector("#jupyterlab-splash", state="detached")


@contextlib.contextmanager
def lab_server(home: Path, root: Path | None = None) -> Iterator[LabServer]:
    """Start the server, wait until it answers, and end it (and nothing else) in the end. It serves `root`."""
    root = root or home / "notebooks"
    root.mkdir(parents=True, exist_ok=True)
    overrides = home / "config" / "labconfig" / "default_setting_overrides.json"
    overrides.parent.mkdir(parents=True)
    overrides.write_text(json.dumps(_NO_NEWS), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = LabServer(f"http://127.0.0.1:{port}", secrets.token_hex(16), root, home / "data")
    with (home / "server.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            _command(server, port), stdout=log, stderr=subprocess.STDOUT, env=_environment(home), cwd=root
        )
        try:
            _wait_until_up(server, process, home / "server.log")
            yield server
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _command(server: LabServer, port: int) -> list[str]:
    return [
        sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={server.token}",
        f"--ServerApp.root_dir={server.root}",
        # window.jupyterapp, as JupyterLab's own tests use it
        "--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly", "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip


def _environment(home: Path) -> dict[str, str]:
    own = {
        "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces", "IPYTHONDIR": "ipython",
    }  # fmt: skip
    # The tests' Agg backend is not for the kernel: there figures are drawn into the notebook.
    inherited = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    return inherited | {name: str(home / folder) for name, folder in own.items()} | {"SYNCPOINT_DEVICE": "sim"}


def _wait_until_up(server: LabServer, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"JupyterLab ended by itself:\n{log.read_text(encoding='utf-8')}")
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{server.url}/api/status?token={server.token}", timeout=1).close()
            return
        time.sleep(0.1)
    raise TimeoutError(f"JupyterLab did not answer in 60 s:\n{log.read_text(encoding='utf-8')}")
