# reason: the mark is put into the queue before the copy, so it is reached too early
# fails: t07_4_test_order
def send_all(batches, device, buffers):
    emptied, arrived = [None] * len(buffers), []
    for number, batch in enumerate(batches):
        turn = number % len(buffers)
        if emptied[turn] is not None:
            emptied[turn].synchronize()
        rows = buffers[turn][: len(batch)]
        rows.copy_(batch)
        emptied[turn] = torch.Event(device)
        emptied[turn].record()
        arrived.append(rows.to(device, non_blocking=True))
    return arrived
