# reason: the current stream waits for side before f is launched, so nothing runs side by side
# fails: t08_3_test_order
# says: one after the other
def both(x, f, g):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side = torch.Stream(x.device)
    side.wait_stream(main)
    with side:
        second = g(x)
    main.wait_stream(side)
    first = f(x)
    second.record_stream(main)
    return first, second
