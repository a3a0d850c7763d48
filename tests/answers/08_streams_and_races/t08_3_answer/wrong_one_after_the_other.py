# reason: side waits for main after f is launched, so g begins when f is done
# fails: t08_3_test_order
# says: one after the other
def both(x, f, g):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side = torch.Stream(x.device)
    first = f(x)
    side.wait_stream(main)
    with side:
        second = g(x)
    main.wait_stream(side)
    second.record_stream(main)
    return first, second
