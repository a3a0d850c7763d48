# reason: takes the step counter on the CPU for a stray and moves it, so every step() waits
# fails: t03_2_test_a, t03_2_test_b
# says: step
# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    return sorted({n for p, s in optimizer.state.items() for n, v in s.items() if torch.is_tensor(v) and v.device != p.device})


def rescue(optimizer):
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if torch.is_tensor(value):
                state[name] = value.to(parameter.device)
