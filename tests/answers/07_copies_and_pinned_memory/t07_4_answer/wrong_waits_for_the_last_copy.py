# reason: waits for the copy just before, which uses the other buffer
# fails: t07_4_test_order
def send_all(batches, device, buffers):
    arrived, last = [], None
    for number, batch in enumerate(batches):
        if last is not None:
            last.synchronize()
        rows = buffers[number % len(buffers)][: len(batch)]
        rows.copy_(batch)
        arrived.append(rows.to(device, non_blocking=True))
        last = torch.Event(device)
        last.record()
    return arrived
