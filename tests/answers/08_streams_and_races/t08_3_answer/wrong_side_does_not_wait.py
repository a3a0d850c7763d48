# reason: side reads x before the caller's work on it is done
# fails: t08_3_test_order
# says: read before the write has finished
def both(x, f, g):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side = torch.Stream(x.device)
    with side:
        second = g(x)
    first = f(x)
    main.wait_stream(side)
    second.record_stream(main)
    return first, second
