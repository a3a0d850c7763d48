# reason: thinks that the copy stream owns what it reads, so the source's memory is given away too early
# fails: t10_2_test_order
# says: freed while it is still in use
# Task 10.2: Copy

def carry(tensors, before, after):
    user = torch.get_device_module(after.device).current_stream(after.device)
    results = []
    with before, after:
        for x in tensors:
            y = x.to(after.device)
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
