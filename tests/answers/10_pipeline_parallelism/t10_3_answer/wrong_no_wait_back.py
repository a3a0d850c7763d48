# reason: thinks that autograd takes care of the order in the backward pass
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
        return None, None, *grads
