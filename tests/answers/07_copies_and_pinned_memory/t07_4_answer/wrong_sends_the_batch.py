# reason: sends the pageable batch itself; non_blocking changes nothing about the staging
# fails: t07_4_test_order
# says: Send the buffer
def send_all(batches, device, buffers):
    return [batch.to(device, non_blocking=True) for batch in batches]
