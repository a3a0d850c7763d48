# Task 3.2: rescue an optimizer's state
def _strays(optimizer):
    for parameter, entries in list(optimizer.state.items()):
        for name in list(entries):
            value = entries[name]
            if isinstance(value, torch.Tensor) and value.shape != () and value.device != parameter.device:
                yield parameter, entries, name


def stranded(optimizer):
    return sorted(set(name for _, _, name in _strays(optimizer)))


def rescue(optimizer):
    for parameter, entries, name in _strays(optimizer):
        entries[name] = entries[name].to(parameter.device)
