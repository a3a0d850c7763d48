# reason: throws the state away instead of moving it: the step runs, but all that was learned is lost
# fails: t03_2_test_b
# says: is gone after rescue
# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    return sorted({n for p, s in optimizer.state.items() for n, v in s.items()
                   if torch.is_tensor(v) and v.dim() > 0 and v.device != p.device})


def rescue(optimizer):
    optimizer.state.clear()
