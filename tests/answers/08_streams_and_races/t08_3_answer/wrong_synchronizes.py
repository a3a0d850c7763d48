# reason: the host stands still until side is done
# fails: t08_3_test_order
def both(x, f, g):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side = torch.Stream(x.device)
    side.wait_stream(main)
    with side:
        second = g(x)
    first = f(x)
    side.synchronize()
    second.record_stream(main)
    return first, second
