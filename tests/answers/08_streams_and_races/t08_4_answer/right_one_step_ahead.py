def prefetch(batches, work, device):
    accelerator = torch.get_device_module(device)
    main, side = accelerator.current_stream(device), torch.Stream(device)
    buffers, read = [], []

    def send(number):
        turn = number % 2
        if turn == len(buffers):
            buffers.append(torch.empty_like(batches[number], device=device))
            read.append(main.record_event())
        side.wait_event(read[turn])
        with accelerator.stream(side):
            buffers[turn].copy_(batches[number], non_blocking=True)
        return side.record_event()

    results = []
    copied = send(0) if batches else None
    for number in range(len(batches)):
        following = send(number + 1) if number + 1 < len(batches) else None
        main.wait_event(copied)
        results.append(work(buffers[number % 2]))
        read[number % 2] = main.record_event()
        copied = following
    return results
