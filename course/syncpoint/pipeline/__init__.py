"""Pipeline parallelism on one machine: a model cut into stages, each on a device, and micro-batches on their way.

Ordinary PyTorch: it runs on cpu, on ``sim`` with several devices, and on several CUDA devices. The parts, from below:
``microbatch`` (cut and join batches), ``schedule`` (who computes what when; *the convention for (i, j)*), ``formulas``
(how long that takes), ``streams``, ``copying``, ``dependency``, ``checkpointing``, ``worker``, ``skip``, ``engine``
(all of them together), ``gpipe`` (the front), ``one_f_one_b`` (the other schedule), ``balance``, and ``distributed``
(the same model on PyTorch's own engine, for several processes).

What it does not do: several machines, tensor parallelism, or several stages a device in one pass.

>>> import syncpoint as sp
>>> pipe = sp.pipeline.GPipe(model, balance=[2, 2], chunks=8)        # doctest: +SKIP
>>> pipe(x).sum().backward()                                         # doctest: +SKIP
"""

from __future__ import annotations

from syncpoint.pipeline.balance import balance_by_size, balance_by_time, layer_sizes, layer_times_us, partition
from syncpoint.pipeline.checkpointing import is_checkpointing, is_recomputing
from syncpoint.pipeline.copying import Copy, Wait
from syncpoint.pipeline.dependency import depend
from syncpoint.pipeline.engine import Pipeline
from syncpoint.pipeline.formulas import bubble, bubble_uneven, replay, span, span_uneven, ticks
from syncpoint.pipeline.gpipe import GPipe, split
from syncpoint.pipeline.microbatch import Batch, gather, scatter
from syncpoint.pipeline.one_f_one_b import TrainStep
from syncpoint.pipeline.schedule import Deadlock, Step, clock_cycles, in_flight, orders, rehearse, with_transfers
from syncpoint.pipeline.skip import skippable

__all__ = [
    "Batch", "Copy", "Deadlock", "GPipe", "Pipeline", "Step", "TrainStep", "Wait", "balance_by_size",
    "balance_by_time", "bubble", "bubble_uneven", "clock_cycles", "depend", "gather", "in_flight", "is_checkpointing",
    "is_recomputing", "layer_sizes", "layer_times_us", "orders", "partition", "rehearse", "replay", "scatter",
    "skippable", "span", "span_uneven", "split", "ticks", "with_transfers",
]  # fmt: skip
