# reason: copies on the streams that happen to be current, so the source stands still meanwhile
# fails: t10_2_test_order
# says: the source stood still
# Task 10.2: Copy

def carry(tensors, before, after):
    return tuple(x.to(after.device) for x in tensors)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        return carry(tensors, before, after)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *carry(grads, ctx.after, ctx.before)
