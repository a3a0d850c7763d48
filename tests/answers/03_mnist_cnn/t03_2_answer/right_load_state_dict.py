# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    names = set()
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            for name, value in optimizer.state.get(parameter, {}).items():
                if isinstance(value, torch.Tensor) and value.ndim and value.device != parameter.device:
                    names.add(name)
    return sorted(names)


def rescue(optimizer):
    # load_state_dict puts the state beside the parameters, and leaves `step` alone
    optimizer.load_state_dict(optimizer.state_dict())
