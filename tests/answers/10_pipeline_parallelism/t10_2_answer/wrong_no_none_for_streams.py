# reason: forgets that backward returns something for each argument of forward
# fails: t10_2_test_values
# says: incorrect number of gradients
# Task 10.2: Copy

def carry(tensors, before, after):
    user = torch.get_device_module(after.device).current_stream(after.device)
    results = []
    with before, after:
        for x in tensors:
            y = x.to(after.device)
            x.record_stream(before)
            y.record_stream(user)
            results.append(y)
    return tuple(results)


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, before, after, *tensors):
        ctx.before, ctx.after = before, after
        return carry(tensors, before, after)

    @staticmethod
    def backward(ctx, *grads):
        return carry(grads, ctx.after, ctx.before)
