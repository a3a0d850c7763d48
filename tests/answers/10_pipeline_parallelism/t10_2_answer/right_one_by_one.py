# Task 10.2: Copy

def carry_one(x, before, after):
    reader = torch.get_device_module(after.device).current_stream(after.device)
    with before:
        with after:
            y = x.to(after.device)
    y.record_stream(reader)
    x.record_stream(before)
    return y


def carry(tensors, before, after):
    return tuple(carry_one(x, before, after) for x in tensors)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        return carry(tensors, before, after)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *carry(grads, ctx.after, ctx.before)
