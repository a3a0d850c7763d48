# reason: a copy of the host is counted once, as if it were only read
# fails: t07_2_test_times
def arrival_us(route, nbytes, chip, step=1):
    host, link = chip.host, chip.link
    host_copy = max(host.cpu_op_us, nbytes / (1000 * host.memory_gbs))
    call = host.dispatch_us + host.copy_call_us
    gather = host_copy if step > 1 else 0.0
    pageable = gather + call + link.latency_us + nbytes / (1000 * link.pageable_gbs)
    pinned = call + link.latency_us + nbytes / (1000 * link.pinned_gbs)
    if route == "plain":
        return pageable + host.wait_us
    if route == "pin first":
        return host.pin_us + nbytes / (1000 * host.pin_gbs) + host_copy + pinned
    if route == "reuse":
        return host_copy + pinned
    if route == "pinned":
        return pinned if step == 1 else pageable
    return call + link.latency_us + step * nbytes / (1000 * link.pinned_gbs)


def fastest(routes, nbytes, chip, step=1):
    return min(routes, key=lambda route: arrival_us(route, nbytes, chip, step))
