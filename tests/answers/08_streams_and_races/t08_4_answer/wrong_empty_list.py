# reason: an empty list of batches has no first batch
# fails: t08_4_test_values
# says: IndexError
def prefetch(batches, work, device):
    main = torch.get_device_module(device).current_stream(device)
    side = torch.Stream(device)
    buffers = [torch.empty_like(batches[0], device=device) for _ in range(2)]
    free = [main.record_event() for _ in buffers]
    results = []
    for number, batch in enumerate(batches):
        turn = number % 2
        side.wait_event(free[turn])
        with side:
            buffers[turn].copy_(batch, non_blocking=True)
        main.wait_stream(side)
        results.append(work(buffers[turn]))
        free[turn] = main.record_event()
    return results
