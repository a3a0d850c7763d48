# reason: side does not wait for the work that makes x
# fails: t08_2_test_order
# says: read before the write has finished
def offload(x, side):
    main = torch.get_device_module(x.device).current_stream(x.device)
    with side:
        copy = x.to("cpu", non_blocking=True)
        done = side.record_event()
    x.record_stream(side)
    return copy, done
