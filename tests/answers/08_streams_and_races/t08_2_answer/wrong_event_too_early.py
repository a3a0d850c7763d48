# reason: the event is recorded before the copy and says nothing about it
# fails: t08_2_test_values
def offload(x, side):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side.wait_stream(main)
    with side:
        done = side.record_event()
        copy = x.to("cpu", non_blocking=True)
    x.record_stream(side)
    return copy, done
