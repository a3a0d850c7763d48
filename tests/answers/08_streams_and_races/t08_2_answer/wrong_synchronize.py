# reason: the host waits until side is done
# fails: t08_2_test_order
def offload(x, side):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side.wait_stream(main)
    with side:
        copy = x.to("cpu", non_blocking=True)
        done = side.record_event()
    side.synchronize()
    return copy, done
