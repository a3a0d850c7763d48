# Task 1.5: a loss history with one wait
@torch.no_grad()
def loss_history(losses):
    on_host = torch.stack(losses).cpu() if losses else torch.empty(0)
    return on_host.numpy()
