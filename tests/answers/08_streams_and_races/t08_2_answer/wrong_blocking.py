# reason: the host waits for a blocking copy
# fails: t08_2_test_order
def offload(x, side):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side.wait_stream(main)
    with side:
        copy = x.to("cpu")
        done = side.record_event()
    x.record_stream(side)
    return copy, done
