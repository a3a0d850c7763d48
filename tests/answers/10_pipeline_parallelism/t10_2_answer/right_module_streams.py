# Task 10.2: Copy

def carry(tensors, before, after):
    there = torch.get_device_module(after.device)
    reader = there.current_stream(after.device)
    with torch.get_device_module(before.device).stream(before), there.stream(after):
        moved = tuple(x.to(after.device) for x in tensors)
    for x, y in zip(tensors, moved):
        x.record_stream(before)
        y.record_stream(reader)
    return moved


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.way_back = after, before
        return carry(tensors, before, after)

    @staticmethod
    def backward(ctx, *grads):
        return (None, None) + carry(grads, *ctx.way_back)
