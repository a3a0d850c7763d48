# reason: takes the default stream for the current one
# fails: t08_3_test_order
def both(x, f, g):
    main = torch.get_device_module(x.device).default_stream(x.device)
    side = torch.Stream(x.device)
    side.wait_stream(main)
    with side:
        second = g(x)
    first = f(x)
    main.wait_stream(side)
    second.record_stream(main)
    return first, second
