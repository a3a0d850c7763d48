# reason: keeps torch.tensor(0.5, device=...), which is a copy from the host
# fails: t12_2_test_capture
# says: not permitted when stream is capturing
# Task 12.2: repair a step that can't be captured
def score(x, weight):
    scores = x @ weight
    scores = torch.where(scores.isnan().any(), 0, scores)
    scores = scores * torch.tensor(0.5, device=x.device, dtype=x.dtype)
    positive = scores > 0
    return torch.where(positive, scores, 0).sum() / positive.sum().clamp(min=1)
