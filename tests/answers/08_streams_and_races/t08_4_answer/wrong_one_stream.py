# reason: safe in one stream, but nothing overlaps
# fails: t08_4_test_order
# says: are enough
def prefetch(batches, work, device):
    return [work(batch.to(device, non_blocking=True)) for batch in batches]
