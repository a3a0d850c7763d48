# reason: does not look into a module that stands in a list
# fails: t04_3_test_c
# Task 4.3: audit(module, device)
def audit(module, device):
    wanted, found = torch.empty(0, device=device).device, []

    def look(value, name):
        if isinstance(value, torch.Tensor):
            if value.device != wanted:
                found.append(name)
        elif isinstance(value, (dict, list, tuple)):
            for key, part in value.items() if isinstance(value, dict) else enumerate(value):
                look(part, f"{name}.{key}")

    for prefix, part in module.named_modules():
        dot = f"{prefix}." if prefix else ""
        for attribute, value in vars(part).items():
            if attribute in ("_parameters", "_buffers"):
                for name, tensor in value.items():
                    look(tensor, dot + name)
            elif attribute != "_modules":
                look(value, dot + attribute)
    return sorted(found)
