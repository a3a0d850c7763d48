# reason: the state_dict misses buffers that are not saved, and all plain attributes
# fails: t04_3_test_a, t04_3_test_b
# Task 4.3: audit(module, device)
def audit(module, device):
    wanted = torch.empty(0, device=device).device
    return sorted(name for name, tensor in module.state_dict().items() if tensor.device != wanted)
