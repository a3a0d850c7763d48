# reason: gives back one tensor only
# says: came out
# Task 10.3: Wait

class Wait(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        after.wait_stream(before)
        return (tensors[0].detach(),)

    @staticmethod
    def backward(ctx, *grads):
        ctx.before.wait_stream(ctx.after)
        return None, None, grads[0]
