# reason: the event stands in the queue of main, where the copy is not
# fails: t08_2_test_values
def offload(x, side):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side.wait_stream(main)
    with side:
        copy = x.to("cpu", non_blocking=True)
        done = main.record_event()
    x.record_stream(side)
    return copy, done
