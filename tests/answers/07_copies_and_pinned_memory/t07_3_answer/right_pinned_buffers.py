def fetch(tensors, meanwhile, device):
    copies = []
    for tensor in tensors:
        buffer = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
        copies.append(buffer.copy_(tensor, non_blocking=True))
    done = torch.get_device_module(device).current_stream().record_event()
    meanwhile()
    done.synchronize()
    return copies
