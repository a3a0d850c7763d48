# reason: non_blocking is missing, so the host waits for every copy
# fails: t07_4_test_order
# says: blocked the host
def send_all(batches, device, buffers):
    arrived = []
    for number, batch in enumerate(batches):
        rows = buffers[number % len(buffers)][: len(batch)]
        rows.copy_(batch)
        arrived.append(rows.to(device))
    return arrived
