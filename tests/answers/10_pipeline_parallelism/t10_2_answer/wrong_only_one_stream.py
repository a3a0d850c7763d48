# reason: makes only the target's stream current: the copy stands in the source's compute queue
# fails: t10_2_test_order
# says: the source stood still
# Task 10.2: Copy

def carry(tensors, before, after):
    user = torch.get_device_module(after.device).current_stream(after.device)
    results = []
    with after:
        for x in tensors:
            y = x.to(after.device)
            x.record_stream(before)
            y.record_stream(user)
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
