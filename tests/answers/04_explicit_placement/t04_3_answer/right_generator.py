# Task 4.3: audit(module, device)
def audit(module, device):
    wanted = torch.device(device)

    def walk(value, way):
        if isinstance(value, torch.Tensor):
            yield ".".join(way), value
        elif isinstance(value, nn.Module):
            inside = vars(value)
            for store in ("_parameters", "_buffers", "_modules"):
                yield from walk(inside[store], way)
            yield from walk({k: v for k, v in inside.items() if k not in ("_parameters", "_buffers", "_modules")}, way)
        elif isinstance(value, (dict, list, tuple)):
            for key, part in value.items() if isinstance(value, dict) else enumerate(value):
                yield from walk(part, (*way, str(key)))

    def there(tensor):
        return (tensor.device.type, tensor.device.index or 0) == (wanted.type, wanted.index or 0)

    return sorted(name for name, tensor in walk(module, ()) if not there(tensor))
