# reason: the memory of g(x) belongs to side and is given away while the caller reads it
# fails: t08_3_test_order
# says: record_stream
def both(x, f, g):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side = torch.Stream(x.device)
    side.wait_stream(main)
    with side:
        second = g(x)
    first = f(x)
    main.wait_stream(side)
    return first, second
