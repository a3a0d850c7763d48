# Task 11.2: the search without a question
def omp_fixed(Y, A, B, depth, threshold):
    N, K, S = Y.shape
    atoms = Y.new_zeros(N, depth, K, S)
    active = torch.zeros(N, depth, dtype=torch.bool, device=Y.device)
    support = torch.full((N, depth, 2), -1, device=Y.device)
    searching = torch.ones(N, dtype=torch.bool, device=Y.device)
    residual = Y
    for r in range(depth):
        peak, cell = torch.max(echo_map(residual, A, B).reshape(N, A.shape[1] * B.shape[1]), dim=1)
        searching = searching & ~(peak < threshold)
        row = cell // B.shape[1]
        column = cell - row * B.shape[1]
        atoms[:, r] = A.index_select(1, row).T.unsqueeze(2) * B.index_select(1, column).T.unsqueeze(1)
        active[:, r] = searching
        support[:, r, 0] = torch.where(searching, row, -1)
        support[:, r, 1] = torch.where(searching, column, -1)
        gains = fit(Y, atoms, active)
        residual = Y - (atoms * gains[..., None, None]).sum(dim=1)
    return support, gains, echo_map(residual, A, B).amax(dim=(-1, -2)) < threshold
