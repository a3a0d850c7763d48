# Task 10.3: Wait

def let_wait(waiting, other):
    waiting.wait_stream(other)


class Wait(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.pair = before, after
        let_wait(after, before)
        return tuple(x.view_as(x) for x in tensors)

    @staticmethod
    def backward(ctx, *grads):
        let_wait(*ctx.pair)
        return (None, None) + grads
