# reason: asks PyTorch for a tensor of that shape, which has the strides of a new block
# fails: t06_1_test
def offset_bytes(shape, strides, index, itemsize):
    t = torch.empty(shape)
    return (t[index].data_ptr() - t.data_ptr()) // 4 * itemsize
