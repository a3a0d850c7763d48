"""What a cell shows, caught as a notebook's outputs: text, displays, figures. Never more than a limit.

Text written to file descriptors 1 and 2 (by a subprocess, by C) is caught too, and comes after what Python printed.

    with Capture(shell, most=200_000) as caught:
        shell.run_cell("print(1); 2")
    caught.outputs        # [{"output_type": "stream", "name": "stdout", "text": "1\\n"}, {... "execute_result" ...}]
"""

from __future__ import annotations

import base64
import io
import os
import sys
from typing import Any

_MOST_OUTPUTS = 500  # a cell


class Capture:
    """The outputs of one cell, in order. `most` bytes in all; what is beyond is left out, and a line says so."""

    def __init__(self, most: int) -> None:
        self.outputs: list[dict[str, Any]] = []
        self.left = most
        self.most = most
        self.cut = False

    def __enter__(self) -> Capture:
        self._streams = sys.stdout, sys.stderr
        self._plain = [_file_on(1), _file_on(2)]
        sys.stdout, sys.stderr = _Stream(self, "stdout"), _Stream(self, "stderr")
        return self

    def __exit__(self, *error: object) -> None:
        sys.stdout, sys.stderr = self._streams
        for name, (file, kept), number in zip(("stdout", "stderr"), self._plain, (1, 2), strict=True):
            os.dup2(kept, number)
            os.close(kept)
            os.lseek(file, 0, os.SEEK_SET)
            self.text(name, os.read(file, self.most).decode("utf-8", "replace"))
            os.close(file)
        if self.cut:
            self.left = 1000
            self.text("stderr", f"\n... cut: the cell put out more than {self.most:,} bytes\n")

    def text(self, name: str, text: str) -> None:
        """Some text on "stdout" or "stderr"."""
        text = self._room(text)
        if not text:
            return
        last = self.outputs[-1] if self.outputs else None
        if last and last["output_type"] == "stream" and last["name"] == name:
            last["text"] += text
        elif len(self.outputs) < _MOST_OUTPUTS:
            self.outputs.append({"output_type": "stream", "name": name, "text": text})

    def _room(self, text: str) -> str:
        if len(text) > self.left:
            self.cut = True
            text = text[: self.left]
        self.left -= len(text)
        return text

    def display(self, kind: str, data: dict[str, Any], metadata: dict[str, Any], number: int | None = None) -> None:
        """A display or a result, by type of content."""
        kept = {}
        for type_, value in data.items():
            value = base64.b64encode(value).decode() if isinstance(value, bytes) else value
            size = len(value) if isinstance(value, str) else 1000
            if size > self.left:
                self.cut = True
                continue
            self.left -= size
            kept[str(type_)] = value
        if not kept or len(self.outputs) >= _MOST_OUTPUTS:
            return
        output: dict[str, Any] = {"output_type": kind, "data": kept, "metadata": metadata}
        if kind == "execute_result":
            output["execution_count"] = number
        self.outputs.append(output)

    def clear(self) -> None:
        """`clear_output` was called."""
        self.outputs = []


def _file_on(number: int) -> tuple[int, int]:
    """Let a file descriptor write to memory; the memory's own, and one that keeps what was there."""
    kept = os.dup(number)
    file = os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o600)  # counts as the submission's own; memfd does not
    os.dup2(file, number)
    return file, kept


class _Stream(io.TextIOBase):
    """sys.stdout or sys.stderr while a cell runs."""

    encoding = "utf-8"

    def __init__(self, capture: Capture, name: str) -> None:
        super().__init__()
        self._capture, self.name = capture, name

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._capture.text(self.name, text)
        return len(text)

    def fileno(self) -> int:
        return 1 if self.name == "stdout" else 2
