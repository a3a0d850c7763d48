# reason: looks only at what .to() moves anyway
# fails: t04_3_test_b, t04_3_test_c
# Task 4.3: audit(module, device)
def audit(module, device):
    wanted = torch.empty(0, device=device).device
    tensors = [*module.named_parameters(), *module.named_buffers()]
    return sorted(name for name, tensor in tensors if tensor.device != wanted)
