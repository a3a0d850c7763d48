def both(x, f, g):
    device = x.device
    main, side = torch.get_device_module(device).current_stream(device), torch.Stream(device)
    ready = main.record_event()
    first = f(x)
    side.wait_event(ready)
    with torch.get_device_module(device).stream(side):
        second = g(x)
        done = side.record_event()
    main.wait_event(done)
    second.record_stream(main)
    return first, second
