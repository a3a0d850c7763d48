# reason: waits for the whole device, so host and link take turns as with one buffer
# fails: t07_4_test_order
# says: wait for more than the copy
def send_all(batches, device, buffers):
    arrived = []
    for number, batch in enumerate(batches):
        if number >= len(buffers):
            torch.get_device_module(device).synchronize()
        rows = buffers[number % len(buffers)][: len(batch)]
        rows.copy_(batch)
        arrived.append(rows.to(device, non_blocking=True))
    return arrived
