"""The same program takes the same virtual time, in this process and in another one, whatever the machine does."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import torch, syncpoint as sp
sp.sim.use(chip="A100")
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10)).to("sim")
optimizer = torch.optim.Adam(model.parameters())
with sp.trace(device="sim") as t:
    for _ in range(5):
        loss = model(torch.randn(32, 64).to("sim")).square().mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
print(repr((t.host_us, t.device_us, t.elapsed_us, len(t.waits), len(t.copies), len(t.launches))))
print(repr([(w.at_us, w.waited_us) for w in t.waits]))
"""


def output(seed: str, threads: str) -> str:
    env = {"PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads}
    import os

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=os.environ | env
    )
    return done.stdout


def test_two_processes_agree_to_the_last_digit():
    assert output("1", "1") == output("2", "1")
