# Task 2.1: an honest timer
def honest_us(work, where):
    with sp.timer(where) as empty:
        gpu.sleep(0, where)
    with sp.timer(where) as full:
        work()
    return full.us - empty.us
