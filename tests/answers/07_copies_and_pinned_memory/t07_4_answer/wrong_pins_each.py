# reason: pins every batch by hand instead of using the buffers: a new copy each time, and the pages on top
# fails: t07_4_test_order
def send_all(batches, device, buffers):
    kept = []
    for batch in batches:
        kept.append(batch.pin_memory())
    return [batch.to(device, non_blocking=True) for batch in kept]
