# reason: lets the stream that is first wait for the second
# says: forward: 
# Task 10.3: Wait

class Wait(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        before.wait_stream(after)
        return tuple(x.detach() for x in tensors)

    @staticmethod
    def backward(ctx, *grads):
        ctx.after.wait_stream(ctx.before)
        return None, None, *grads
