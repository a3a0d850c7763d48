"""Workers: one thread a device runs the stages' tasks; the first exception wins, and nobody is left hanging.

Launching work costs the host time, and a stage may wait for its device. With a thread for each device, one stage's
wait does not hold up the others. Stages that share a device share its thread, so their order, and with it their
random numbers, are those of the schedule.

On a device whose clock is virtual there is one host clock, so tasks run one after the other in the calling thread.

What it does not do: stop a task that is running. When one fails, the others of the same call are let finish.

>>> with Workers([torch.device("cpu")]) as workers:
...     workers.run([(0, lambda: 1 + 1)])
[2]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any

import torch

from syncpoint.pipeline.modes import Modes

__all__ = ["Workers"]

Task = Callable[[], Any]


def _run(task: Task, modes: Modes) -> Any:
    with modes.entered():
        return task()


class Workers:
    """``devices``: that of each stage. A context manager: at its end all threads have ended."""

    def __init__(self, devices: Sequence[torch.device]) -> None:
        self.devices = list(devices)
        self._inline = any(hasattr(torch.get_device_module(device), "clock_us") for device in self.devices)
        self._threads: dict[torch.device, ThreadPoolExecutor] = {}

    def __enter__(self) -> Workers:
        if not self._inline:
            for device in dict.fromkeys(self.devices):
                name = f"stages on {device}"
                self._threads[device] = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for thread in self._threads.values():
            thread.shutdown(wait=True, cancel_futures=True)
        self._threads.clear()

    def run(self, tasks: Sequence[tuple[int, Task]]) -> list[Any]:
        """Run (stage, task) pairs side by side; their results in order, or the first exception in that order."""
        if self._inline:
            return [task() for _, task in tasks]
        modes = Modes({device.type for device in self.devices})
        futures = [self._threads[self.devices[stage]].submit(_run, task, modes) for stage, task in tasks]
        return self._results(futures)

    def _results(self, futures: list[Future[Any]]) -> list[Any]:
        errors = [error for future in futures if (error := future.exception()) is not None]
        if errors:
            raise errors[0]
        return [future.result() for future in futures]
