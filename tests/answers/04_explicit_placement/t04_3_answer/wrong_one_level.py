# reason: finds plain attributes but does not look into containers
# fails: t04_3_test_c
# Task 4.3: audit(module, device)
def audit(module, device):
    wanted = torch.empty(0, device=device).device
    found = [n for n, t in [*module.named_parameters(), *module.named_buffers()] if t.device != wanted]
    for prefix, part in module.named_modules():
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor) and value.device != wanted:
                found.append(f"{prefix}.{name}" if prefix else name)
    return sorted(found)
