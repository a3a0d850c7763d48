# reason: calls value.to(...) and throws the result away: Tensor.to is never in place
# fails: t03_2_test_b
# says: Expected all tensors to be on the same device
# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    return sorted({n for p, s in optimizer.state.items() for n, v in s.items()
                   if torch.is_tensor(v) and v.dim() > 0 and v.device != p.device})


def rescue(optimizer):
    for parameter, state in optimizer.state.items():
        for value in state.values():
            if torch.is_tensor(value) and value.dim() > 0:
                value.to(parameter.device)
