"""A trace as Chrome trace events: JSON that https://ui.perfetto.dev and chrome://tracing open.

The host is process 1; each device is a process whose threads are its streams and copy engines. Categories are those
of PyTorch's own profiler (cpu_op, cuda_runtime, kernel, gpu_memcpy), and waits have "cuda_sync", so that filters known
from there work. A flow arrow leads from each call to what it started. Times are virtual us since the trace began.
What it does not know: how long a launch call took; its slice lasts until the host's next record.

>>> save(trace, "step.json")                                # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncpoint.words import op_name, op_word, place

if TYPE_CHECKING:
    from syncpoint.sim.log import Copy, Launch
    from syncpoint.trace import Trace

Event = dict[str, Any]
_HOST_PID, _HOST_TID = 1, 1
_ENGINES = {"H2D": 1_000_001, "D2H": 1_000_002, "P2P": 1_000_003}  # thread ids above those of any stream


def save(trace: Trace, path: str | os.PathLike[str]) -> Path:
    """Write the trace and return the path. The file appears whole or not at all."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"cannot save the trace as {path}: there is no folder {path.parent}. Make it first.")
    content = {"traceEvents": events(trace), "displayTimeUnit": "ns", "device": str(trace.device)}
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            json.dump(content, file, allow_nan=False)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path


def events(trace: Trace) -> list[Event]:
    """All trace events: names of processes and threads first, then slices and arrows."""
    pids = {device: pid for pid, device in enumerate(_devices(trace), start=_HOST_PID + 1)}
    ends = _call_ends(trace)
    found = [*_names(trace, pids), *_host(trace)]
    for number, record in enumerate(_started(trace), start=1):
        call_end = ends[min(bisect_right(ends, record.at_us), len(ends) - 1)]
        found += _call(record, number, pids[record.device], trace.start_us, call_end)
    return found


def _call_ends(trace: Trace) -> list[float]:
    """Where the host went on to something else, in order: a call's slice lasts until the next of these times."""
    begun = {record.at_us for record in _started(trace)} | {wait.at_us for wait in trace.waits}
    begun |= {op.at_us for op in trace.host_ops}
    return sorted(begun | {trace.start_us + trace.host_us})


def _started(trace: Trace) -> list[Launch | Copy]:
    """All that the host started on a device."""
    return [*trace.launches, *trace.copies]


def _devices(trace: Trace) -> list[str]:
    return sorted({record.device for record in _started(trace)})


def _thread(record: Launch | Copy) -> tuple[int, str]:
    """Id and name of the lane on which a record ran."""
    kind = getattr(record, "kind", None)  # only copies have one
    if kind is not None:
        return _ENGINES[kind], f"copy {kind}"
    return record.stream + 1, "default stream" if record.stream == 0 else f"stream {record.stream}"


def _names(trace: Trace, pids: dict[str, int]) -> Iterator[Event]:
    yield _meta("process_name", _HOST_PID, 0, "host")
    yield _meta("thread_name", _HOST_PID, _HOST_TID, "Python")
    for device, pid in pids.items():
        yield _meta("process_name", pid, 0, device)
    threads = {(pids[record.device], *_thread(record)) for record in _started(trace)}
    for pid, tid, name in sorted(threads):
        yield _meta("thread_name", pid, tid, name)


def _meta(what: str, pid: int, tid: int, name: str) -> Event:
    return {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}}


def _slice(name: str, cat: str, pid: int, tid: int, ts: float, dur: float, **args: Any) -> Event:
    return {"ph": "X", "name": name, "cat": cat, "pid": pid, "tid": tid, "ts": ts, "dur": max(dur, 0.0), "args": args}


def _host(trace: Trace) -> Iterator[Event]:
    zero = trace.start_us
    for op in trace.host_ops:
        where = place(op.file, op.line)
        yield _slice(op.op, "cpu_op", _HOST_PID, _HOST_TID, op.at_us - zero, op.end_us - op.at_us, where=where)
    for wait in trace.waits:
        name = f"wait: {op_word(wait.op, wait.source, wait.kind)}"
        yield _slice(
            name, "cuda_sync", _HOST_PID, _HOST_TID, wait.at_us - zero, wait.waited_us, kind=wait.kind, op=wait.op,
            bytes=wait.bytes, device=wait.device, queue_was_empty=wait.drained, where=place(wait.file, wait.line),
            source=wait.source,
        )  # fmt: skip


def _call(record: Launch | Copy, number: int, pid: int, zero: float, call_end: float) -> Iterator[Event]:
    """The call on the host, what it started on the device, and an arrow from one to the other."""
    tid, _ = _thread(record)
    engine = tid in _ENGINES.values()
    name = f"copy {record.kind}" if engine else op_name(record.op)  # type: ignore[union-attr]
    at, start = record.at_us - zero, record.start_us - zero
    told = {
        field: getattr(record, field)
        for field in ("op", "bytes", "kernels", "flops", "pinned", "non_blocking", "blocking")
        if hasattr(record, field)
    } | {"where": place(record.file, record.line), "source": record.source}
    yield _slice(f"call {name}", "cuda_runtime", _HOST_PID, _HOST_TID, at, call_end - record.at_us, **told)
    yield _slice(name, "gpu_memcpy" if engine else "kernel", pid, tid, start, record.end_us - record.start_us, **told)
    arrow = {"name": "launch", "cat": "ac2g", "id": number}
    yield {"ph": "s", "pid": _HOST_PID, "tid": _HOST_TID, "ts": at, **arrow}
    yield {"ph": "f", "bp": "e", "pid": pid, "tid": tid, "ts": start, **arrow}
