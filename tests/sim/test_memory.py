"""Memory of the simulated device: books, peak, out of memory, no leaks."""

from __future__ import annotations

import gc
import pickle

import pytest
import torch

import syncpoint as sp
from syncpoint.sim.memory import Memory, OutOfMemory, human, rounded

MIB = 1 << 20


def test_rounding_and_pools():
    assert [rounded(n) for n in (0, 1, 512, 513)] == [512, 512, 512, 1024]
    memory = Memory(1 << 30)
    memory.allocate(100)
    assert (memory.allocated, memory.reserved) == (512, 2 * MIB)
    memory.allocate(3 * MIB)
    assert memory.reserved == 22 * MIB
    memory.allocate(11 * MIB + 1)
    assert memory.reserved == 34 * MIB
    memory.free(11 * MIB + 1)
    assert (memory.reserved, memory.peak_reserved) == (34 * MIB, 34 * MIB)
    memory.empty_cache()
    assert memory.reserved == 22 * MIB
    assert (human(1536 * MIB), human(5)) == ("1.50 GiB", "5 bytes")


def test_out_of_memory_says_what_was_asked_and_held():
    memory = Memory(10 * MIB)
    memory.allocate(6 * MIB)
    with pytest.raises(
        OutOfMemory, match=r"Tried to allocate 5.00 MiB. sim:0 has a total capacity of 10.00 MiB of which"
    ):
        memory.allocate(5 * MIB)
    assert memory.allocated == 6 * MIB


def test_tensors_are_booked_and_freed():
    gc.collect()
    before = torch.sim.memory_allocated()
    x = torch.zeros(1000, device="sim")
    assert torch.sim.memory_allocated() - before == 4096
    view = x[10:]
    del x
    assert torch.sim.memory_allocated() - before == 4096
    del view
    assert torch.sim.memory_allocated() == before


def test_the_peak_counts_temporaries():
    torch.sim.reset_peak_memory_stats()
    before = torch.sim.memory_allocated()
    x = torch.zeros(MIB, device="sim")  # 4 MiB
    x = x + 1
    assert torch.sim.memory_allocated() - before == 4 * MIB
    assert torch.sim.max_memory_allocated() - before == 8 * MIB
    assert "allocated" in torch.sim.memory_summary()
    stats = torch.sim.memory_stats()
    assert stats["allocated_bytes.all.current"] - before == 4 * MIB
    free, total = torch.sim.mem_get_info()
    assert 0 < free < total == torch.sim.get_device_properties().total_memory
    del x


def test_out_of_memory_at_the_chips_capacity():
    with pytest.raises(
        torch.OutOfMemoryError, match=r"sim out of memory. Tried to allocate 37.25 GiB. sim:0 has a total"
    ):
        torch.empty(10_000_000_000, device="sim")
    with pytest.raises(torch.sim.OutOfMemoryError):
        torch.zeros(100_000, 100_000, device="sim")
    assert torch.ones(3, device="sim").sum().item() == 3


def test_devices_keep_separate_books():
    sp.sim.use(devices=2)
    x = torch.zeros(1024, device="sim:1")
    assert (torch.sim.memory_allocated(0), torch.sim.memory_allocated(1)) == (0, 4096)
    del x


@pytest.mark.parametrize("followed", [False, True])
def test_training_leaks_nothing(followed):
    if followed:
        torch.sim.Stream().__enter__().__exit__()
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).to("sim")
    optimizer = torch.optim.Adam(model.parameters())
    sizes = set()
    for step in range(1000):
        optimizer.zero_grad()
        model(torch.ones(4, 8, device="sim")).sum().backward()
        optimizer.step()
        if step > 2:
            sizes.add(torch.sim.memory_allocated())
    assert len(sizes) == 1


def test_a_snapshot_for_the_memory_viewer(tmp_path):
    with sp.trace():
        x = torch.zeros(1000, device="sim")
    path = tmp_path / "snapshot.pickle"
    torch.sim.memory_snapshot(path)
    snapshot = pickle.loads(path.read_bytes())
    mine = [s for s in snapshot["segments"] if s["address"] == x.untyped_storage().data_ptr()]
    assert mine[0]["blocks"][0]["state"] == "active_allocated"
    assert mine[0]["blocks"][0]["frames"][0]["filename"] == __file__
    assert mine[0]["total_size"] == 4096
