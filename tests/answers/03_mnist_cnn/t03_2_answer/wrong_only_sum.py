# reason: repairs Adagrad by name and no other optimizer
# fails: t03_2_test_a, t03_2_test_b
# says: its state left behind
# Task 3.2: rescue an optimizer's state
def stranded(optimizer):
    return ["sum"] if any("sum" in s and s["sum"].device != p.device for p, s in optimizer.state.items()) else []


def rescue(optimizer):
    for parameter, state in optimizer.state.items():
        if "sum" in state:
            state["sum"] = state["sum"].to(parameter.device)
