# reason: GB/s taken as bytes per microsecond, a factor of a thousand
# fails: t07_2_test_times
def arrival_us(route, nbytes, chip, step=1):
    host, link = chip.host, chip.link
    copied = max(host.cpu_op_us, 2 * nbytes / host.memory_gbs)
    call = host.dispatch_us + host.copy_call_us + link.latency_us
    gather = copied if step > 1 else 0
    if route == "plain":
        return gather + call + nbytes / link.pageable_gbs + host.wait_us
    if route == "pin first":
        return host.pin_us + nbytes / host.pin_gbs + copied + call + nbytes / link.pinned_gbs
    if route == "reuse":
        return copied + call + nbytes / link.pinned_gbs
    if route == "pinned":
        return call + nbytes / link.pinned_gbs if step == 1 else gather + call + nbytes / link.pageable_gbs
    return call + step * nbytes / link.pinned_gbs


def fastest(routes, nbytes, chip, step=1):
    return min(routes, key=lambda route: arrival_us(route, nbytes, chip, step))
