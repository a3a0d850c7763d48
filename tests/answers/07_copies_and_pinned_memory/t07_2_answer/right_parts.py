def arrival_us(route, nbytes, chip, step=1):
    def moved(n, rate):
        return n / rate / 1e3

    def over_the_link(n, pinned):
        rate = chip.link.pinned_gbs if pinned else chip.link.pageable_gbs
        return chip.host.dispatch_us + chip.host.copy_call_us + chip.link.latency_us + moved(n, rate)

    by_the_host = max(moved(2 * nbytes, chip.host.memory_gbs), chip.host.cpu_op_us)
    pages = chip.host.pin_us + moved(nbytes, chip.host.pin_gbs)
    dense = step == 1
    times = {
        "plain": over_the_link(nbytes, False) + chip.host.wait_us + (0 if dense else by_the_host),
        "pin first": pages + by_the_host + over_the_link(nbytes, True),
        "reuse": by_the_host + over_the_link(nbytes, True),
        "pinned": over_the_link(nbytes, True) if dense else by_the_host + over_the_link(nbytes, False),
        "whole": over_the_link(step * nbytes, True),
    }
    return times[route]


def fastest(routes, nbytes, chip, step=1):
    best = None
    for route in routes:
        if best is None or arrival_us(route, nbytes, chip, step) < arrival_us(best, nbytes, chip, step):
            best = route
    return best
