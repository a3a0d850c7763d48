# Task 11.2: the search without a question
def omp_fixed(Y, A, B, depth, threshold):
    left, active, chosen, places = Y, torch.ones_like(Y[:, 0, 0], dtype=torch.bool), [], []
    masks = []
    cells = torch.arange(A.shape[1] * B.shape[1], device=Y.device)
    for _ in range(depth):
        strength = echo_map(left, A, B).flatten(1)
        active = active & (strength.amax(1) >= threshold)
        where = strength.argmax(1)
        picked = (cells == where[:, None]).to(Y.dtype).view(-1, A.shape[1], B.shape[1])  # a 1 where the spot is
        chosen.append(A @ picked @ B.T)
        masks.append(active)
        row, column = torch.div(where, B.shape[1], rounding_mode="floor"), where.remainder(B.shape[1])
        places.append(torch.stack([row, column], 1).masked_fill(~active[:, None], -1))
        gains = fit(Y, torch.stack(chosen, 1), torch.stack(masks, 1))
        left = Y - torch.einsum("nr,nrks->nks", gains, torch.stack(chosen, 1))
    return torch.stack(places, 1), gains, ~(echo_map(left, A, B).flatten(1) >= threshold).any(1)
