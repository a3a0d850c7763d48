# reason: asks for the current stream inside the block, where it is the copy stream itself
# fails: t10_2_test_order
# says: freed while it is still in use
# Task 10.2: Copy

def carry(tensors, before, after):
    results = []
    with before, after:
        for x in tensors:
            y = x.to(after.device)
            x.record_stream(before)
            y.record_stream(torch.get_device_module(after.device).current_stream(after.device))
            results.append(y)
    return tuple(results)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        return carry(tensors, before, after)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *carry(grads, ctx.after, ctx.before)
