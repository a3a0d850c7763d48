def send_all(batches, device, buffers):
    marks = [torch.Event(device) for _ in buffers]
    arrived = []
    for i, batch in enumerate(batches):
        k = i % len(buffers)
        marks[k].synchronize()  # a mark that was never recorded is no wait
        part = buffers[k].narrow(0, 0, batch.shape[0])
        part.copy_(batch)
        arrived.append(part.to(device, non_blocking=True))
        marks[k].record()
    return arrived
