# reason: the memory of x is given away while side is still reading it
# fails: t08_2_test_order
# says: record_stream
def offload(x, side):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side.wait_stream(main)
    with side:
        copy = x.to("cpu", non_blocking=True)
        done = side.record_event()
    return copy, done
