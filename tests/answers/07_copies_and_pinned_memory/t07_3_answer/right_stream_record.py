def fetch(tensors, meanwhile, device):
    copies = []
    for x in tensors:
        copies.append(x.to(device="cpu", non_blocking=True))
    event = torch.get_device_module(device).Event()
    event.record(torch.get_device_module(device).current_stream())
    meanwhile()
    if tensors:
        event.synchronize()
    return copies
