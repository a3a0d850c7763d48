# reason: runs the search with the stop test for each measurement, and fills the rest up
# fails: t11_2_test_waits
# says: expected exactly 0 waits
# Task 11.2: the search without a question
def omp_fixed(Y, A, B, depth, threshold):
    support = torch.full((len(Y), depth, 2), -1, device=Y.device)
    gains = Y.new_zeros(len(Y), depth)
    done = torch.zeros(len(Y), dtype=torch.bool, device=Y.device)
    for n, one in enumerate(Y):
        cells, found, left = omp_while(one, A, B, threshold, most_rounds=depth)
        for r, (row, column) in enumerate(cells):
            support[n, r, 0], support[n, r, 1] = row, column
            gains[n, r] = found[r]
        done[n] = echo_map(left[-1], A, B).max() < threshold
    return support, gains, done
