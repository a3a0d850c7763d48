"""What fails on CUDA fails here, with CUDA's words; what sim can't do is refused by name."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch

import syncpoint as sp


def on_sim(*shape, **options):
    return torch.ones(*shape, device="sim", **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: on_sim(3) + torch.ones(3), "at least two devices, sim:0 and cpu!"),
        (lambda: torch.ones(3) + on_sim(3), "at least two devices, (sim:0 and cpu|cpu and sim:0)!"),
        (lambda: on_sim(3, 3) @ torch.ones(3, 3), r"got mat2 is on cpu, different from other tensors on sim:0 \(when"),
        (lambda: torch.nn.Linear(3, 3).to("sim")(torch.ones(2, 3)), "on cpu, different from other tensors on sim:0"),
        (lambda: torch.cat([on_sim(3), torch.ones(3)]), "on cpu, different from other tensors on sim:0"),
        (lambda: torch.ones(3)[torch.zeros(1, dtype=torch.long, device="sim")], "indices should be either on cpu or"),
    ],
)
def test_mixed_devices(call, message):
    with pytest.raises(RuntimeError, match=message):
        call()


def test_two_simulated_devices_do_not_mix_either():
    sp.sim.use(devices=2)
    with pytest.raises(RuntimeError, match="at least two devices, sim:0 and sim:1!"):
        on_sim(3) + on_sim(3).to("sim:1")


def test_numpy_needs_the_host():
    with pytest.raises(TypeError, match=r"can't convert sim:0 device type tensor to numpy. Use Tensor.cpu\(\)"):
        on_sim(3).numpy()


def test_a_device_that_does_not_exist():
    with pytest.raises(RuntimeError, match=r"invalid device ordinal 3: there is 1 device. sp.sim.use\(devices=4\)"):
        torch.zeros(2, device="sim:3")
    with pytest.raises(RuntimeError, match="invalid device ordinal 1"):
        torch.zeros(2).to("sim:1")


@pytest.mark.parametrize(("devices", "chip"), [(0, "T4"), (65, "T4"), (1.5, "T4"), (1, 7)])
def test_use_names_what_is_wrong(devices, chip):
    with pytest.raises(ValueError, match="devices must be|chip must be"):
        sp.sim.use(chip=chip, devices=devices)


def test_only_host_memory_can_be_pinned():
    with pytest.raises(RuntimeError, match="only dense CPU tensors can be pinned"):
        on_sim(3).pin_memory()
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.empty(3, device="sim", pin_memory=True)


def test_unsupported_features_are_named():
    with pytest.raises(NotImplementedError, match="sim does not support sparse tensors"):
        on_sim(3, 3).to_sparse()
    with pytest.raises(NotImplementedError, match="sim does not support UntypedStorage.resize_"):
        on_sim(3).untyped_storage().resize_(0)


class OnDevice(torch.utils.data.Dataset):
    """The mistake: samples live on the device, and workers are forked."""

    def __init__(self):
        self.samples = torch.arange(4.0).to("sim")

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.samples[index] * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_device_tensor_in_a_forked_worker():
    loader = torch.utils.data.DataLoader(OnDevice(), num_workers=1, multiprocessing_context="fork")
    with pytest.raises(RuntimeError, match="Cannot re-initialize sim in forked subprocess"):
        next(iter(loader))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_may_start_when_the_parent_has_not():
    code = (
        "import os, syncpoint as sp, torch; sp.sim.use(); pid = os.fork()\n"
        "if pid == 0: os._exit(0 if torch.ones(2, device='sim').sum().item() == 2 else 1)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    )
    assert subprocess.run([sys.executable, "-W", "error", "-c", code]).returncode == 0


def test_an_old_torch_is_refused_in_a_sentence():
    code = "import torch; torch.__version__ = '2.10.1+cpu'; import syncpoint"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "syncpoint needs torch 2.11 or newer, this is torch 2.10.1+cpu" in done.stderr


def test_an_apple_chip_refuses_float64_as_mps_does():
    sp.sim.use(chip="M1")
    with pytest.raises(TypeError, match="does not support it, as MPS does not. Please use float32 instead"):
        torch.zeros(3, dtype=torch.float64).to("sim")
    with pytest.raises(TypeError, match="use float32"):
        torch.zeros(3, dtype=torch.float64, device="sim")
    assert torch.zeros(3, dtype=torch.float64).float().to("sim").sum().item() == 0


def test_the_number_of_devices_is_kept_unless_it_is_given():
    sp.sim.use(devices=3)
    sp.sim.use(chip="A100")
    assert torch.sim.device_count() == 3
