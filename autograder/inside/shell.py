"""The learner's cells: an IPython shell in this process, with magics, displays and figures, without a kernel.

Not execnb, though its idea is the same: it starts a thread, and a process with threads cannot be forked.
"""

from __future__ import annotations

import builtins
import os
import sys
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.inside.outputs import Capture

_NO_INSTALL = "Packages cannot be installed while a notebook is graded; the course's own are there."


class _Publisher(DisplayPublisher):
    shell: Shell

    def publish(self, data: Any, metadata: Any = None, source: Any = None, **_: Any) -> None:
        self.shell.capture.display("display_data", data, metadata or {})

    def clear_output(self, wait: bool = False) -> None:
        self.shell.capture.clear()


class _Hook(DisplayHook):
    shell: Any

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        self.shell.capture.display("execute_result", format_dict, md_dict or {}, self.shell.execution_count)

    def finish_displayhook(self) -> None:
        pass


class Shell(InteractiveShell):
    """IPython without history, screen, threads or standard input. `capture` takes what it shows."""

    capture = Capture(0)

    @classmethod
    def make(cls) -> Shell:
        """The one shell of this process."""
        quiet = Config({"HistoryManager": {"enabled": False}})
        shell: Any = cls.instance(config=quiet, display_pub_class=_Publisher, displayhook_class=_Hook)
        shell.display_formatter.active_types = shell.display_formatter.format_types
        shell.showtraceback = shell.showsyntaxerror = lambda *args, **options: None  # the exception itself is read
        for name in ("pip", "conda", "mamba", "micromamba", "uv"):
            shell.register_magic_function(lambda line: print(_NO_INSTALL), "line", name)
        builtins.input = _no_input
        if "matplotlib" in sys.modules:
            shell.enable_matplotlib("inline")
        return shell  # type: ignore[no-any-return]

    def enable_gui(self, gui: str | None = None) -> None:
        """No window opens here."""

    def system(self, cmd: str) -> None:  # type: ignore[override]
        """`!command`: its output is caught with everything else's."""
        self.user_ns["_exit_code"] = os.waitstatus_to_exitcode(os.system(self.var_expand(cmd, depth=1)))

    def run(self, source: str, number: int, most: int) -> tuple[list[dict[str, Any]], BaseException | None]:
        """Run one cell under its number; what it showed, and what it raised."""
        self.execution_count = number
        with Capture(most) as self.capture:
            result = self.run_cell(source, store_history=True)
        return self.capture.outputs, result.error_before_exec or result.error_in_exec


def _no_input(prompt: object = "") -> str:
    raise StdinNotImplementedError("input() has nobody to ask while a notebook is graded")
