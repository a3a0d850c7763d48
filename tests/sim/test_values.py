"""Values are the CPU's, to the bit; tensors are plain tensors; views share memory."""

from __future__ import annotations

import copy
import io
import pickle

import pytest
import torch
import torch.nn.functional as F

import syncpoint as sp
from syncpoint.mnist.model import Net


def train(device: str, optimizer: type[torch.optim.Optimizer], steps: int, **options) -> list[float]:
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Dropout(0.2),
        torch.nn.Linear(4 * 36, 10),
    ).to(device)  # fmt: skip
    trainer = optimizer(model.parameters(), **options)
    images, labels = torch.randn(16, 1, 8, 8).to(device), torch.randint(0, 10, (16,)).to(device)
    losses = []
    for _ in range(steps):
        trainer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        trainer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "Adadelta", "Adagrad", "RMSprop", "NAdam"])
def test_training_is_bit_identical(name):
    optimizer = getattr(torch.optim, name)
    assert train("sim", optimizer, 8, lr=0.05, foreach=False) == train("cpu", optimizer, 8, lr=0.05, foreach=False)


def test_training_the_mnist_network_is_bit_identical():
    def losses(device):
        torch.manual_seed(1)
        model = Net().to(device)
        optimizer = torch.optim.Adadelta(model.parameters(), foreach=True)
        images, labels = torch.randn(8, 1, 28, 28).to(device), torch.arange(8).to(device)
        out = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = F.nll_loss(model(images), labels)
            loss.backward()
            optimizer.step()
            out.append(loss.item())
        return out

    assert losses("sim") == losses("cpu")


def test_tensors_are_plain_and_say_where_they_are():
    x = torch.randn(3, 3).to("sim")
    assert type(x) is torch.Tensor
    assert str(x.device) == "sim:0"
    assert "device='sim:0'" in repr(x)
    assert x.is_sim
    assert not x.cpu().is_sim
    layer = torch.nn.Linear(3, 3, device="sim")
    assert type(layer.weight) is torch.nn.Parameter


def test_views_share_memory_and_copies_do_not():
    x = torch.zeros(4, 4, device="sim")
    x.t()[1].fill_(1.0)
    x.view(2, 8)[0, 0] = 5.0
    assert x[:, 1].sum().item() == 4
    assert x[0, 0].item() == 5
    assert x.untyped_storage().data_ptr() == x[2:].untyped_storage().data_ptr()
    assert x.clone().untyped_storage().data_ptr() != x.untyped_storage().data_ptr()


def test_complex_views_are_views():
    z = torch.zeros(3, dtype=torch.complex64, device="sim")
    torch.view_as_real(z)[..., 0] += 2
    assert z.cpu().tolist() == [2, 2, 2]


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (2, 3)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int64, torch.bool, torch.complex64])
def test_round_trip(shape, dtype):
    x = torch.ones(shape, dtype=dtype)
    assert torch.equal(x.to("sim").cpu(), x)
    strided = torch.ones((*shape, 4), dtype=dtype)[..., ::2]
    assert torch.equal(strided.to("sim").cpu(), strided)


def test_module_to_keeps_parameters_and_ties():
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))
    model[1].weight = model[0].weight
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.to("sim")
    assert model[0].weight is model[1].weight
    assert all(p.device.type == "sim" for group in optimizer.param_groups for p in group["params"])


def test_out_arguments_grow_and_shrink():
    out = torch.empty(0, device="sim")
    torch.add(torch.ones(5, device="sim"), 1, out=out)
    assert out.cpu().tolist() == [2] * 5
    x = torch.arange(4.0, device="sim")
    x.resize_(2, 3)
    assert x.shape == (2, 3)
    assert x.flatten()[:4].cpu().tolist() == [0, 1, 2, 3]
    x.resize_(2)
    assert x.cpu().tolist() == [0, 1]


def test_python_numbers_and_scalars():
    y = torch.arange(5, device="sim")
    assert (y % 3).cpu().tolist() == [0, 1, 2, 0, 1]
    assert (10 // (y + 1)).dtype == torch.int64
    assert (torch.tensor(2.0) * y).cpu().tolist() == [0, 2, 4, 6, 8]
    half = torch.ones((), dtype=torch.float16, device="sim")
    assert (half % 3.0).dtype == torch.float16


def test_several_devices_and_their_backward():
    sp.sim.use(devices=4)
    x = torch.ones(3, device="sim:3", requires_grad=True)
    (x * 2).sum().backward()
    assert x.grad.device == torch.device("sim:3")
    model = torch.nn.Linear(3, 3).to("sim:1")
    out = model(torch.ones(2, 3).to("sim:1")).to("sim:2")
    out.sum().backward()
    assert model.weight.grad.device.index == 1


def test_backward_in_another_thread():
    import threading

    sp.sim.use(devices=2)
    x = torch.ones(3, device="sim:1", requires_grad=True)
    thread = threading.Thread(target=lambda: (x * 2).sum().backward())
    thread.start()
    thread.join()
    assert x.grad.cpu().tolist() == [2, 2, 2]


def test_save_load_pickle_deepcopy():
    sp.sim.use(devices=2)
    model = torch.nn.Linear(2, 2).to("sim:1")
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    for where in ("cpu", "sim:0"):
        file.seek(0)
        state = torch.load(file, map_location=where)
        assert {str(t.device) for t in state.values()} == {where}
        assert torch.equal(state["weight"].cpu(), model.weight.detach().cpu())
    again = pickle.loads(pickle.dumps(model.weight.detach()))
    assert again.device == model.weight.device
    assert next(copy.deepcopy(model).parameters()).device.index == 1


@pytest.mark.parametrize("layer", [torch.nn.LSTM, torch.nn.GRU])
def test_recurrent_layers_agree_with_the_cpu(layer):
    torch.manual_seed(0)
    model, x = layer(3, 5, 2, batch_first=True), torch.randn(2, 4, 3)
    expected = model(x)[0]
    expected.square().sum().backward()
    gradients = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    model.to("sim")
    out = model(x.to("sim"))[0]
    out.square().sum().backward()
    torch.testing.assert_close(out.cpu(), expected)
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad.cpu(), gradient, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("masked", [None, "bool", "causal"])
def test_attention_and_its_gradients(masked):
    torch.manual_seed(0)
    tensors = [torch.randn(2, 2, 5, 4) for _ in range(3)]
    options = {"is_causal": True} if masked == "causal" else {}
    mask = torch.rand(5, 5) > 0.3 if masked == "bool" else None
    mask = mask | torch.eye(5, dtype=torch.bool) if mask is not None else None

    def run(device):
        inputs = [t.to(device).requires_grad_() for t in tensors]
        out = F.scaled_dot_product_attention(*inputs, None if mask is None else mask.to(device), **options)
        out.square().sum().backward()
        return [out.detach().cpu(), *(t.grad.cpu() for t in inputs)]

    for on_sim, on_cpu in zip(run("sim"), run("cpu"), strict=True):
        torch.testing.assert_close(on_sim, on_cpu)


def test_autocast_chooses_as_on_cuda():
    x = torch.randn(4, 4, device="sim")
    with torch.autocast("sim", dtype=torch.float16):
        product = x @ x
        assert product.dtype == torch.float16
        assert product.softmax(0).dtype == torch.float32
        assert (x + x).dtype == torch.float32
    assert (x @ x).dtype == torch.float32


def test_random_numbers_are_the_cpus():
    torch.manual_seed(3)
    on_cpu = torch.randn(4)
    torch.manual_seed(3)
    assert torch.equal(torch.randn(4, device="sim").cpu(), on_cpu)
    state = torch.sim.get_rng_state()
    first = torch.rand(2, device="sim").cpu()
    torch.sim.set_rng_state(state)
    assert torch.equal(torch.rand(2, device="sim").cpu(), first)


def test_control_flow_operators():
    x, n = torch.ones(2, device="sim"), torch.tensor(3, device="sim")
    assert torch.cond(n > 1, lambda z: z + 1, lambda z: z - 1, (x,)).cpu().tolist() == [2, 2]
    loop = torch._higher_order_ops.while_loop
    with sp.trace(device="sim") as t:
        count, y = loop(lambda n, z: n > 0, lambda n, z: (n - 1, z * 2), (n, x))
    assert (count.item(), y.cpu().tolist()) == (0, [8, 8])
    assert len(t.waits) == 3 + 2


def test_functions_of_torch_func():
    x = torch.arange(6.0, device="sim").view(2, 3)
    assert torch.func.vmap(torch.sum)(x).cpu().tolist() == [3, 12]
    assert torch.func.grad(lambda t: (t**2).sum())(x).cpu().flatten().tolist() == [0, 2, 4, 6, 8, 10]
