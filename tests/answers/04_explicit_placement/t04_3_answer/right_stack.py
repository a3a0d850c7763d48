# Task 4.3: audit(module, device)
def audit(module, device):
    wanted, found, stack = torch.empty(0, device=device).device, [], [(module, "")]
    while stack:
        value, name = stack.pop()
        if isinstance(value, torch.Tensor) and value.device != wanted:
            found.append(name[1:])
        elif isinstance(value, nn.Module):
            for attribute, part in value.__dict__.items():
                stack.append((part, name if attribute in ("_parameters", "_buffers", "_modules") else f"{name}.{attribute}"))
        elif isinstance(value, dict):
            stack += [(part, f"{name}.{key}") for key, part in value.items()]
        elif isinstance(value, (list, tuple)):
            stack += [(part, f"{name}.{index}") for index, part in enumerate(value)]
    return sorted(found)
