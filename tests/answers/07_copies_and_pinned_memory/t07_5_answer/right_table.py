HAS_PINNED = {"cuda": True, "sim": True}


def settings(device, workers):
    device = torch.device(device)
    to = {"non_blocking": HAS_PINNED.get(device.type, False)}
    loader = {"pin_memory": to["non_blocking"], "num_workers": workers}
    if workers != 0:
        loader.update(persistent_workers=True)
    return loader, to
