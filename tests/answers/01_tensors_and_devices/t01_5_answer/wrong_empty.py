# reason: torch.stack refuses an empty list
# fails: t01_5_test_values
# says: non-empty
def loss_history(losses):
    return torch.stack(losses).detach().cpu().numpy()
