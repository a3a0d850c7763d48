# reason: takes every value of a state for a tensor: SGD without momentum keeps None
# fails: t03_2_test_a
# says: 'NoneType' object has no attribute 'dim'
# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    return sorted({n for p, s in optimizer.state.items() for n, v in s.items() if v.dim() > 0 and v.device != p.device})


def rescue(optimizer):
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if value.dim() > 0:
                state[name] = value.to(parameter.device)
