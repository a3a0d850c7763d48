# reason: lets the host wait for the stream
# says: wait
# Task 10.3: Wait

class Wait(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        before.synchronize()
        return tuple(x.detach() for x in tensors)

    @staticmethod
    def backward(ctx, *grads):
        ctx.after.synchronize()
        return None, None, *grads
