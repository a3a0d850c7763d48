"""Messages between the trusted side and the sandbox: JSON with its length before it. Never pickle.

    send(sock, {"op": "cell"})          receive(sock, most=1 << 20) -> {"op": "cell"}
"""

from __future__ import annotations

import gc
import json
import select
import struct
import time
from typing import Any, Protocol

_HEAD = struct.Struct("!I")


class Broken(Exception):
    """The other side is gone, or said something that is no message."""


class Late(Exception):
    """The message did not come in time."""


class Channel(Protocol):
    """A socket, or two pipes that act like one."""

    def fileno(self) -> int: ...
    def recv(self, size: int, /) -> bytes: ...
    def sendall(self, data: bytes, /) -> Any: ...


def send(channel: Channel, message: Any) -> None:
    """Send one message. Broken if nobody is there."""
    data = json.dumps(message).encode()
    try:
        channel.sendall(_HEAD.pack(len(data)) + data)
    except OSError as error:
        raise Broken(str(error)) from error


def receive(channel: Channel, most: int, until: float | None = None) -> Any:
    """The next message, of at most so many bytes. `until`: on the monotonic clock; then Late."""
    (size,) = _HEAD.unpack(_exactly(channel, _HEAD.size, until))
    if size > most:
        raise Broken(f"a message of {size} bytes, more than {most}")
    try:
        return _parsed(_exactly(channel, size, until))
    except (ValueError, RecursionError) as error:
        raise Broken(f"not JSON: {error}") from error


def _parsed(data: bytes) -> Any:
    """Millions of empty lists are quickly read, unless the garbage collector looks at all of them again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return json.loads(data)
    finally:
        if collecting:
            gc.enable()


def _exactly(channel: Channel, size: int, until: float | None) -> bytes:
    parts = []
    while size:
        if until is not None:
            ready, _, _ = select.select([channel], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise Late
        try:
            part = channel.recv(min(size, 1 << 20))
        except OSError as error:
            raise Broken(str(error)) from error
        if not part:
            raise Broken("the other side closed the connection")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
