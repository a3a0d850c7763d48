# reason: the memory of new buffers may still be in use by work of main
# fails: t08_4_test_order
# says: written twice at once
def prefetch(batches, work, device):
    if not batches:
        return []
    main = torch.get_device_module(device).current_stream(device)
    side = torch.Stream(device)
    buffers = [torch.empty_like(batches[0], device=device) for _ in range(2)]
    free = [None, None]
    results = []
    for number, batch in enumerate(batches):
        turn = number % 2
        if free[turn] is not None:
            side.wait_event(free[turn])
        with side:
            buffers[turn].copy_(batch, non_blocking=True)
        main.wait_stream(side)
        results.append(work(buffers[turn]))
        free[turn] = main.record_event()
    return results
