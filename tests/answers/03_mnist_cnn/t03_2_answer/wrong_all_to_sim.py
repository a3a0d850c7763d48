# reason: moves everything to one fixed device, whichever device the parameter is on
# fails: t03_2_test_b
# says: expected cpu
# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    return sorted({n for p, s in optimizer.state.items() for n, v in s.items()
                   if torch.is_tensor(v) and v.dim() > 0 and v.device != p.device})


def rescue(optimizer):
    for state in optimizer.state.values():
        for name, value in state.items():
            if torch.is_tensor(value) and value.dim() > 0:
                state[name] = value.to(sim)
