# reason: copies the first tensor only
# fails: t10_2_test_values
# Task 10.2: Copy

def carry(tensors, before, after):
    user = torch.get_device_module(after.device).current_stream(after.device)
    with before, after:
        y = tensors[0].to(after.device)
    tensors[0].record_stream(before)
    y.record_stream(user)
    return (y,)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        return carry(tensors, before, after)

    @staticmethod
    def backward(ctx, *grads):
        return None, None, *carry(grads, ctx.after, ctx.before)
