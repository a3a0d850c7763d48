def arrival_us(route, nbytes, chip, step=1):
    host, link = chip.host, chip.link
    time, sent, rate = host.dispatch_us + host.copy_call_us + link.latency_us, nbytes, link.pinned_gbs
    strided = step != 1
    if route == "pin first":
        time += host.pin_us + nbytes / (host.pin_gbs * 1000)
    if route in ("pin first", "reuse") or (strided and route in ("plain", "pinned")):
        time += max(host.cpu_op_us, nbytes / (host.memory_gbs * 500))
    if route == "plain":
        time += host.wait_us
    if route == "plain" or (route == "pinned" and strided):
        rate = link.pageable_gbs
    if route == "whole":
        sent *= step
    return time + sent / (rate * 1000)


def fastest(routes, nbytes, chip, step=1):
    times = [arrival_us(route, nbytes, chip, step) for route in routes]
    return routes[times.index(min(times))]
