# reason: a list with one entry for each parameter instead of each name once
# fails: t03_2_test_a
# says: ['sum', 'sum']
# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    found = []
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if torch.is_tensor(value) and value.dim() > 0 and value.device != parameter.device:
                found.append(name)
    return found


def rescue(optimizer):
    optimizer.load_state_dict(optimizer.state_dict())
