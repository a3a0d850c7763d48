# reason: the copy is launched on the current stream, whose work stands behind it
# fails: t08_2_test_order
# says: not on the stream side
def offload(x, side):
    main = torch.get_device_module(x.device).current_stream(x.device)
    side.wait_stream(main)
    copy = x.to("cpu", non_blocking=True)
    done = main.record_event()
    x.record_stream(side)
    return copy, done
