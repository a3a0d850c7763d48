# reason: sim and sim:0 are not equal when they are compared directly
# fails: t04_3_test_a
# Task 4.3: audit(module, device)
def audit(module, device):
    wanted, found = torch.device(device), []

    def look(value, name):
        if isinstance(value, torch.Tensor):
            if value.device != wanted:
                found.append(name[1:])
        elif isinstance(value, nn.Module):
            for attribute, part in vars(value).items():
                look(part, name if attribute in ("_parameters", "_buffers", "_modules") else f"{name}.{attribute}")
        elif isinstance(value, (dict, list, tuple)):
            for key, part in value.items() if isinstance(value, dict) else enumerate(value):
                look(part, f"{name}.{key}")

    look(module, "")
    return sorted(found)
