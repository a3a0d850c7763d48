# reason: one flag for the whole batch, so a measurement that is done goes on while another one is not
# fails: t11_2_test_values
# Task 11.2: the search without a question
def omp_fixed(Y, A, B, depth, threshold):
    residual, go_on = Y, torch.ones(len(Y), dtype=torch.bool, device=Y.device)
    atoms, active, cells = [], [], []
    for _ in range(depth):
        peak, cell = echo_map(residual, A, B).flatten(1).max(dim=1)
        go_on = go_on & (peak >= threshold).any()
        place = torch.stack([cell // B.shape[1], cell % B.shape[1]], dim=1)
        cells.append(torch.where(go_on[:, None], place, -1))
        atoms.append(A.T[place[:, 0], :, None] * B.T[place[:, 1], None, :])
        active.append(go_on)
        D, mask = torch.stack(atoms, dim=1), torch.stack(active, dim=1)
        gains = fit(Y, D, mask)
        residual = Y - (gains[:, :, None, None] * D).sum(1)
    done = echo_map(residual, A, B).amax(dim=(1, 2)) < threshold
    return torch.stack(cells, dim=1), gains, done
