# reason: waits in the same direction in the backward pass
# says: backward: 
# Task 10.3: Wait

class Wait(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        after.wait_stream(before)
        return tuple(x.detach() for x in tensors)

    @staticmethod
    def backward(ctx, *grads):
        ctx.after.wait_stream(ctx.before)
        return None, None, *grads
