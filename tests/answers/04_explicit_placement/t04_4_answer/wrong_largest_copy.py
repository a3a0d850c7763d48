# reason: takes the largest single copy and does not add up
# Task 4.4: which line moves the most?
def worst_line(trace):
    copies = [c for c in trace.copies if c.kind == "H2D"]
    return max(copies, key=lambda c: c.bytes).source if copies else None
