# reason: sends the whole buffer although the last batch has fewer rows
# fails: t07_4_test_values
def send_all(batches, device, buffers):
    emptied, arrived = [None] * len(buffers), []
    for number, batch in enumerate(batches):
        turn = number % len(buffers)
        if emptied[turn] is not None:
            emptied[turn].synchronize()
        buffers[turn][: len(batch)].copy_(batch)
        arrived.append(buffers[turn].to(device, non_blocking=True))
        emptied[turn] = torch.Event(device)
        emptied[turn].record()
    return arrived
