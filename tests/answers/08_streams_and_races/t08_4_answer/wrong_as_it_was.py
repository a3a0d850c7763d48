# reason: the broken program itself
# fails: t08_4_test_order
def prefetch(batches, work, device):
    return broken_prefetch(batches, work, device)
