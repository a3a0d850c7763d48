# reason: forgets that the next stage uses the result on another stream than the one that made it
# fails: t10_2_test_order
# says: freed while it is still in use
# Task 10.2: Copy

def carry(tensors, before, after):
    results = []
    with before, after:
        for x in tensors:
            x.record_stream(before)
            results.append(x.to(after.device))
    return tuple(results)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        return carry(tensors, before, after)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *carry(grads, ctx.after, ctx.before)
