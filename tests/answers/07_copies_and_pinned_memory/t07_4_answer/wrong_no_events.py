# reason: takes turns, but fills a buffer that the link is still emptying
# fails: t07_4_test_order
# says: written while it is still being read
def send_all(batches, device, buffers):
    arrived = []
    for number, batch in enumerate(batches):
        rows = buffers[number % len(buffers)][: len(batch)]
        rows.copy_(batch)
        arrived.append(rows.to(device, non_blocking=True))
    return arrived
