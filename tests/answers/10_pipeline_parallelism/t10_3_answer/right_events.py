# Task 10.3: Wait

class Wait(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        after.wait_event(before.record_event())
        return tuple([x.detach() for x in tensors])

    @staticmethod
    def backward(ctx, *grads):
        ctx.before.wait_event(ctx.after.record_event())
        return (None, None, *grads)
